/** Turns a write command into a row command: flags and arguments become columns. */
import { COUNT_COLUMN } from '../../../bulk/input/counted-rows.js';
import type { Column, Verb } from '../../../bulk/row-command.js';
import { BULK_NAMES } from '../../../cli/bulk-flags.js';
import {
  type Argument,
  type Command,
  type Flag,
  isOn,
  missingArguments,
  missingFlags,
  type Values,
} from '../../../cli/command.js';
import type { Context } from '../../../cli/context.js';
import { flagAbout } from '../../../cli/help.js';
import { organizationProblem } from '../../../cli/organization-flags.js';
import { readArgument, readElements, shown } from '../../../cli/read-value.js';
import { resources } from '../../../contract/index.js';
import type { Resource } from '../../../contract/resource.js';
import { object } from '../../../contract/vocabulary.js';
import { readBoolean } from '../../../core/boolean.js';
import { splitList } from '../../../core/list-text.js';
import { getOrSet } from '../../../core/maps.js';
import { fieldNames } from '../../../output/select/fields.js';
import { licenceCodeOf } from '../../resources/license-code.js';
import { attachment, isProblem } from '../attachment.js';
import { lossesOf } from '../confirm.js';
import { isChange } from '../request-body.js';
import { comparedColumn, hasShown, ignoredColumn } from '../shown-columns.js';
import type { WriteSpec } from '../spec.js';

type Texts = string | readonly string[];

/** Cells contain lists joined by commas, or by semicolons, as `-o csv` writes them. */
const parts = (texts: Texts): readonly string[] =>
  typeof texts === 'string' ? splitList(texts, ',;') : texts.map((text) => text.trim());

function readSwitch(cell: Texts): ReturnType<Column['read']> {
  const text = String(cell);
  const value = readBoolean(text);
  return value === undefined ? { wrong: `must be true or false, not ${shown(text)}` } : { value };
}

/** The check of a file named in a cell, if there is one. The file is read again when it is sent. */
function fileCheck({ name, kind, maxBytes }: Pick<Flag, 'name' | 'kind' | 'maxBytes'>) {
  if (kind !== 'pdf' && kind !== 'image' && kind !== 'file') return {};
  const check = (path: unknown): string | undefined => {
    const found = attachment(`--${name}`, String(path), kind === 'file' ? 'any' : kind, maxBytes);
    return isProblem(found) ? found.message : undefined;
  };
  return { form: 'file', check } as const;
}

function flagColumn(flag: Flag): Column {
  const path = (flag.target ?? '').split('.').slice(1);
  return {
    name: flag.name,
    spellings: [
      ...(flag.aliases ?? []),
      path.join('.'),
      path.at(-1) ?? '',
      // Lists, which may be used as input, have the names of responses, and nest the IDs of references.
      flag.readAs ?? '',
      ...(flag.refersTo === undefined ? [] : [`${flag.refersTo}Id`, `${flag.readAs ?? flag.refersTo}.id`]),
    ].filter((name) => name !== ''),
    description: flagAbout(flag, true),
    required: flag.required === true,
    many: flag.many === true,
    form: flag.kind === 'date' || flag.kind === 'whole' ? flag.kind : undefined,
    refersTo: flag.refersTo,
    unlisted: flag.hidden === true,
    read(cell) {
      if (flag.kind === 'switch') return readSwitch(cell);
      if (!flag.many && typeof cell !== 'string') return { wrong: 'is a list, but must be one value' };
      const read = readElements(flag, flag.many ? parts(cell) : [String(cell)]);
      return typeof read === 'string' ? { wrong: read } : read;
    },
    ...fileCheck(flag),
  };
}

const ID_NAMES: Readonly<Record<string, readonly string[]>> = {
  licence: ['license', 'licenses', 'licences', 'id', 'licenseId', 'licenceId'],
  user: ['users', 'userId', 'id'],
  class: ['classes', 'classId', 'id'],
};

function argumentColumn(argument: Argument, all: readonly Argument[]): Column {
  const spellings = ID_NAMES[argument.name] ?? [
    ...(argument.refersTo === undefined ? [] : [argument.refersTo, `${argument.refersTo}Id`]),
  ];
  const isOnly = all.length === 1;
  return {
    name: argument.name,
    spellings: spellings.filter((name) => name !== 'id' || isOnly),
    description: argument.description,
    required: argument.optional !== true && argument.instead === undefined,
    many: argument.many === true,
    refersTo: argument.refersTo,
    read(cell) {
      // A row that names one thing only has no list of them: an ID may contain a separator.
      const isOne = !argument.many || (isOnly && typeof cell === 'string');
      const given = isOne ? String(cell).trim() : parts(cell).filter((part) => part !== '');
      const read = readArgument(argument, given);
      return 'problem' in read ? { wrong: read.problem.message } : read;
    },
    ...(argument.names === 'file' ? fileCheck({ name: 'file', kind: 'file' }) : {}),
  };
}

/**
 * A second column for the item of a row, which lists have beside its ID: the code of a licence, unless the command has a
 * flag of that name, and the address of a user.
 */
function keyColumn(argument: Argument, flags: readonly Flag[]): readonly Column[] {
  const plain = argumentColumn(argument, []);
  if (argument.refersTo === 'user') return [{ ...plain, unlisted: true, spellings: ['email'] }];
  if (argument.refersTo !== 'licence' || flags.some(({ name }) => name === 'code')) return [];
  return [
    {
      ...plain,
      // The template lists only the argument's own column.
      unlisted: true,
      spellings: ['code', 'licenseCode', 'licenceCode'],
      read: (cell) => {
        const codes = parts(cell).filter((part) => part !== '');
        return plain.read(codes.map((code) => (code.startsWith('code:') ? code : `code:${code}`)).join(','));
      },
    },
  ];
}

/** The objects of a request, such as `expiration`: blank columns of rows in JSON that have null for one. */
function objectColumns(flags: readonly Flag[]): readonly Column[] {
  const parts = new Map<string, string[]>();
  for (const { name: flag, target = '' } of flags) {
    const [, name = '', inner] = target.split('.');
    if (inner !== undefined) getOrSet(parts, name, (): string[] => []).push(flag);
  }
  return [...parts].map(([name, some]) => ({
    name,
    description: '',
    unlisted: true,
    read: () => ({ wrong: `must be blank: its values have the columns ${some.join(' and ')}` }),
  }));
}

/** The columns of lists of the items that a command writes to, or that its arguments name. */
function shownColumns({ listed }: WriteSpec, path: string, args: readonly Argument[]): readonly Column[] {
  const group = path.split(' ')[0];
  const shapes = (resources as readonly Resource[]).filter(
    ({ name, refersTo }) =>
      name === group || args.some((one) => one.refersTo !== undefined && one.refersTo === refersTo),
  );
  const added = shapes.flatMap(({ addedFields: fields }) => (fields === undefined ? [] : [object(fields, '')]));
  const compared = listed === undefined ? [] : fieldNames(listed);
  const ignored = [...(listed === undefined ? shapes.map(({ shape }) => shape) : []), ...added].flatMap(fieldNames);
  return [...compared.map(comparedColumn), ...[...new Set(ignored)].map(ignoredColumn)];
}

/** @param line values from the command line, for every row */
export function verbOf(command: Command, spec: WriteSpec, line: Values, context: Context): Verb {
  const flags = [...(spec.flags ?? []).filter(({ name }) => !BULK_NAMES.has(name)), ...(spec.columns ?? [])];
  const args = spec.arguments ?? [];
  const creates = spec.creates === true;
  const columns = [
    ...args.map((argument) => argumentColumn(argument, args)),
    ...args.flatMap((argument) => keyColumn(argument, flags)),
    ...flags.map(flagColumn),
    ...(spec.countable ? [COUNT_COLUMN] : []),
    ...(creates ? objectColumns(flags) : shownColumns(spec, context.path, args)),
  ];
  const key = spec.rowKey ?? (spec.key === undefined ? args.map(({ name }) => name) : [spec.key]);
  const examines = (values: Values): boolean =>
    spec.listed !== undefined || spec.risky?.some((name) => values[name] !== undefined) === true;
  const { loss } = spec;
  // An update keeps what a row leaves blank; what the service does not return is missing only where a row is sent.
  const needed = spec.listed === undefined ? flags.filter(({ required, needed: needs }) => required || needs) : [];
  const asks = context.canAsk && !isOn(context.globals, 'yes');
  let planning: Context | undefined;
  return {
    path: context.path,
    columns,
    ...(creates ? {} : { unknownColumn: spec.listed === undefined ? ignoredColumn : comparedColumn }),
    alternatives: spec.alternatives ?? [],
    key,
    codeOf: spec.key === 'code' ? licenceCodeOf : undefined,
    destroys: spec.act !== undefined,
    creates,
    missing: (values) => [...missingArguments(spec, values), ...missingFlags({ flags: needed }, values)],
    check: (values) => {
      // Others find it while planning. Here all rows are checked before the first is sent.
      const message = creates ? organizationProblem(values, context) : undefined;
      return [...(command.check?.(values) ?? []), ...(message === undefined ? [] : [{ message }])];
    },
    ...(spec.listed === undefined ? {} : { wants: (values) => hasShown(values) || isChange(flags, values) }),
    ...(spec.listed === undefined && spec.risky === undefined ? {} : { examines }),
    ...(loss === undefined || !asks
      ? {}
      : { lossOf: async (values) => lossesOf(loss, await spec.plan(values, context), context) }),
    ...(spec.pin === undefined ? {} : { pin: async (values) => spec.pin?.(values, context) }),
    plan: (values) => {
      // Prompts happen before the job, not for a row. Copied once, because that costs more than most plans.
      planning ??= { ...context, canAsk: false };
      return spec.plan(values, planning, line);
    },
  };
}
