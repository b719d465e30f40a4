/**
 * Checks what a results file claims: that the item of `edu_id` is the one that its row describes. People edit such files,
 * so the claim counts only if the service's item has the row's values.
 */

import { differences, sameKey } from '../../client/create/compare.js';
import type { Reader } from '../../client/create/find-by-key.js';
import { isActive } from '../../client/create/find-equal.js';
import { filterItems, listOfCreated } from '../../client/create/list-of-created.js';
import type { Client } from '../../client/request/client.js';
import { resourceOf } from '../../contract/resource.js';
import type { Endpoint, Fields } from '../../contract/vocabulary.js';
import { ignoringUnreadable } from '../../core/errors.js';
import { getPath, isObject, type JsonObject } from '../../core/json.js';
import { loadOnce } from '../../core/maps.js';
import type { Outcome } from '../job/states.js';
import type { RowWrite } from '../row-command.js';
import { FEW_ROWS, isClassCreate, readItem, type Seen } from './known-row.js';

/** The item that a results file names for a row that it marks as created. */
export interface Claim {
  readonly id: string | undefined;
  readonly code: string | undefined;
}

/** Returns a function that reads the claimed item of a create: one by one at first, then from its list. */
function itemReader(client: Client, snapshot: Reader) {
  const lists = new Map<string, Promise<ReadonlyMap<string, JsonObject> | undefined>>();
  let count = 0;

  async function index(endpoint: Endpoint, input: RowWrite['input'], idField: string) {
    const items = await filterItems(snapshot.pages(endpoint, input, { retries: 0 }), () => true);
    return new Map(items.map((item) => [String(item[idField]), item]));
  }

  /** @returns undefined if no list that shows it can be read */
  async function fromLists({ endpoint, input }: RowWrite, id: string): Promise<JsonObject | 'unlisted' | undefined> {
    let isRead = false;
    for (const call of (await listOfCreated(snapshot, endpoint, input, { retries: 0 })) ?? []) {
      const name = `${call.endpoint.path} ${JSON.stringify(call.input)}`;
      const idField = resourceOf(endpoint)?.shape.id ?? 'id';
      const read = () => index(call.endpoint, call.input, idField).catch(ignoringUnreadable);
      const items = await loadOnce(lists, name, read);
      const found = items?.get(id);
      if (found !== undefined) return found;
      isRead ||= items !== undefined;
    }
    return isRead ? 'unlisted' : undefined;
  }

  return async (write: RowWrite, id: string): Promise<Seen> => {
    // A class that is read by its ID does not show whether it was deleted, nor its school.
    const isClass = isClassCreate(write);
    const listed = isClass || ++count > FEW_ROWS ? await fromLists(write, id) : undefined;
    if (isObject(listed)) return isActive(listed) ? listed : 'gone';
    const item = await readItem(client, write, id);
    return isClass && listed === 'unlisted' && isObject(item) ? { schoolId: 'another', ...item } : item;
  };
}

/** How the claimed item differs from what the row says; undefined if it shows none of the row's values. */
function differencesOf({ endpoint, input, hasOwnKey }: RowWrite, claim: Claim, item: JsonObject) {
  const { body = {} } = input;
  const key = resourceOf(endpoint)?.recognised;
  const keyField = key?.by === 'key' ? key.field : undefined;
  // The language may come from settings that have changed since.
  const { language: _, [keyField ?? '']: keyed, ...fields }: Fields = endpoint.body ?? {};
  const isShown = Object.entries(endpoint.body ?? {}).some(
    ([name, { readAs = name }]) => body[name] !== undefined && getPath(item, readAs) !== undefined,
  );
  if (!isShown) return undefined;
  const found = differences(fields, body, item).map(({ text }) => text);
  // A code that `edu` derived is no value of the row: another machine derives another one.
  const isGiven = keyField !== undefined && hasOwnKey !== true;
  const texts: readonly (readonly [string, unknown, unknown])[] = [
    ...(keyed === undefined || !isGiven ? [] : [[keyField, body[keyField], item[keyField]] as const]),
    ...(claim.code === undefined ? [] : [['code', claim.code, item.code] as const]),
  ];
  for (const [name, wanted, shown] of texts)
    if (typeof wanted === 'string' && typeof shown === 'string' && !sameKey(wanted, shown, name !== 'name'))
      found.push(`${name} is ${JSON.stringify(shown)}, not ${JSON.stringify(wanted)}`);
  return [...new Set(found)];
}

const REMOVE_CELLS = 'Empty its edu_ cells to create it.';

/**
 * Returns a function that decides about a row whose results file marks it as created.
 * @returns its outcome; `gone` if the item no longer exists; undefined if the service does not show it, and either the
 *   key of the row or this machine's record of it decides instead
 */
export function claimChecker(client: Client, snapshot: Reader) {
  const read = itemReader(client, snapshot);
  return async (write: RowWrite, claim: Claim, knownId: string | undefined): Promise<Outcome | 'gone' | undefined> => {
    const { id, code } = claim;
    const isDecidable = write.endpoint.repeat === 'keyed' || (id !== undefined && id === knownId);
    // Without the ID, which belongs to another thing.
    const conflict = (error: string): Outcome => ({ state: 'conflict', error });
    if (id === undefined)
      return isDecidable
        ? undefined
        : conflict(`edu_status says that it was created, without an edu_id. ${REMOVE_CELLS}`);
    const noun = resourceOf(write.endpoint)?.noun[0] ?? 'item';
    const item = await read(write, id);
    if (item === 'gone') return 'gone';
    const found = item === 'hidden' ? undefined : differencesOf(write, claim, item);
    if (found === undefined)
      return isDecidable
        ? undefined
        : conflict(`cannot check edu_id ${id}: the service does not show that ${noun}. ${REMOVE_CELLS}`);
    if (found.length > 0)
      return conflict(`edu_id ${id} is a ${noun} with other values: ${found.join('; ')}. ${REMOVE_CELLS}`);
    const shownCode = item !== 'hidden' && typeof item.code === 'string' ? item.code : code;
    return { state: 'exists', id, code: shownCode, claimed: true };
  };
}
