/** Validates requests against the contract, and reports all problems together. Handlers check whether IDs exist. */
import { textProblem } from '../contract/shared.js';
import type { Condition, Field, Fields, Kind } from '../contract/vocabulary.js';
import { getPath, isObject } from '../core/json.js';
import { didYouMean } from '../core/suggest.js';
import { isDay } from './dates.js';
import type { FieldProblem } from './error-answer.js';
import { isCountry, valueAt } from './names/vocabulary.js';

/** What is wrong with a request. */
export interface Findings {
  readonly problems: FieldProblem[];
  /** Input that the contract does not have. */
  readonly warnings: string[];
  /** Such input is a problem as well. */
  readonly isStrict: boolean;
}

interface Checking extends Findings {
  /** True for query and multipart values, whose numbers and booleans are texts. */
  readonly fromText: boolean;
  /** The whole body, for fields that depend on other fields. */
  readonly root: unknown;
}

/** Adds a problem with the field. */
type Refuse = (message: string) => undefined;

/** Returns the checked value; undefined if it is invalid. */
type ValueOf = (field: Field, value: unknown, refuse: Refuse, checking: Checking, path: string) => unknown;

/** Names in notes are cut, so that they do not repeat megabytes. */
const MAX_NAME = 60;

/** Shortened, so that an error does not repeat megabytes. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

function note({ isStrict, problems, warnings }: Findings, field: string, message: string): void {
  warnings.push(`${field} ${message}`);
  if (isStrict) problems.push({ field, message });
}

const holds = (condition: Condition | undefined, root: unknown): boolean =>
  condition !== undefined && getPath(root, condition.field) === condition.is;

const textValue: ValueOf = ({ maxLength, format }, value, refuse) => {
  if (typeof value !== 'string') return refuse(`must be text, not ${shown(value)}`);
  // The API document's limits count characters, so a surrogate pair counts once.
  if (maxLength !== undefined && value.length > maxLength && [...value].length > maxLength) {
    return refuse(`must have at most ${maxLength} characters, not ${[...value].length}`);
  }
  const problem = textProblem(format, value);
  if (problem !== undefined) return refuse(`${problem}, not ${shown(value)}`);
  return format !== 'ISO 3166-1 alpha-2' || isCountry(value) ? value : refuse(`is not a country: ${shown(value)}`);
};

const numberValue: ValueOf = ({ kind, minimum, maximum }, given, refuse, { fromText }) => {
  const isNumeral = fromText && typeof given === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(given);
  const value = isNumeral ? Number(given) : given;
  if (typeof value !== 'number' || !Number.isFinite(value)) return refuse(`must be a number, not ${shown(given)}`);
  if (kind === 'integer' && !Number.isSafeInteger(value)) return refuse(`must be a whole number, not ${shown(given)}`);
  if (minimum !== undefined && value < minimum) return refuse(`must be at least ${minimum}, not ${value}`);
  if (maximum !== undefined && value > maximum) return refuse(`must be at most ${maximum}, not ${value}`);
  return value;
};

/** "The value true lets users download the PDF" (POST readers): in a form, any other text means false. */
const booleanValue: ValueOf = (_, value, refuse, { fromText }) => {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false' || (fromText && typeof value === 'string')) return value === 'true';
  return refuse(`must be true or false, not ${shown(value)}`);
};

const choiceValue: ValueOf = ({ choices = [] }, given, refuse, { fromText }) =>
  choices.find((choice) => choice === given || (fromText && String(choice) === given)) ??
  refuse(`must be one of ${choices.join(', ')}, not ${shown(given)}`);

const dateValue: ValueOf = (_, value, refuse) => {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) {
    return refuse(`must be a day written yyyy-MM-dd, not ${shown(value)}`);
  }
  return isDay(value) ? value : refuse(`must be a day of the calendar, which ${value} is not`);
};

/** Fields of other kinds are text. */
const VALUES: { readonly [K in Kind]?: ValueOf } = {
  number: numberValue,
  integer: numberValue,
  boolean: booleanValue,
  choice: choiceValue,
  date: dateValue,
  list({ of }, value, refuse, checking, path) {
    if (of === undefined) return value;
    if (!Array.isArray(value)) return refuse(`must be a list, not ${shown(value)}`);
    return value.map((item: unknown, at) => checkField({ ...of, required: true }, item, `${path}[${at}]`, checking));
  },
  object: ({ fields = {} }, value, refuse, checking, path) =>
    isObject(value) ? checkFields(fields, value, path, checking) : refuse(`must be an object, not ${shown(value)}`),
  any: (_, value) => value,
  file: (_, value, refuse) => (isObject(value) ? value : refuse('must be a file')),
};

function checkField(field: Field, value: unknown, path: string, checking: Checking): unknown {
  const refuse = (message: string): undefined => void checking.problems.push({ field: path, message });
  if (isBlank(value)) {
    if (field.required || holds(field.requiredWhen, checking.root)) return refuse('is required');
    if (typeof value === 'string' && !['text', 'any'].includes(field.kind)) {
      note(checking, path, `is ${JSON.stringify(value)}: leave it out, or send null`);
    }
    return undefined;
  }
  // A list that another field makes required must not be empty. Only for roles the API document allows an empty array.
  if (Array.isArray(value) && value.length === 0 && holds(field.requiredWhen, checking.root)) {
    return refuse('must not be empty');
  }
  return (VALUES[field.kind] ?? textValue)(field, value, refuse, checking, path);
}

function checkFields(
  fields: Fields,
  values: Readonly<Record<string, unknown>>,
  path: string,
  checking: Checking,
): Record<string, unknown> {
  const checked: Record<string, unknown> = {};
  const pathOf = (name: string): string => (path === '' ? name : `${path}.${name}`);
  for (const name of Object.keys(values)) {
    if (Object.hasOwn(fields, name)) continue;
    const hint = didYouMean(name, Object.keys(fields));
    note(checking, pathOf(name.slice(0, MAX_NAME)), `is unknown${hint === undefined ? '' : `. ${hint}`}`);
  }
  for (const [name, field] of Object.entries(fields)) {
    const value = checkField(field, valueAt(values, name), pathOf(name), checking);
    if (value !== undefined) checked[name] = value;
  }
  return checked;
}

/** The checked values of the contract's fields, without blank ones. @param fromText for query and multipart values */
export function check(
  fields: Fields,
  values: Readonly<Record<string, unknown>>,
  findings: Findings,
  fromText: boolean,
): Record<string, unknown> {
  return checkFields(fields, values, '', { ...findings, fromText, root: values });
}
