/** Reads the step of a plan or receipt from JSON: a request that the contract allows, and nothing else. */
import type { Referent } from '../contract/vocabulary.js';
import { getPath, isObject, type JsonObject } from '../core/json.js';
import { endpointOf, isRelation, isSeen } from './items.js';
import { bodyProblems } from './planner/check-fields.js';
import type { Fields, Step } from './steps.js';
import { KEYS, type Plannable } from './want-columns.js';

/** Thrown with the end of a sentence about the line. */
class Malformed extends Error {}

const STEP_MEMBERS = ['step', 'verb', 'resource', 'id', 'before', 'after'];

/** The resources of the steps that a reference can mean. */
const CREATED_BY: Partial<Record<Referent, readonly string[]>> = {
  organization: ['publishers', 'schools'],
  school: ['schools'],
  class: ['classes'],
  user: ['users'],
  licence: ['licenses'],
};

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed() && !['', '.', '..'].includes(value.trim());

/** Never follows a value, which may be nested deeply. */
const excerpt = (value: unknown): string => {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
};

function checkMembers(value: JsonObject, allowed: readonly string[], path: string): void {
  const other = Object.keys(value).find((name) => !allowed.includes(name));
  if (other !== undefined) throw new Malformed(`${path}${other} is unknown`);
}

/** Checks a reference to an earlier step, or the name of a role of an organization that does not exist yet. */
function checkReference(value: JsonObject, refersTo: Referent, path: string, body: Fields, earlier: readonly Step[]) {
  const isNamedRole = refersTo === 'role' && isName(value.name);
  checkMembers(value, [isNamedRole ? 'name' : 'step'], `after.${path}.`);
  if (isNamedRole) return;
  const made = earlier.find(({ step }) => step === value.step);
  const type = path === 'organization.id' ? getPath(body, 'organization.type') : undefined;
  const fits = made !== undefined && (type === undefined || made.resource === `${String(type).toLowerCase()}s`);
  if (made?.verb !== 'create' || !fits || CREATED_BY[refersTo]?.includes(made.resource) !== true)
    throw new Malformed(`after.${path} must be an ID or an earlier step that creates it, not ${excerpt(value)}`);
}

/** Checks that a step names the state of its item, without which a change in the meantime would be overwritten. */
function checkBefore({ resource }: Pick<Step, 'resource'>, before: JsonObject, after: Fields): void {
  const kind = resource as Plannable;
  const body = endpointOf({ verb: 'update', resource })?.body ?? {};
  checkMembers(before, [...Object.keys(body), 'users', 'numberOfActivations'], 'before.');
  const missing = Object.keys(body).find((name) => {
    const isNeeded = isSeen(kind, name) && (body[name]?.required || Object.hasOwn(after, name));
    return isNeeded && !Object.hasOwn(before, name);
  });
  if (missing !== undefined) throw new Malformed(`before.${missing} must be given`);
}

/** Equal for steps that change the same item. */
function targetOf({ verb, resource, id, before, after }: Step): string {
  const relation = isRelation({ resource }) ? (after ?? before) : undefined;
  if (relation !== undefined) return JSON.stringify([resource, Object.entries(relation ?? {}).sort()]);
  const key = after?.[KEYS[resource as Plannable]];
  const created = resource === 'classes' ? [key, after?.subjectId, after?.schoolId] : key;
  return JSON.stringify([resource, verb === 'create' ? ['new', created] : id]);
}

function parsed(json: JsonObject, earlier: readonly Step[], further: readonly string[]): Step {
  checkMembers(json, [...STEP_MEMBERS, ...further], '');
  const number = earlier.length + 1;
  if (json.step !== number) throw new Malformed(`step must be ${number}, not ${excerpt(json.step)}`);
  const { verb, resource } = json;
  const endpoint = isName(verb) && isName(resource) ? endpointOf({ verb, resource }) : undefined;
  if (endpoint === undefined) throw new Malformed(`a plan cannot ${excerpt(json.verb)} ${excerpt(json.resource)}`);
  const isOfItem = verb === 'update' || verb === 'delete' || verb === 'cancel';
  if (isOfItem ? !isName(json.id) : json.id !== null)
    throw new Malformed(`id must be ${isOfItem ? 'an ID' : 'null'}, not ${excerpt(json.id)}`);
  const sides = ['before', 'after'] as const;
  const given = {
    before: isOfItem || verb === 'unassign',
    after: verb !== 'delete' && verb !== 'cancel' && verb !== 'unassign',
  };
  for (const side of sides) {
    if (given[side] !== isObject(json[side]) || (!given[side] && json[side] !== null))
      throw new Malformed(`${side} must be ${given[side] ? 'an object' : 'null'}, not ${excerpt(json[side])}`);
  }
  const step = json as unknown as Step;
  const [before, after] = [step.before ?? {}, step.after ?? {}] as readonly [Fields, Fields];
  if (isOfItem) checkBefore(step, before, after);
  const [fields, sent, present] = verb === 'unassign' ? [endpoint.body, before, {}] : [endpoint.body, after, before];
  const [problem] =
    fields === undefined || verb === 'delete' || verb === 'cancel'
      ? []
      : bodyProblems(fields, sent, present, (...found) => checkReference(...found, sent, earlier));
  if (problem !== undefined) throw new Malformed(`after.${problem.field} ${problem.message}`);
  // The key finds the item again if the response is lost; that of a licence is optional for the service.
  const key = KEYS[resource as Plannable];
  if (verb === 'create' && !isName(after[key])) throw new Malformed(`after.${key} must be given`);
  return step;
}

/**
 * Parses the steps of a plan or receipt.
 * @param further members that the steps may have besides their own
 * @param wrong makes the error for a line, counted from 0
 */
export function parseSteps(
  lines: readonly JsonObject[],
  further: readonly string[],
  wrong: (index: number, why: string) => Error,
): readonly Step[] {
  const steps: Step[] = [];
  const targets = new Map<string, number>();
  for (const [index, line] of lines.entries()) {
    try {
      const step = parsed(line, steps, further);
      const target = targetOf(step);
      const first = targets.get(target);
      if (first !== undefined) throw new Malformed(`it changes the same as step ${first}`);
      targets.set(target, step.step);
      steps.push(step);
    } catch (error) {
      throw error instanceof Malformed ? wrong(index, error.message) : error;
    }
  }
  return steps;
}
