/** Finds listed items that equal the items that rows are about to create. Each list is read once. */
import type { Reader } from '../../client/create/find-by-key.js';
import { canShow, namesOf, type Showing, showingOf } from '../../client/create/find-equal.js';
import type { CallOptions } from '../../client/request/client.js';
import { EduError, isKind } from '../../core/errors.js';
import { isObject, type JsonObject } from '../../core/json.js';
import { getOrSet, loadOnce } from '../../core/maps.js';
import type { InputRow } from '../input/rows.js';
import type { RowWrite } from '../row-command.js';

export interface Equals {
  readonly showing: Showing;
  readonly items: readonly JsonObject[];
}

/** The items of a list, by likeness. */
type Index = ReadonlyMap<string, readonly JsonObject[]>;

async function indexOf({ pages, likenessOf }: Showing): Promise<Index> {
  const index = new Map<string, JsonObject[]>();
  for await (const page of pages())
    for (const item of page) if (isObject(item)) getOrSet(index, likenessOf(item), () => []).push(item);
  return index;
}

export type FindEquals = (write: RowWrite) => Promise<Equals | undefined>;

/**
 * Finds listed items equal to that of a create without a key. Each list is read when the first row needs it.
 * @returns a function from a create to equal items; undefined if no list shows its items. It throws EduError if the list
 *   cannot be read
 */
export function equalsFinder(snapshot: Reader, options: CallOptions = {}): FindEquals {
  const indexes = new Map<string, Promise<Index>>();
  return async ({ endpoint, input }) => {
    if (!canShow(endpoint)) return undefined;
    const showing = await showingOf(snapshot, endpoint, input, options);
    if (showing === undefined) return undefined;
    const index = await loadOnce(indexes, showing.list, () => indexOf(showing));
    const alike = index.get(showing.likeness) ?? [];
    return { showing, items: alike.filter(showing.isEqual) };
  };
}

/** Errors after which a job continues without the check. */
const allowsToGoOn = (error: unknown): error is EduError =>
  isKind(error, 'forbidden', 'not_found', 'refused', 'conflict', 'server_error', 'invalid_response');

export interface EqualRows {
  readonly rows: AsyncIterable<readonly InputRow[]>;
  /** `new` rows are to be created, `uncertain` ones may have been; undefined for other rows. */
  readonly roleOf: (row: number) => 'new' | 'uncertain' | undefined;
  /** @throws EduError if a row cannot be planned */
  readonly plan: (row: InputRow) => Promise<readonly RowWrite[]>;
  /** Whether a row of the job created the item with an ID. */
  readonly isMade: (id: string) => boolean;
  readonly find: FindEquals;
}

interface Group extends Equals {
  rows: number;
  uncertain: number;
}

/**
 * Compares the rows of a create without a key with the listed items before the first row is sent.
 * @returns warnings; none for creates that a key or the service protects from duplicates
 * @throws EduError if the service is not available
 */
export async function warningsOfEquals({ rows, roleOf, plan, isMade, find }: EqualRows): Promise<readonly string[]> {
  const groups = new Map<string, Group>();

  /** @returns false if no list shows the items that the command creates */
  async function note(row: InputRow, role: 'new' | 'uncertain'): Promise<boolean> {
    const writes = await plan(row).catch((error: unknown) => {
      if (error instanceof EduError) return undefined;
      throw error;
    });
    // Errors of a row are reported when it is sent.
    if (writes === undefined) return true;
    const [write, ...others] = writes;
    if (write === undefined || others.length > 0 || !canShow(write.endpoint)) return false;
    const equals = await find(write);
    const items = equals?.items.filter((item) => !isMade(equals.showing.idOf(item))) ?? [];
    if (equals === undefined || items.length === 0) return true;
    const { likeness } = equals.showing;
    const group = groups.get(likeness) ?? { showing: equals.showing, items, rows: 0, uncertain: 0 };
    groups.set(likeness, group);
    if (role === 'new') group.rows++;
    else group.uncertain++;
    return true;
  }

  try {
    for await (const batch of rows) {
      for (const row of batch) {
        const role = roleOf(row.number);
        if (role !== undefined && !(await note(row, role))) return [];
      }
    }
  } catch (error) {
    if (!allowsToGoOn(error)) throw error;
    return [`Cannot check whether equal items exist already: ${error.message}.`];
  }
  return texts([...groups.values()].filter(({ rows, items, uncertain }) => rows > 0 && items.length > uncertain));
}

function texts(groups: readonly Group[]): readonly string[] {
  const [first] = groups;
  if (first === undefined) return [];
  const rows = groups.reduce((sum, group) => sum + group.rows, 0);
  const items = new Map(
    groups.flatMap((group) => group.items.map((item) => [group.showing.idOf(item), item] as const)),
  );
  const names = namesOf(first.showing, [...items.values()]);
  const each = rows === 1 ? '1 row equals' : `${rows} rows equal`;
  const exist = items.size === 1 ? 'exists' : 'exist';
  const makes = rows === 1 ? 'It creates' : 'Each creates';
  return [
    `${each} ${names}, which ${exist} already. ${makes} another ${first.showing.noun}. To compare: ${first.showing.command}`,
  ];
}
