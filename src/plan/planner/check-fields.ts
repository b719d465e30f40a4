/** Checks the values of a step against the fields of its endpoint, so that a plan has no step that the service rejects. */
import type { Field, Fields } from '../../contract/vocabulary.js';
import { isDay } from '../../core/day.js';
import { isObject } from '../../core/json.js';
import { endpointOf } from '../items.js';
import type { Step } from '../steps.js';

/** Without invisible characters, which come along when an address is copied. */
const ADDRESS = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u;

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const shown = (value: unknown): string => JSON.stringify(value);

function problemOf(name: string, field: Field, value: unknown): string | undefined {
  const { kind, choices = [], open, minimum, maxLength, required, format } = field;
  if (kind === 'choice' && open === undefined && !choices.some((one) => one === value))
    return `must be one of ${choices.join(', ')}, not ${shown(value)}`;
  if (typeof value === 'number' && minimum !== undefined && value < minimum)
    return `must be at least ${minimum}, not ${value}`;
  if (typeof value !== 'string') return undefined;
  if (kind === 'date' && !isDay(value)) return `must be a valid date (yyyy-MM-dd), not ${shown(value)}`;
  if (kind !== 'text') return undefined;
  if (required && value.trim() === '') return 'must not be blank';
  const length = [...value].length;
  if (maxLength !== undefined && length > maxLength)
    return `must have at most ${maxLength} characters, not ${length}: ${shown(value)}`;
  if (name === 'email' && !ADDRESS.test(value)) return `must be an e-mail address, not ${shown(value)}`;
  // Service-api-v1.md, "School": ISO 3166-1 alpha-2.
  if (format === 'ISO 3166-1 alpha-2' && !/^[A-Z]{2}$/.test(value))
    return `must be the two letters of ISO 3166-1, such as DE, not ${shown(value)}`;
  return undefined;
}

/** Problems of the values that differ from the present ones: the service returned those itself. */
function* problems(fields: Fields, after: unknown, before: unknown, path = ''): Generator<string> {
  if (!isObject(after)) return;
  for (const [name, value] of Object.entries(after)) {
    const field = fields[name];
    const present = isObject(before) ? before[name] : undefined;
    if (field === undefined || value === undefined || value === null || same(value, present)) continue;
    if (field.kind === 'object') yield* problems(field.fields ?? {}, value, present, `${path}${name}.`);
    const problem = problemOf(name, field, value);
    if (problem !== undefined) yield `${path}${name} ${problem}`;
  }
}

/** Messages about the values that a create or update would send. */
export function fieldProblems({ verb, resource, before, after }: Omit<Step, 'step' | 'id'>): readonly string[] {
  if (verb !== 'create' && verb !== 'update') return [];
  return [...problems(endpointOf({ verb, resource })?.body ?? {}, after, before)];
}
