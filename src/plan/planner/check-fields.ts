/** Checks the body of a step by the rules of the bundled service, so that a plan has no step that the service rejects. */
import type { Field, Fields, Referent } from '../../contract/vocabulary.js';
import { getPath, isObject, type JsonObject } from '../../core/json.js';
import type { FieldProblem } from '../../service/error-answer.js';
import { check } from '../../service/validation.js';
import { ENDPOINTS, endpointOf, isEqual } from '../items.js';
import type { Step } from '../steps.js';
import type { Plannable } from '../want-columns.js';

type OnReference = (reference: JsonObject, refersTo: Referent, path: string) => void;

/** A value with an ID in place of each reference to an item that does not exist yet. */
function withIds(value: unknown, field: Field | undefined, path: string, onReference: OnReference): unknown {
  const { refersTo, of, fields } = field ?? {};
  if (Array.isArray(value)) return value.map((one, index) => withIds(one, of, `${path}[${index}]`, onReference));
  if (!isObject(value) || field === undefined) return value;
  if (refersTo !== undefined) {
    onReference(value, refersTo, path);
    return 'ID';
  }
  const below = path === '' ? '' : `${path}.`;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, withIds(one, fields?.[name], `${below}${name}`, onReference)]),
  );
}

/**
 * The problems of a body, without those of values that the service returned itself.
 * @param onReference called with each object in place of an ID
 */
export function bodyProblems(
  fields: Fields,
  body: JsonObject,
  before: unknown,
  onReference: OnReference = () => {},
): readonly FieldProblem[] {
  const problems: FieldProblem[] = [];
  const whole = withIds(body, { kind: 'object', description: '', fields }, '', onReference) as JsonObject;
  check(fields, whole, { problems, warnings: [], isStrict: true }, false);
  return problems.filter(({ field }) => {
    // Whether a member may be missing depends on others.
    const [path = ''] = field.split(getPath(body, field) === undefined ? '.' : '[');
    const present = getPath(before, path);
    return present === undefined || !isEqual(present, getPath(body, path));
  });
}

const isReference = ({ kind, refersTo, fields }: Field): boolean =>
  kind === 'list' || refersTo !== undefined || fields?.id !== undefined;

/** Messages about the values of a row that no request may have. References and missing fields are reported elsewhere. */
export function valueProblems(resource: Plannable, wanted: JsonObject, present?: unknown): readonly string[] {
  const { create, update } = ENDPOINTS[resource];
  const all: Fields = { ...create.body, ...update.body };
  const fields: Record<string, Field> = {};
  for (const [name, value] of Object.entries(wanted)) {
    const field = Object.hasOwn(all, name) ? all[name] : undefined;
    const isGiven = value !== undefined && value !== getPath(present, name);
    if (field !== undefined && isGiven && !isReference(field)) fields[name] = field;
  }
  if (Object.keys(fields).length === 0) return [];
  const values = Object.fromEntries(Object.keys(fields).map((name) => [name, wanted[name]]));
  return bodyProblems(fields, values, present).map(({ field, message }) => `${field} ${message}`);
}

/** Why the service would refuse the earlier values of an update, such as a blank city; undefined if it would not. */
export function whyNotBack({ verb, resource, before, after }: Omit<Step, 'step' | 'id'>): string | undefined {
  const fields = verb === 'update' ? endpointOf({ verb, resource })?.body : undefined;
  const [problem] = fields === undefined || before === null ? [] : bodyProblems(fields, before, after);
  return problem && `the service would refuse its earlier value: ${problem.field} ${problem.message}`;
}
