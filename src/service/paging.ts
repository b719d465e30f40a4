/** Pages of lists: `limit`, cursors and the envelope (service-api-v1.md, "Conventions", "Pagination envelope"). */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { badField, type FieldProblem } from './error-answer.js';
import type { ServiceContext } from './service-context.js';
import type { Page } from './store/collection.js';
import { CURSOR_SECRET } from './store/store.js';
import type { Variants } from './variants.js';

export interface CursorScope {
  readonly userId: string;
  /** Path and query of the list, without `limit` and `cursor`. */
  readonly list: string;
}

const HEAD = 8 + 8 + 6;
const MAC = 16;

export type Cursors = ReturnType<typeof cursorsOf>;

/** Creates the secret that signs cursors, once per state. Checks again in the write: another process may be first. */
export function ensureCursorSecret({ store, random }: Pick<ServiceContext, 'store' | 'random'>): void {
  if (store.read(() => store.setting(CURSOR_SECRET)) !== undefined) return;
  store.write(() => {
    if (store.setting(CURSOR_SECRET) === undefined)
      store.setSetting(CURSOR_SECRET, Buffer.from(random(32)).toString('hex'));
  });
}

/** A cursor is a position, an expiry and a removal count, signed with its scope, in base64 (not base64url). */
export function cursorsOf({ store, now, variants }: Pick<ServiceContext, 'store' | 'now' | 'variants'>) {
  let key: Buffer | undefined;
  const macOf = (head: Buffer, { userId, list }: CursorScope): Buffer => {
    key ??= Buffer.from(store.setting(CURSOR_SECRET) ?? '', 'hex');
    const scope = createHash('sha256')
      .update(JSON.stringify([userId, list]))
      .digest();
    return createHmac('sha256', key).update(head).update(scope).digest().subarray(0, MAC);
  };
  return {
    /** @param list of the page that ends after this position */
    issue(scope: CursorScope, list: string, after: number): string {
      const head = Buffer.alloc(HEAD);
      head.writeBigUInt64BE(BigInt(after), 0);
      head.writeBigUInt64BE(BigInt(now() + variants.cursorLifeMs), 8);
      head.writeUIntBE(store.removals(list), 16, 6);
      return Buffer.concat([head, macOf(head, scope)]).toString('base64');
    },
    /**
     * Returns the position that a cursor was issued for, and the check for the list that was read from there.
     * @throws Refusal 400 when it was issued for another list or caller or has expired; the check, if an item left the
     * list since
     */
    read(scope: CursorScope, cursor: string): { readonly after: number; readonly check: (list: string) => void } {
      const bytes = Buffer.from(cursor, 'base64');
      const head = bytes.subarray(0, HEAD);
      const mac = bytes.subarray(HEAD);
      const isValid =
        bytes.length === HEAD + MAC && bytes.toString('base64') === cursor && timingSafeEqual(mac, macOf(head, scope));
      if (!isValid) throw badField('cursor', 'is not one that this list gave you');
      if (Number(head.readBigUInt64BE(8)) <= now()) throw badField('cursor', 'has expired: start the list again');
      const check = (list: string): void => {
        if (head.readUIntBE(16, 6) === store.removals(list)) return;
        throw badField('cursor', 'is no longer valid, because an item was removed: start the list again');
      };
      return { after: Number(head.readBigUInt64BE(0)), check };
    },
  };
}

/** Reads `limit`, and adds a problem if it is invalid. */
export function limitOf(given: string | undefined, problems: FieldProblem[], variants: Variants): number {
  const { defaultLimit, maxLimit, largeLimit } = variants;
  if (given === undefined) return Math.min(defaultLimit, maxLimit);
  const limit = /^\d+$/.test(given) ? Number(given) : 0;
  // By default a limit above the maximum is reduced to it: "a page may hold fewer items than `limit`".
  if (limit >= 1 && (limit <= maxLimit || largeLimit === 'cut')) return Math.min(limit, maxLimit);
  problems.push({
    field: 'limit',
    message: `must be a whole number ${largeLimit === 'cut' ? 'of at least 1' : `from 1 to ${maxLimit}`}, not ${JSON.stringify(given.slice(0, 60))}`,
  });
  return defaultLimit;
}

/** `{<collection name>: [...], paging: {nextCursor}}`. By default the last page's cursor is null ("blank fields"). */
export function envelope<T>(
  key: string,
  { items, next }: Page<T>,
  { lastCursor }: Variants,
  issue: (after: number) => ReturnType<Cursors['issue']>,
): Record<string, unknown> {
  if (next !== undefined) return { [key]: items, paging: { nextCursor: issue(next) } };
  if (lastCursor === 'no-paging') return { [key]: items };
  const paging = lastCursor === 'absent' ? {} : { nextCursor: lastCursor === 'empty' ? '' : null };
  return { [key]: items, paging };
}
