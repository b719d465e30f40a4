/**
 * Validates requests against the contract, and reports all problems together. Handlers check later whether IDs exist.
 */
import type { Condition, Field, Fields } from '../contract/vocabulary.js';
import { isDay } from './dates.js';
import type { FieldProblem } from './error-answer.js';
import { isCountry } from './names/names.js';

/** What one field's value came to: a checked value, or nothing when it was left out or is wrong. */
type Checked = unknown;

interface Checking {
  /** Query and multipart values: numbers and booleans are written as text. */
  readonly fromText: boolean;
  /** The whole body, for fields that depend on others. */
  readonly root: unknown;
  readonly problems: FieldProblem[];
}

/** Thrown away while checking; turned into a problem where the field's path is known. */
class Wrong {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

const wrong = (message: string): Wrong => new Wrong(message);

/** Cut, so that an error does not repeat megabytes. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Blank: left out, null, or without any character that can be seen. */
const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function at(root: unknown, path: string): unknown {
  let value = root;
  for (const name of path.split('.')) value = isPlainObject(value) ? value[name] : undefined;
  return value;
}

const holds = (condition: Condition | undefined, root: unknown): boolean =>
  condition !== undefined && at(root, condition.field) === condition.is;

function textValue(field: Field, value: unknown): Checked {
  if (typeof value !== 'string') return wrong(`must be text, not ${shown(value)}`);
  // "Limits" counts characters: code points, so that one outside the basic plane counts once.
  if (field.maxLength !== undefined && value.length > field.maxLength && [...value].length > field.maxLength) {
    return wrong(`must have at most ${field.maxLength} characters, not ${[...value].length}`);
  }
  if (field.format === 'ISO 3166-1 alpha-2' && !isCountry(value)) {
    return wrong(`must be a country code of two capital letters (ISO 3166-1 alpha-2), not ${shown(value)}`);
  }
  return value;
}

function numberValue(field: Field, given: unknown, fromText: boolean): Checked {
  const value =
    fromText && typeof given === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(given) ? Number(given) : given;
  if (typeof value !== 'number' || !Number.isFinite(value)) return wrong(`must be a number, not ${shown(given)}`);
  if (field.kind === 'integer' && !Number.isSafeInteger(value))
    return wrong(`must be a whole number, not ${shown(given)}`);
  if (field.minimum !== undefined && value < field.minimum)
    return wrong(`must be at least ${field.minimum}, not ${value}`);
  return value;
}

/**
 * "The value true lets users download the PDF" (POST readers): in a form, any other text does not. In JSON the two words
 * are taken for what they say.
 */
function booleanValue(value: unknown, fromText: boolean): Checked {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'false' || (fromText && typeof value === 'string')) return value === 'true';
  return wrong(`must be true or false, not ${shown(value)}`);
}

function choiceValue({ choices = [] }: Field, given: unknown, fromText: boolean): Checked {
  const found = choices.find((choice) => choice === given || (fromText && String(choice) === given));
  return found ?? wrong(`must be one of ${choices.join(', ')}, not ${shown(given)}`);
}

function dateValue(value: unknown): Checked {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) {
    return wrong(`must be a day written yyyy-MM-dd, not ${shown(value)}`);
  }
  return isDay(value) ? value : wrong(`must be a day of the calendar, which ${value} is not`);
}

function listValue(of: Field, value: unknown, path: string, checking: Checking): Checked {
  if (!Array.isArray(value)) return wrong(`must be a list, not ${shown(value)}`);
  return value.map((item: unknown, index) =>
    checkField({ ...of, required: true }, item, `${path}[${index}]`, checking),
  );
}

function kindValue(field: Field, value: unknown, path: string, checking: Checking): Checked {
  switch (field.kind) {
    case 'number':
    case 'integer':
      return numberValue(field, value, checking.fromText);
    case 'boolean':
      return booleanValue(value, checking.fromText);
    case 'choice':
      return choiceValue(field, value, checking.fromText);
    case 'date':
      return dateValue(value);
    case 'list':
      return field.of === undefined ? value : listValue(field.of, value, path, checking);
    case 'object':
      if (!isPlainObject(value)) return wrong(`must be an object, not ${shown(value)}`);
      return checkFields(field.fields ?? {}, value, path, checking);
    case 'file':
      return isPlainObject(value) ? value : wrong('must be a file');
    default:
      return textValue(field, value);
  }
}

function checkField(field: Field, value: unknown, path: string, checking: Checking): Checked {
  if (isBlank(value)) {
    if (field.required || holds(field.requiredWhen, checking.root)) {
      checking.problems.push({ field: path, message: 'is required' });
    }
    return undefined;
  }
  // A list that must be there because of another field must also hold something; "may be an empty array" is said of roles only.
  if (
    field.requiredWhen !== undefined &&
    Array.isArray(value) &&
    value.length === 0 &&
    holds(field.requiredWhen, checking.root)
  ) {
    checking.problems.push({ field: path, message: 'must not be empty' });
    return undefined;
  }
  const checked = kindValue(field, value, path, checking);
  if (!(checked instanceof Wrong)) return checked;
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

/**
 * The checked values of the fields that the contract knows; others are ignored. Blank optional ones are left out.
 * @param problems what is wrong is added here
 * @param fromText true where numbers arrive as text (query, multipart)
 */
export function check(
  fields: Fields,
  values: Readonly<Record<string, unknown>>,
  problems: FieldProblem[],
  fromText: boolean,
): Record<string, unknown> {
  return checkFields(fields, values, '', { fromText, root: values, problems });
}
