/**
 * Converts the fields of an endpoint to flags: the API's field names in kebab-case. Resources define exceptions
 * as data.
 */
import type { Field, Fields } from '../contract/vocabulary.js';
import { type Flag, type FlagKind, flag } from './command.js';

/** Overrides of flags by the field's dotted path; `false` for a field without a flag. */
export type Overrides = Readonly<Record<string, Partial<Flag> | false>>;

/** `maximumActivations` → `maximum-activations`. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const KINDS: Partial<Record<Field['kind'], FlagKind>> = {
  text: 'text',
  number: 'whole',
  integer: 'whole',
  boolean: 'switch',
  choice: 'choice',
  date: 'date',
  file: 'file',
};

/** By the `format` of a text. */
const KINDS_OF_TEXT: Record<string, FlagKind> = { email: 'email', code: 'code', 'ISO 3166-1 alpha-2': 'country' };

const PLACEHOLDERS: Record<FlagKind, string | undefined> = {
  text: 'TEXT',
  whole: 'N',
  choice: 'NAME',
  date: 'DATE',
  period: 'TIME',
  percent: 'N%',
  email: 'EMAIL',
  code: 'CODE',
  country: 'CC',
  switch: undefined,
  pdf: 'FILE',
  image: 'FILE',
  file: 'FILE',
};

const NOTES: Partial<Record<FlagKind, string>> = { date: 'yyyy-MM-dd, today, +30d, +6m, +1y' };

function placeholder(field: Field, kind: FlagKind): string | undefined {
  if (field.refersTo === 'bookType') return 'TYPE';
  if (field.refersTo !== undefined) return 'ID';
  return PLACEHOLDERS[kind];
}

function defaultName(path: readonly string[]): string {
  const leaf = path[path.length - 1] ?? '';
  if (path[path.length - 2] === 'organization') return leaf === 'id' ? 'organization' : 'organization-type';
  return kebab(leaf);
}

function flagOf(field: Field, path: readonly string[], part: string, override: Partial<Flag>): Flag {
  const of = field.kind === 'list' ? (field.of ?? field) : field;
  const kind = override.kind ?? KINDS_OF_TEXT[of.format ?? ''] ?? KINDS[of.kind] ?? 'text';
  const value = override.value ?? placeholder(of, kind);
  const note = override.note ?? (field.default === undefined ? NOTES[kind] : `default ${field.default}`);
  const refersTo = override.refersTo ?? of.refersTo;
  return {
    name: defaultName(path),
    kind,
    description: of.refersTo === undefined ? field.description : field.description.replace(/ ID$/, ', by ID or name'),
    ...(value === undefined ? {} : { value }),
    ...(of.choices === undefined ? {} : { choices: of.choices }),
    ...(of.open ? { open: true } : {}),
    ...(field.kind === 'list' ? { many: true } : {}),
    ...(field.required ? { required: true } : {}),
    ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }),
    ...(field.minimum === undefined ? {} : { minimum: field.minimum }),
    ...(refersTo === undefined ? {} : { refersTo }),
    ...(note === undefined ? {} : { note }),
    target: [part, ...path].join('.'),
    readAs: field.readAs ?? path.join('.'),
    ...override,
  };
}

/** The flags for the fields of a query or body, including nested objects. */
export function flagsFor(part: 'query' | 'body', fields: Fields, overrides: Overrides = {}): readonly Flag[] {
  const flags: Flag[] = [];
  const addAll = (level: Fields, above: readonly string[]): void => {
    for (const [name, field] of Object.entries(level)) {
      const path = [...above, name];
      const override = overrides[path.join('.')];
      if (override === false) continue;
      if (field.kind === 'object') addAll(field.fields ?? {}, path);
      else flags.push(flagOf(field, path, part, override ?? {}));
    }
  };
  addAll(fields, []);
  return flags;
}

/**
 * Makes required flags optional, for updates, which keep missing values. Blank values are still rejected, and fields that
 * the service does not return stay required.
 * @param returned the shape that the current values are read from
 */
export const asOptional = (flags: readonly Flag[], returned: Field): readonly Flag[] =>
  flags.map(({ needed, offered, ...one }) =>
    one.required && returned.fields?.[one.readAs?.split('.')[0] ?? ''] !== undefined
      ? { ...one, required: false, notEmpty: !one.many }
      : one,
  );

/** `--add-role` and `--remove-role` for each list of a body. */
export const listFlags = (flags: readonly Flag[]): readonly Flag[] =>
  flags
    .filter(({ many }) => many)
    .flatMap(({ name, value = 'ID', refersTo }) =>
      ['add', 'remove'].map((verb) =>
        flag(`--${verb}-${name} ${value}`, `${refersTo} to ${verb}`, { many: true, ...(refersTo && { refersTo }) }),
      ),
    );
