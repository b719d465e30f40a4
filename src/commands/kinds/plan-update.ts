/** Plans an update: reads the item, because PUT replaces it (PRODUCT.md section 2), and compares it with a row. */
import type { Flag, Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { problemsError } from '../../cli/parser.js';
import type { Resource } from '../../contract/resource.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { isKind } from '../../core/errors.js';
import { getPath } from '../../core/json.js';
import { fetchForUpdate, inWords, languageOf } from './references.js';
import { comparable, filled, merged } from './request-body.js';
import { compareShown } from './shown-columns.js';
import type { Amend, Row, Write } from './spec.js';

interface Update {
  readonly resource: Resource;
  readonly endpoint: Endpoint;
  readonly flags: readonly Flag[];
  /** The endpoint has only one field, so that nothing is kept. */
  readonly isSingle: boolean;
  readonly amend: Amend | undefined;
}

interface Wanted {
  readonly id: string;
  readonly values: Values;
  /** Set in a bulk job. */
  readonly row: Row | undefined;
}

const fieldOf = ({ body = {} }: Endpoint, { target = '' }: Flag) => body[target.split('.')[1] ?? ''];

const shownFor = ({ readAs = '' }: Flag, present: unknown): unknown => getPath(present, readAs);

/** A category as the service shows it may be no ID, so the cell of a list decides nothing; the command line does. */
function withoutEchoes({ flags, endpoint }: Update, values: Values, present: unknown, line: Values): Values {
  const echoes = flags.filter(
    (flag) =>
      fieldOf(endpoint, flag)?.readBack === false && String(values[flag.name]) === String(shownFor(flag, present)),
  );
  return { ...values, ...Object.fromEntries(echoes.map(({ name }) => [name, line[name]])) };
}

/** The values of a row that are no change by themselves: what every request needs and no response has, or shows alike. */
function accompanying({ flags, endpoint }: Update, values: Values, present: unknown): Values {
  const isAlong = (flag: Flag): boolean => {
    const shown = shownFor(flag, present);
    const { required, readBack } = fieldOf(endpoint, flag) ?? {};
    return shown === undefined ? required === true : readBack === false && String(shown) === String(values[flag.name]);
  };
  const given = flags.filter(({ name, changesNothing }) => values[name] !== undefined && changesNothing !== true);
  const along = given.filter(isAlong);
  return along.length === given.length ? {} : Object.fromEntries(along.map(({ name }) => [name, values[name]]));
}

/**
 * The write of an update.
 * @throws EduError of reading the item; `usage` for required fields that neither the values nor the service give
 */
export async function planUpdate(update: Update, { id, values, row }: Wanted, context: Context): Promise<Write> {
  const { resource, endpoint, flags, isSingle, amend } = update;
  const what = `${resource.noun[0]} ${inWords(resource.refersTo, id, context)}`;
  const isRead = !isSingle || row !== undefined;
  const present = isRead ? await fetchForUpdate(resource, id, context) : undefined;
  const draft = async (some: Values) => {
    const { body, problems } = isRead
      ? merged(flags, endpoint.body ?? {}, some, present)
      : { body: filled('body', flags, some), problems: [] };
    const { body: others, write } = (await amend?.({ values: some, present, what }, context)) ?? {};
    return { body: { ...body, ...others }, problems, write };
  };
  const given = row === undefined ? values : withoutEchoes(update, values, present, row.line);
  const wanted = await draft(given);
  const input = { params: { id }, ...languageOf(endpoint, context), body: wanted.body };
  const facts = row === undefined ? {} : compareShown(resource.shape, row.shown, present);
  if (row !== undefined && wanted.write?.upload === undefined) {
    const before = await draft(accompanying(update, given, present)).catch((error: unknown) => {
      if (!isKind(error, 'usage')) throw error;
    });
    if (before !== undefined && comparable(before.body) === comparable(wanted.body))
      return { endpoint, input, what, ...facts, isUnchanged: true };
  }
  if (wanted.problems.length > 0) throw problemsError(wanted.problems, context.path);
  return { endpoint, input, what, ...wanted.write, ...facts };
}
