/** Reads the step of a plan or receipt from JSON: a request that the contract allows, and nothing else. */
import type { Field, Fields as FieldTypes, Referent } from '../contract/vocabulary.js';
import { getPath, isObject, type JsonObject } from '../core/json.js';
import { endpointOf, isEqual, isRelation, isSeen } from './items.js';
import { fieldProblems } from './planner/check-fields.js';
import type { Fields, Step } from './steps.js';
import { KEYS, type Plannable } from './want-columns.js';

/** Thrown with the end of a sentence about the line. */
class Malformed extends Error {}

const STEP_MEMBERS = ['step', 'verb', 'resource', 'id', 'before', 'after'];
/** Bodies are flatter, so that no function needs to mind its stack. */
const MAX_DEPTH = 5;

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

function checkDepth(value: unknown, path: string, depth = 0): void {
  if (depth > MAX_DEPTH) throw new Malformed(`${path} is nested too deeply`);
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) checkDepth(inner, path, depth + 1);
}

function checkMembers(value: JsonObject, allowed: readonly string[], path: string): void {
  const other = Object.keys(value).find((name) => !allowed.includes(name));
  if (other !== undefined) throw new Malformed(`${path}${other} is unknown`);
}

/** Checks the types of a body. */
class BodyCheck {
  readonly #body: JsonObject;
  readonly #before: JsonObject;
  readonly #earlier: readonly Step[];

  constructor(body: JsonObject, before: JsonObject, earlier: readonly Step[]) {
    this.#body = body;
    this.#before = before;
    this.#earlier = earlier;
  }

  check(fields: FieldTypes): void {
    checkMembers(this.#body, Object.keys(fields), 'after.');
    for (const [name, field] of Object.entries(fields)) {
      // The service returned it, so that it takes it.
      if (Object.hasOwn(this.#before, name) && isEqual(this.#before[name], this.#body[name])) continue;
      this.#value(this.#body[name], field, `after.${name}`);
    }
  }

  #value(value: unknown, field: Field, path: string): void {
    const { required, requiredWhen: when } = field;
    if (value === null || value === undefined) {
      if (required || (when !== undefined && getPath(this.#body, when.field) === when.is))
        throw new Malformed(`${path} must be given`);
    } else if (isObject(value) && field.refersTo !== undefined) this.#reference(value, field.refersTo, path);
    else if (field.kind === 'list') this.#list(value, field, path);
    else if (field.kind === 'object') this.#object(value, field, path);
    else this.#scalar(value, field, path);
  }

  #scalar(value: unknown, { kind, refersTo }: Field, path: string): void {
    const type = kind === 'number' || kind === 'integer' ? 'number' : kind === 'boolean' ? 'boolean' : 'string';
    const isNumbered = kind === 'choice' && typeof value === 'number';
    if ((typeof value !== type && !isNumbered) || (refersTo !== undefined && !isName(value)))
      throw new Malformed(`${path} must be a ${type}, not ${excerpt(value)}`);
  }

  #list(value: unknown, { of }: Field, path: string): void {
    if (!Array.isArray(value)) throw new Malformed(`${path} must be a list, not ${excerpt(value)}`);
    if (of !== undefined)
      for (const [index, one] of value.entries()) this.#value(one, { ...of, required: true }, `${path}[${index}]`);
  }

  #object(value: unknown, { fields = {} }: Field, path: string): void {
    if (!isObject(value)) throw new Malformed(`${path} must be an object, not ${excerpt(value)}`);
    checkMembers(value, Object.keys(fields), `${path}.`);
    for (const [name, field] of Object.entries(fields)) this.#value(value[name], field, `${path}.${name}`);
  }

  /** A reference to an earlier step, or the name of a role of an organization that does not exist yet. */
  #reference(value: JsonObject, refersTo: Referent, path: string): void {
    const isNamedRole = refersTo === 'role' && isName(value.name);
    checkMembers(value, [isNamedRole ? 'name' : 'step'], `${path}.`);
    if (isNamedRole) return;
    const made = this.#earlier.find(({ step }) => step === value.step);
    const type = path === 'after.organization.id' ? getPath(this.#body, 'organization.type') : undefined;
    const fits = made !== undefined && (type === undefined || made.resource === `${String(type).toLowerCase()}s`);
    if (made?.verb !== 'create' || !fits || CREATED_BY[refersTo]?.includes(made.resource) !== true)
      throw new Malformed(`${path} must be an ID or an earlier step that creates it, not ${excerpt(value)}`);
  }
}

/** Checks that a step names the state of its item, without which a change in the meantime would be overwritten. */
function checkBefore({ resource }: Pick<Step, 'resource'>, before: JsonObject, after: Fields): void {
  const kind = resource as Plannable;
  const known = [...Object.keys(endpointOf({ verb: 'update', resource })?.body ?? {}), 'users', 'numberOfActivations'];
  checkMembers(before, known, 'before.');
  const needed = Object.entries(endpointOf({ verb: 'update', resource })?.body ?? {}).filter(
    ([name, { required }]) => isSeen(kind, name) && (required || Object.hasOwn(after, name)),
  );
  const missing = needed.find(([name]) => !Object.hasOwn(before, name))?.[0];
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
    checkDepth(json[side], side);
  }
  const step = json as unknown as Step;
  const [before, after] = [step.before ?? {}, step.after ?? {}] as readonly [Fields, Fields];
  const body = endpoint.body ?? {};
  if (isOfItem) checkBefore(step, before, after);
  if (verb === 'unassign') new BodyCheck(before, {}, earlier).check(body);
  else if (given.after) new BodyCheck(after, before, earlier).check(body);
  // The key finds the item again if the response is lost; that of a licence is optional for the service.
  const key = KEYS[resource as Plannable];
  if (verb === 'create' && !isName(after[key])) throw new Malformed(`after.${key} must be given`);
  const [problem] = fieldProblems(step);
  if (problem !== undefined) throw new Malformed(`after.${problem}`);
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
