/** Changes a list while a client pages through it: inserts, removes or moves an item. */
import { randomUUID } from 'node:crypto';
import { type HttpRequest, readBytes, type Send } from '../../core/http.js';
import { VISIBLE, type VisibleName } from '../store/schema.js';
import type { Store } from '../store/store.js';

/** The collections of lists with other names. */
const COLLECTIONS: Readonly<Record<string, VisibleName>> = {
  licenses: 'licences',
  publishers: 'organizations',
  schools: 'organizations',
};

/** A record of any collection; the changed members are looked up by name. */
type AnyRecord = { readonly id: string } & Readonly<Record<string, unknown>>;

const MAX_PAGE_BYTES = 16 * 1024 * 1024;

/** Reads the list's first page, and returns the collection and the id of its first item. */
async function firstOf({ method, headers, url: given }: HttpRequest, send: Send) {
  const url = new URL(given);
  url.searchParams.delete('cursor');
  const { status, body } = await send({ method, headers, url: url.href });
  if (status !== 200) return undefined;
  const page = JSON.parse((await readBytes(body, MAX_PAGE_BYTES)).toString()) as Record<string, AnyRecord[]>;
  const { paging: _, ...lists } = page;
  for (const [name, items] of Object.entries(lists)) {
    const kind = COLLECTIONS[name] ?? VISIBLE.find((one) => one === name);
    const id = items[0]?.id;
    if (kind !== undefined && id !== undefined) return { kind, id };
  }
  return undefined;
}

function another(record: AnyRecord): AnyRecord {
  const id = randomUUID().replaceAll('-', '').slice(0, 24);
  return {
    ...record,
    id,
    ...(typeof record.code === 'string' ? { code: id } : {}),
    ...(typeof record.email === 'string' ? { email: `${id}@example.org` } : {}),
    ...(record.ownerId !== undefined && typeof record.name === 'string' ? { name: `${record.name} ${id}` } : {}),
  };
}

/** Changes the owner to an organization that does not exist, so that the record leaves the list. */
function moved(record: AnyRecord): AnyRecord {
  const owners = ['ownerId', 'organizationId', 'creatorId'].filter((name) => typeof record[name] === 'string');
  return { ...record, ...Object.fromEntries(owners.map((name) => [name, 'elsewhere'])) };
}

/** Changes the list that a request pages through, unless it is empty. */
export async function changeList(
  store: Store,
  change: 'insert' | 'remove' | 'move',
  request: HttpRequest,
  send: Send,
): Promise<void> {
  const first = await firstOf(request, send);
  if (first === undefined) return;
  // Records are only copied and written back to the same collection, so their type does not matter.
  const records = store[first.kind] as unknown as {
    get(id: string): AnyRecord | undefined;
    insert(record: AnyRecord): void;
    update(record: AnyRecord): void;
    remove(id: string): void;
  };
  store.write(() => {
    const record = records.get(first.id);
    if (record === undefined) return;
    if (change === 'insert') records.insert(another(record));
    else if (change === 'remove') records.remove(record.id);
    else {
      records.update(moved(record));
      store.noteRemoval(first.kind);
    }
  });
}
