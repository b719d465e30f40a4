/** Checks whether the items of rows that were created before still exist. */

import { keyOf, lookUp, type Reader } from '../../client/create/find-by-key.js';
import type { Client } from '../../client/request/client.js';
import { classes } from '../../contract/classes.js';
import { licenses } from '../../contract/licenses.js';
import { readers } from '../../contract/readers.js';
import { resourceOf } from '../../contract/resource.js';
import { subscriptions } from '../../contract/subscriptions.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { EduError, isKind } from '../../core/errors.js';
import { getOrSet, loadOnce } from '../../core/maps.js';
import type { Outcome } from '../job/states.js';
import type { RowWrite } from '../row-command.js';
import type { FindEquals } from './equal-listed.js';

/** A row whose item this job or another one created. */
export interface KnownRow {
  readonly outcome: Outcome;
  /** The name or ID of the job that created it. */
  readonly job: string;
  /** Whether this job created it. */
  readonly isOwn: boolean;
  /** Other items of the row, which jobs created because the one before had been deleted. */
  readonly others?: readonly Pick<KnownRow, 'outcome' | 'job'>[];
}

/** `keyed`: not checked here, because the row is looked up by its natural key before it is sent. */
export type Presence = 'there' | 'gone' | 'keyed';

/**
 * Whether an item that a row created before still belongs to it: a derived key proves it, and the language is ignored
 * because it may come from settings that have changed.
 */
export const isSameRow = ({ hasOwnKey }: RowWrite, differences: readonly string[]): boolean =>
  hasOwnKey === true || differences.every((one) => one.startsWith('language '));

export const isClassCreate = ({ endpoint: { path, method } }: RowWrite): boolean =>
  path === classes.create.path && method === classes.create.method;

const isUnreadable = (error: unknown): boolean =>
  isKind(error, 'forbidden', 'not_found', 'refused', 'invalid_response');

/** Known rows up to this number are looked up one by one; for more, lists are read first. */
const FEW_ROWS = 50;

async function isShown(client: Client, { endpoint, input }: RowWrite, id: string): Promise<boolean> {
  const get = resourceOf(endpoint)?.endpoints.get;
  // End users and files cannot be read, so they count as existing.
  if (get === undefined) return true;
  const query = input.query?.language === undefined ? {} : { query: { language: input.query.language } };
  try {
    const found: unknown = await client.call(get, { params: { id }, ...query } as never, { retries: 0 });
    const { deactivationDate = null } = (found ?? {}) as { readonly deactivationDate?: unknown };
    return deactivationDate === null;
  } catch (error) {
    if (isKind(error, 'not_found')) return false;
    // An item that may no longer be read still exists.
    if (isUnreadable(error)) return true;
    throw error;
  }
}

/** Returns a function that reads a field of all items of a list, once per list; empty if it cannot be read. */
function listReader(snapshot: Reader) {
  const lists = new Map<string, Promise<ReadonlySet<string>>>();
  /** The same by identity of the input, which is cheaper and which many rows share. */
  const byInput = new WeakMap<object, Promise<ReadonlySet<string>>>();

  async function read(endpoint: Endpoint, input: object, field: string): Promise<ReadonlySet<string>> {
    const values = new Set<string>();
    try {
      for await (const page of snapshot.pages(endpoint as typeof licenses.list, input as never)) {
        for (const item of page as readonly Readonly<Record<string, unknown>>[]) values.add(String(item[field]));
      }
    } catch (error) {
      if (!(error instanceof EduError)) throw error;
    }
    return values;
  }

  return (endpoint: Endpoint, input: object, field: string): Promise<ReadonlySet<string>> => {
    const load = () => getOrSet(lists, JSON.stringify([endpoint.path, input]), () => read(endpoint, input, field));
    return getOrSet(byInput, input, load);
  };
}

const TEACHER = { query: { type: 'TEACHER' } };
const BOOKS = { query: { type: 'BOOKS' } };

const licenceList = ({ input }: RowWrite) => (input.body?.type === 'Teacher' ? TEACHER : BOOKS);

/** Number of unlisted codes that are looked up one by one: no list shows licences of a school. */
const SAMPLE = 20;
/** Up to this number of rows, codes given by users are looked up one by one, because other organizations may use them. */
const FEW_GIVEN_CODES = 10_000;

export interface CodeProbe {
  /** Whether a licence with the code of this write may exist that no job of this machine created. */
  readonly isTaken: (write: RowWrite) => Promise<boolean>;
  /** Number of codes given by users that were neither listed nor looked up. */
  readonly assumedFree: () => number;
}

/**
 * Finds out which codes are taken. For many rows, the list is read instead of looking up each code. Of the codes that
 * are not listed, a sample is looked up; if one of it is taken, every further code counts as possibly taken.
 * @param rows number of planned rows
 */
export function codeProbe(client: Client, snapshot: Reader, rows: number): CodeProbe {
  const listed = listReader(snapshot);
  let sampled = 0;
  let isOneTaken = false;
  let assumed = 0;
  async function isTaken(write: RowWrite): Promise<boolean> {
    if (rows <= (write.hasOwnKey === true ? FEW_ROWS : FEW_GIVEN_CODES)) return true;
    if (write.endpoint.path !== licenses.create.path) return true;
    const code = String(write.input.body?.code);
    if ((await listed(licenses.list, licenceList(write), 'code')).has(code)) return true;
    if (isOneTaken) return true;
    if (sampled++ < SAMPLE) {
      isOneTaken ||= (await lookUp(client, write.endpoint, write.input)).is !== 'absent';
      return isOneTaken;
    }
    if (write.hasOwnKey !== true) assumed++;
    return false;
  }
  return { isTaken, assumedFree: () => assumed };
}

/** The IDs of a school's active classes; undefined if its list is unreadable. */
async function activeClasses(snapshot: Reader, id: string): Promise<ReadonlySet<string> | undefined> {
  const active = new Set<string>();
  try {
    for await (const page of snapshot.pages(classes.list, { params: { id } }, { retries: 0 }))
      for (const { classId, deactivationDate = null } of page) if (deactivationDate === null) active.add(classId);
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
  return active;
}

/**
 * Returns a function that checks whether the item of a known row, or another one of its items, still exists.
 * @param known number of known rows
 * @param snapshot reads each list once
 */
export function presence(client: Client, snapshot: Reader, known: number) {
  const listed = listReader(snapshot);
  const schools = new Map<string, ReturnType<typeof activeClasses>>();

  async function isListed(write: RowWrite, { id, code }: Outcome): Promise<boolean> {
    const { endpoint, input } = write;
    if (endpoint.path === licenses.create.path && code !== undefined) {
      return (await listed(licenses.list, licenceList(write), 'code')).has(code);
    }
    if (id === undefined) return false;
    if (endpoint.path === subscriptions.create.path) return (await listed(subscriptions.list, {}, 'id')).has(id);
    if (!endpoint.path.startsWith(readers.create.path)) return false;
    const language = input.query?.language ?? 'EN';
    return (await listed(readers.list, { query: { language } }, 'id')).has(id);
  }

  async function stateOf(write: RowWrite, outcome: Outcome): Promise<Presence> {
    // An undo cancelled it, so it still exists, although lists may not show it.
    if (outcome.undone === 'cancelled') return 'there';
    if (known > FEW_ROWS && (write.hasOwnKey || keyOf(write.endpoint, write.input) === undefined)) {
      if (await isListed(write, outcome)) return 'there';
    }
    if (keyOf(write.endpoint, write.input) !== undefined) return 'keyed';
    if (outcome.id === undefined) return 'there';
    if (isClassCreate(write)) {
      // A class that is read by its ID does not show whether it was deleted.
      const school = String(write.input.body?.schoolId);
      const active = await loadOnce(schools, school, () => activeClasses(snapshot, school));
      if (active !== undefined) return active.has(outcome.id) ? 'there' : 'gone';
    }
    return (await isShown(client, write, outcome.id)) ? 'there' : 'gone';
  }

  return async (write: RowWrite, known: KnownRow): Promise<Pick<KnownRow, 'outcome' | 'job'> & { is: Presence }> => {
    for (const { outcome, job } of [known, ...(known.others ?? [])]) {
      const is = await stateOf(write, outcome);
      if (is !== 'gone') return { is, outcome, job };
    }
    return { is: 'gone', outcome: known.outcome, job: known.job };
  };
}

/** The ID of an active class equal to the one that a row is about to create; undefined if none is listed. */
export async function equalClass(findEquals: FindEquals, write: RowWrite): Promise<string | undefined> {
  if (!isClassCreate(write)) return undefined;
  try {
    const equals = await findEquals(write);
    const active = equals?.items.find((item) => (item.deactivationDate ?? null) === null);
    return active && equals?.showing.idOf(active);
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}
