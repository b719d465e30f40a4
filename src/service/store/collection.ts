/** A collection of records in the store. All calls must run inside `store.read` or `store.write`. */
import { isUtf8 } from 'node:buffer';
import { getOrSet } from '../../core/maps.js';
import { type ColumnOf, listsOf, type RecordOf, TABLES, type TableName } from './schema.js';
import type { Database, Row, SqlValue, Statement } from './sqlite.js';
import { DamagedRecord } from './state-error.js';

/** Required values of columns; `null` matches records without a value. */
export type Where<N extends TableName> = { readonly [C in ColumnOf<N>]?: string | null };

export interface Page<R> {
  readonly items: readonly R[];
  /** Position after which the next page starts; undefined on the last page. */
  readonly next: number | undefined;
  /** The list that the items are in, for `Store.removals`. */
  readonly list: string;
}

export type Collection<N extends TableName> = ReturnType<typeof collection<N>>;

export function statementCache(database: Database): (sql: string) => Statement {
  const statements = new Map<string, Statement>();
  return (sql) => getOrSet(statements, sql, () => database.prepare(sql));
}

/** Returns the cached record, or finds it and may cache it. */
export type Cache = <T>(id: string, find: () => T) => T;

/** Up to this number, single queries are faster than one for all, and can be cached. */
const MAX_SINGLE_QUERIES = 4;

const BATCH = 1000;

/** Drivers cannot pass lone surrogates and NUL unchanged; JSON can. */
const isPlain = (value: string): boolean => value.isWellFormed() && !value.includes('\0');

function conditionOf(where: Readonly<Record<string, string | null | undefined>>) {
  const terms: string[] = [];
  const values: SqlValue[] = [];
  for (const [column, value] of Object.entries(where)) {
    if (value === undefined) continue;
    if (value === null) terms.push(`${column} IS NULL`);
    else if (isPlain(value)) {
      terms.push(`${column} = ?`);
      values.push(value);
    } else {
      terms.push(`${column} = (? ->> '$')`);
      values.push(JSON.stringify(value));
    }
  }
  return { sql: terms.length === 0 ? 'TRUE' : terms.join(' AND '), values };
}

/** The column of a record as bytes, because libsql ends the process at a text that is not UTF-8. */
export const DOC = 'CAST(doc AS BLOB) AS doc';

/** @throws DamagedRecord */
function parse<R>({ doc }: Row): R {
  const bytes = Buffer.from(doc as Uint8Array);
  if (!isUtf8(bytes)) throw new DamagedRecord('a record is not UTF-8');
  try {
    return JSON.parse(bytes.toString()) as R;
  } catch {
    throw new DamagedRecord('a record is not JSON');
  }
}

/** Makes a page from a query for one row more than the page's size. */
export function pageOf<R>(rows: readonly Row[], limit: number, [list = '']: readonly string[]): Page<R> {
  const shown = rows.slice(0, limit);
  return { items: shown.map(parse<R>), next: rows.length > limit ? Number(shown.at(-1)?.seq) : undefined, list };
}

/**
 * @param onLeave called for each list that a record leaves
 * @param cached by default, no record is cached
 */
export function collection<N extends TableName>(
  name: N,
  prepare: (sql: string) => Statement,
  onLeave: (list: string) => void,
  cached: Cache = (_, find) => find(),
) {
  type R = RecordOf<N>;
  const select = (where: Where<N>, rest = ''): R[] => {
    const { sql, values } = conditionOf(where);
    return prepare(`SELECT ${DOC} FROM ${name} WHERE ${sql} ORDER BY seq ${rest}`)
      .all(...values)
      .map(parse<R>);
  };
  const byId = `SELECT ${DOC} FROM ${name} WHERE id = ?`;
  const one = (id: string): R | undefined =>
    cached(id, () => {
      const row = prepare(byId).get(id);
      return row && parse<R>(row);
    });
  const allIn = (column: string, values: readonly string[]): R[] => {
    if (values.length === 0) return [];
    const sql = `SELECT ${DOC} FROM ${name} WHERE ${column} IN (SELECT value FROM json_each(?)) ORDER BY seq`;
    return prepare(sql)
      .all(JSON.stringify(values))
      .map(parse<R>);
  };
  const hasLists = 'lists' in TABLES[name];
  /** Invalidates the cursors of the lists that contain the stored record, but not the new one. */
  const leaveLists = (id: string, after: object): void => {
    const before = hasLists ? one(id) : undefined;
    if (before === undefined) return;
    const still = listsOf(name, after);
    for (const list of listsOf(name, before)) if (!still.includes(list)) onLeave(list);
  };
  return {
    get: one,
    /** Records by id, without those that do not exist. The ids may repeat. */
    many(given: readonly string[]): ReadonlyMap<string, R> {
      const ids = [...new Set(given)];
      const found = ids.length <= MAX_SINGLE_QUERIES ? ids.flatMap((id) => one(id) ?? []) : allIn('id', ids);
      return new Map(found.map((record) => [record.id, record]));
    },
    first: (where: Where<N>): R | undefined => select(where, 'LIMIT 1')[0],
    /** Matching records in the order of insertion. For sets that stay small. */
    all: (where: Where<N>): R[] => select(where),
    allIn: (column: ColumnOf<N>, values: readonly string[]): R[] => allIn(column, values),
    count(where: Where<N>): number {
      const { sql, values } = conditionOf(where);
      return Number(prepare(`SELECT count(*) AS n FROM ${name} WHERE ${sql}`).get(...values)?.n);
    },
    /**
     * Matching records in the order of insertion. Takes time in proportion to the page if an index covers `where`.
     * @param after `next` of the previous page; 0 for the first page
     */
    page(where: Where<N>, after: number, limit: number): Page<R> {
      const { sql, values } = conditionOf(where);
      const rows = prepare(`SELECT seq, ${DOC} FROM ${name} WHERE ${sql} AND seq > ? ORDER BY seq LIMIT ?`);
      return pageOf(rows.all(...values, after, limit + 1), limit, listsOf(name, where));
    },
    insert: (record: R): void => void prepare(`INSERT INTO ${name} (doc) VALUES (?)`).run(JSON.stringify(record)),
    /** Inserts in this order, 1,000 records per statement. */
    insertMany(records: Iterable<R>): void {
      const insert = prepare(`INSERT INTO ${name} (doc) SELECT value FROM json_each(?)`);
      let batch: R[] = [];
      for (const record of records) {
        if (batch.push(record) < BATCH) continue;
        insert.run(JSON.stringify(batch));
        batch = [];
      }
      if (batch.length > 0) insert.run(JSON.stringify(batch));
    },
    update(record: R): void {
      leaveLists(record.id, record);
      prepare(`UPDATE ${name} SET doc = ? WHERE id = ?`).run(JSON.stringify(record), record.id);
    },
    remove(id: string): void {
      leaveLists(id, {});
      prepare(`DELETE FROM ${name} WHERE id = ?`).run(id);
    },
    /** Removes all matching records, which must be in no list. */
    removeAll(where: Where<N>): void {
      const { sql, values } = conditionOf(where);
      prepare(`DELETE FROM ${name} WHERE ${sql}`).run(...values);
    },
  };
}

const MAX_CACHED = 10_000;

/** A cache by id that each write empties. @param writes starts and ends of writes so far: odd during a write */
export function cacheBetweenWrites(writes: () => number): Cache {
  let cache = new Map<string, unknown>();
  let since = -1;
  return <T>(id: string, find: () => T): T => {
    const now = writes();
    if (now % 2 === 1) return find();
    if (now !== since || cache.size >= MAX_CACHED) {
      cache = new Map();
      since = now;
    }
    if (cache.has(id)) return cache.get(id) as T;
    const found = find();
    cache.set(id, found);
    return found;
  };
}
