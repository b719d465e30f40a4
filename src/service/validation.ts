/** Validates requests against the contract, and reports all problems together. Handlers check whether IDs exist. */
import type { Condition, Field, Fields, Kind } from '../contract/vocabulary.js';
import { getPath, isObject } from '../core/json.js';
import { isDay } from './dates.js';
import type { FieldProblem } from './error-answer.js';
import { isCountry } from './names/built-in-names.js';

/** The checked value; undefined if it was omitted or is invalid. */
type Checked = unknown;

interface Checking {
  /** True for query and multipart values, whose numbers and booleans are texts. */
  readonly fromText: boolean;
  /** The whole body, for fields that depend on other fields. */
  readonly root: unknown;
  readonly problems: FieldProblem[];
}

/** Returned for an invalid value; `checkField` turns it into a problem, because it knows the field's path. */
class Invalid {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

const invalid = (message: string): Invalid => new Invalid(message);

/** Shortened, so that an error does not repeat megabytes. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const holds = (condition: Condition | undefined, root: unknown): boolean =>
  condition !== undefined && getPath(root, condition.field) === condition.is;

function textValue(field: Field, value: unknown): Checked {
  if (typeof value !== 'string') return invalid(`must be text, not ${shown(value)}`);
  // The API document's limits count characters, so a surrogate pair counts once.
  if (field.maxLength !== undefined && value.length > field.maxLength && [...value].length > field.maxLength) {
    return invalid(`must have at most ${field.maxLength} characters, not ${[...value].length}`);
  }
  if (field.format === 'ISO 3166-1 alpha-2' && !isCountry(value)) {
    return invalid(`must be a country code of two capital letters (ISO 3166-1 alpha-2), not ${shown(value)}`);
  }
  return value;
}

function numberValue(field: Field, given: unknown, fromText: boolean): Checked {
  const value =
    fromText && typeof given === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(given) ? Number(given) : given;
  if (typeof value !== 'number' || !Number.isFinite(value)) return invalid(`must be a number, not ${shown(given)}`);
  if (field.kind === 'integer' && !Number.isSafeInteger(value))
    return invalid(`must be a whole number, not ${shown(given)}`);
  if (field.minimum !== undefined && value < field.minimum)
    return invalid(`must be at least ${field.minimum}, not ${value}`);
  return value;
}

/**
 * "The value true lets users download the PDF" (POST readers): in a form, any other text means false. JSON bodies may
 * contain the texts "true" and "false".
 */
function booleanValue(value: unknown, fromText: boolean): Checked {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false' || (fromText && typeof value === 'string')) return value === 'true';
  return invalid(`must be true or false, not ${shown(value)}`);
}

function choiceValue({ choices = [] }: Field, given: unknown, fromText: boolean): Checked {
  const found = choices.find((choice) => choice === given || (fromText && String(choice) === given));
  return found ?? invalid(`must be one of ${choices.join(', ')}, not ${shown(given)}`);
}

function dateValue(value: unknown): Checked {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) {
    return invalid(`must be a day written yyyy-MM-dd, not ${shown(value)}`);
  }
  return isDay(value) ? value : invalid(`must be a day of the calendar, which ${value} is not`);
}

type ValueOf = (field: Field, value: unknown, checking: Checking, path: string) => Checked;

/** Fields of other kinds are text. */
const VALUES: { readonly [K in Kind]?: ValueOf } = {
  number: (field, value, { fromText }) => numberValue(field, value, fromText),
  integer: (field, value, { fromText }) => numberValue(field, value, fromText),
  boolean: (_, value, { fromText }) => booleanValue(value, fromText),
  choice: (field, value, { fromText }) => choiceValue(field, value, fromText),
  date: (_, value) => dateValue(value),
  list({ of }, value, checking, path) {
    if (of === undefined) return value;
    if (!Array.isArray(value)) return invalid(`must be a list, not ${shown(value)}`);
    return value.map((item: unknown, at) => checkField({ ...of, required: true }, item, `${path}[${at}]`, checking));
  },
  object({ fields = {} }, value, checking, path) {
    return isObject(value)
      ? checkFields(fields, value, path, checking)
      : invalid(`must be an object, not ${shown(value)}`);
  },
  file: (_, value) => (isObject(value) ? value : invalid('must be a file')),
};

function checkField(field: Field, value: unknown, path: string, checking: Checking): Checked {
  if (isBlank(value)) {
    if (field.required || holds(field.requiredWhen, checking.root)) {
      checking.problems.push({ field: path, message: 'is required' });
    }
    return undefined;
  }
  // A list that another field makes required must not be empty. Only for roles the API document allows an empty array.
  if (
    field.requiredWhen !== undefined &&
    Array.isArray(value) &&
    value.length === 0 &&
    holds(field.requiredWhen, checking.root)
  ) {
    checking.problems.push({ field: path, message: 'must not be empty' });
    return undefined;
  }
  const checked = (VALUES[field.kind] ?? textValue)(field, value, checking, path);
  if (!(checked instanceof Invalid)) return checked;
  checking.problems.push({ field: path, message: checked.message });
  return undefined;
}

function checkFields(
  fields: Fields,
  values: Readonly<Record<string, unknown>>,
  path: string,
  checking: Checking,
): Record<string, unknown> {
  const checked: Record<string, unknown> = {};
  for (const name in fields) {
    const field = fields[name];
    if (field === undefined) continue;
    const given = Object.hasOwn(values, name) ? values[name] : undefined;
    const value = checkField(field, given, path === '' ? name : `${path}.${name}`, checking);
    if (value !== undefined) checked[name] = value;
  }
  return checked;
}

/** The checked values of the contract's fields, without blank ones. @param fromText for query and multipart values */
export function check(
  fields: Fields,
  values: Readonly<Record<string, unknown>>,
  problems: FieldProblem[],
  fromText: boolean,
): Record<string, unknown> {
  return checkFields(fields, values, '', { fromText, root: values, problems });
}
