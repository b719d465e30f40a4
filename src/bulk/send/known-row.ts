/** Checks whether the items of rows that were created before still exist. */

import type { Difference } from '../../client/create/compare.js';
import { keyOf, type Reader } from '../../client/create/find-by-key.js';
import { isActive } from '../../client/create/find-equal.js';
import type { CallOptions, Client } from '../../client/request/client.js';
import { classes } from '../../contract/classes.js';
import { licenses } from '../../contract/licenses.js';
import { isOfOrganization } from '../../contract/list-inputs.js';
import { resourceOf } from '../../contract/resource.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { EduError, ignoreEduError, ignoringUnreadable, isKind } from '../../core/errors.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { loadOnce, once } from '../../core/maps.js';
import type { EarlierRow } from '../job/earlier.js';
import type { Outcome } from '../job/states.js';
import type { Call, RowWrite } from '../row-command.js';
import { equalsFinder, snapshotOf } from './listed-before.js';

/** A row whose item this job or another one created. */
export interface KnownRow extends EarlierRow {
  /** True if this job created it. */
  readonly isOwn: boolean;
}

/** `keyed`: not checked here, because the row is looked up by its natural key before it is sent. */
type Presence = 'there' | 'gone' | 'keyed';

/**
 * True if an item that a row created before still belongs to it: a derived key proves it, and the language is ignored
 * because it may come from settings that have changed.
 */
export const isSameRow = ({ hasOwnKey }: RowWrite, differences: readonly Difference[]): boolean =>
  hasOwnKey === true || differences.every(({ field }) => field === 'language');

export const isClassCreate = ({ endpoint }: RowWrite): boolean => endpoint === classes.create;

/** Items of rows up to this number are looked up one by one; for more, lists are read first. */
export const FEW_ROWS = 50;

/** An item, or why there is none: end users, files and what the caller may not read are `hidden`. */
export type Seen = JsonObject | 'gone' | 'hidden';

/** What a request for an item shows. */
export async function seenIn(request: Promise<unknown>): Promise<Seen> {
  try {
    const item = await request;
    return isObject(item) ? item : 'hidden';
  } catch (error) {
    if (isKind(error, 'not_found')) return 'gone';
    ignoringUnreadable(error);
    return 'hidden';
  }
}

/** Reads the item of a create by its ID. */
export async function readItem(client: Client, { endpoint, input }: RowWrite, id: string): Promise<Seen> {
  const get = resourceOf(endpoint)?.endpoints.get;
  if (get === undefined) return 'hidden';
  const query = input.query?.language === undefined ? {} : { query: { language: input.query.language } };
  return seenIn(client.call(get, { params: { id }, ...query }, { retries: 0 }));
}

/**
 * Returns a function that reads a field of all active items of a list, once per list.
 * @param onError handles errors; the field is then undefined
 */
function listReader(snapshot: Reader, onError: (error: unknown) => undefined, options?: CallOptions) {
  const lists = new Map<string, Promise<ReadonlySet<string> | undefined>>();

  async function read(list: Endpoint, input: Call['input'], field: string): Promise<ReadonlySet<string>> {
    const values = new Set<string>();
    for await (const page of snapshot.pages(list, input, options))
      for (const item of page) if (isObject(item) && isActive(item)) values.add(String(item[field]));
    return values;
  }

  /** @param part which part of the list the input selects: cheaper to compare than the input */
  return (list: Endpoint, part: string, inputOf: () => Call['input'], field: string) =>
    loadOnce(lists, `${list.path} ${part}`, () => read(list, inputOf(), field).catch(onError));
}

/** Returns a function that reads a field of the list of a create's items; undefined if it cannot be read. */
function listedValues(snapshot: Reader) {
  const read = listReader(snapshot, ignoreEduError);
  return ({ endpoint, input }: RowWrite, field: string) => {
    const list = resourceOf(endpoint)?.endpoints.list;
    if (list === undefined || isOfOrganization(list)) return undefined;
    const type = list.query?.type && (input.body?.type === 'Teacher' ? 'TEACHER' : 'BOOKS');
    const language = list.query?.language && (input.query?.language ?? 'EN');
    const part = `${type} ${language}`;
    return read(list, part, () => ({ query: { type, language } }), field);
  };
}

/**
 * Returns a function that tells whether a licence with the code of a create may exist that no job of this machine created.
 * For many rows, codes that `edu` derived, which nobody else can have, are compared with the caller's licences only.
 * @param rows number of planned rows
 */
export function codeProbe(snapshot: Reader, rows: number): (write: RowWrite) => Promise<boolean> {
  const listed = listedValues(snapshot);
  return async (write) => {
    if (rows <= FEW_ROWS || write.hasOwnKey !== true || write.endpoint !== licenses.create) return true;
    const codes = await listed(write, 'code');
    return codes === undefined || codes.has(String(write.input.body?.code));
  };
}

/** @param known number of known rows @param snapshot reads each list once */
function presenceIn(client: Client, snapshot: Reader, known: number) {
  const listed = listedValues(snapshot);
  const read = listReader(snapshot, ignoringUnreadable, { retries: 0 });

  async function stateOf(write: RowWrite, { id, code, undone }: Outcome): Promise<Presence> {
    const { endpoint, input, hasOwnKey } = write;
    // An undo cancelled it, so it still exists, although lists may not show it.
    if (undone === 'cancelled') return 'there';
    const isKeyed = keyOf(endpoint, input) !== undefined;
    if (known > FEW_ROWS && (hasOwnKey || !isKeyed)) {
      const field = endpoint === licenses.create ? 'code' : 'id';
      const value = field === 'code' ? code : id;
      if (value !== undefined && (await listed(write, field))?.has(value)) return 'there';
    }
    if (isKeyed) return undone === undefined ? 'keyed' : 'gone';
    if (id === undefined) return 'there';
    if (isClassCreate(write)) {
      // A class that is read by its ID does not show whether it was deleted.
      const school = String(input.body?.schoolId);
      const active = await read(classes.list, school, () => ({ params: { id: school } }), 'classId');
      if (active !== undefined) return active.has(id) ? 'there' : 'gone';
    }
    // What is hidden still exists.
    const item = await readItem(client, write, id);
    return item === 'gone' || !isActive(item) ? 'gone' : 'there';
  }

  return async (write: RowWrite, known: KnownRow): Promise<EarlierRow & { readonly is: Presence }> => {
    for (const { outcome, job } of [known, ...(known.others ?? [])]) {
      const is = await stateOf(write, outcome);
      if (is !== 'gone') return { is, outcome, job };
    }
    return { is: 'gone', outcome: known.outcome, job: known.job };
  };
}

/**
 * Returns a function that checks whether the item of a known row, or another one of its items, still exists. Looks again
 * for one that is not shown, although no undo deleted it, after `settle` (not in a dry run): it may have just been created.
 */
export function presence(client: Client, snapshot: Reader, known: number, settle?: () => Promise<boolean>) {
  const now = presenceIn(client, snapshot, known);
  const later = once(() => presenceIn(client, snapshotOf(client), known));
  return async (write: RowWrite, row: KnownRow) => {
    const found = await now(write, row);
    if (found.is !== 'gone' || row.outcome.undone !== undefined || settle === undefined) return found;
    if (!(await settle())) throw new EduError('interrupted', 'The job was stopped.');
    return later()(write, row);
  };
}

/** A class that a row has just created. */
export interface CreatedClass {
  readonly row: number;
  readonly write: RowWrite;
  readonly id: string;
}

/**
 * Finds classes equal to created ones, which another program created at the same time. Lists that cannot be read are
 * left out.
 * @param client reads the lists anew
 */
export async function findTwins(client: Client, created: readonly CreatedClass[]) {
  const find = equalsFinder(snapshotOf(client));
  const found: (CreatedClass & { readonly twins: readonly string[] })[] = [];
  for (const one of created) {
    const equals = await find(one.write).catch(ignoringUnreadable);
    const ids = equals?.items.filter(isActive).map(equals.showing.idOf) ?? [];
    const twins = ids.filter((id) => id !== one.id);
    if (twins.length > 0) found.push({ ...one, twins });
  }
  return found;
}
