/** Derives the `update` command of a resource: reads the item, because PUT replaces it (PRODUCT.md section 2). */
import { type Command, type Flag, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { asOptional, flagsFor } from '../../cli/flags-from-fields.js';
import { problemsError } from '../../cli/parser.js';
import type { Resource } from '../../contract/resource.js';
import { isKind } from '../../core/errors.js';
import { getPath } from '../../core/json.js';
import { writeCommand } from './define.js';
import { endpointOf, languageOf, NO_ORGANIZATION, summaryOf, type WriteSpecial } from './of-resource.js';
import { argumentFor, asTyped, fetchForUpdate } from './references.js';
import { comparable, filled, merged } from './request-body.js';
import { compareShown } from './shown-columns.js';
import type { Row, Write } from './spec.js';

/** `--add-role` and `--remove-role` for each list of a body. */
const listFlags = (flags: readonly Flag[]): readonly Flag[] =>
  flags
    .filter(({ many }) => many)
    .flatMap((flag) =>
      ['add', 'remove'].map((verb): Flag => {
        const { value = 'ID', refersTo } = flag;
        const description = `${refersTo} ID to ${verb}`;
        return {
          name: `${verb}-${flag.name}`,
          value,
          kind: 'text',
          many: true,
          description,
          ...(refersTo && { refersTo }),
        };
      }),
    );

interface UpdateSpecial extends WriteSpecial {
  /** Accepts several items, which all get the same changes. */
  readonly several?: true;
}

/** Reads the item first to keep fields that are not given, unless the endpoint has only one field. */
export function updateOf(
  resource: Resource,
  { overrides, flags: more = [], amend, several, ...special }: UpdateSpecial,
): Command {
  const endpoint = endpointOf(resource, 'update');
  const { body: fields = {}, returns } = endpoint;
  const argument = argumentFor(resource, several === true);
  const isSingle = Object.keys(fields).length === 1;
  const own = flagsFor('body', fields, { ...(fields.organization === undefined ? {} : NO_ORGANIZATION), ...overrides });
  const flags = isSingle ? own : [...asOptional(own, resource.shape), ...listFlags(own), ...more];
  const fieldOf = ({ target = '' }: Flag) => fields[target.split('.')[1] ?? ''];
  const shownFor = ({ readAs = '' }: Flag, present: unknown) => getPath(present, readAs);

  /** A category as the service shows it may be no ID, so the cell of a list decides nothing; the command line does. */
  function withoutEchoes(values: Values, present: unknown, line: Values): Values {
    const echoes = flags.filter(
      (flag) => fieldOf(flag)?.readBack === false && String(values[flag.name]) === String(shownFor(flag, present)),
    );
    return { ...values, ...Object.fromEntries(echoes.map(({ name }) => [name, line[name]])) };
  }

  /** The values of a row that are no change by themselves: what every request needs and no response has, or shows alike. */
  function accompanying(values: Values, present: unknown): Values {
    const isAlong = (flag: Flag): boolean => {
      const shown = shownFor(flag, present);
      const { required, readBack } = fieldOf(flag) ?? {};
      return shown === undefined
        ? required === true
        : readBack === false && String(shown) === String(values[flag.name]);
    };
    const given = flags.filter(({ name, changesNothing }) => values[name] !== undefined && changesNothing !== true);
    const along = given.filter(isAlong);
    return along.length === given.length ? {} : Object.fromEntries(along.map(({ name }) => [name, values[name]]));
  }

  async function writeTo(id: string, values: Values, context: Context, row: Row | undefined): Promise<Write> {
    const what = `${resource.noun[0]} ${asTyped(resource.refersTo, id, context)}`;
    const isRead = !isSingle || row !== undefined;
    const present = isRead ? await fetchForUpdate(resource, id, context) : undefined;
    const draft = async (some: Values) => {
      const { body, problems } = isRead
        ? merged(flags, fields, some, present)
        : { body: filled('body', flags, some), problems: [] };
      const { body: others, write } = (await amend?.({ values: some, present, what }, context)) ?? {};
      return { body: { ...body, ...others }, problems, write };
    };
    const given = row === undefined ? values : withoutEchoes(values, present, row.line);
    const wanted = await draft(given);
    const input = { params: { id }, ...languageOf(endpoint, context), body: wanted.body };
    const facts = row === undefined ? {} : compareShown(resource.shape, row.shown, present);
    if (row !== undefined && wanted.write?.upload === undefined) {
      const before = await draft(accompanying(given, present)).catch((error: unknown) => {
        if (!isKind(error, 'usage')) throw error;
      });
      if (before !== undefined && comparable(before.body) === comparable(wanted.body))
        return { endpoint, input, what, ...facts, isUnchanged: true };
    }
    if (wanted.problems.length > 0) throw problemsError(wanted.problems, context.path);
    return { endpoint, input, what, ...wanted.write, ...facts };
  }

  return writeCommand({
    name: 'update',
    done: 'Updated',
    summary: isSingle
      ? summaryOf(endpoint)
      : `Change ${several ? resource.noun[1] : `a ${resource.noun[0]}`}. Other fields are kept.`,
    arguments: [argument],
    flags,
    ...(isSingle ? {} : { oneAtLeast: true }),
    ...special,
    shape: returns ?? resource.shape,
    listed: resource.shape,
    plan: async (values, context, row) => {
      const writes: Write[] = [];
      for (const id of textsOf(values, argument.name)) writes.push(await writeTo(id, values, context, row));
      return writes;
    },
  });
}
