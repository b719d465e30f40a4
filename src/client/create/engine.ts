/**
 * The state machine of an exactly-once write: sends it, looks it up if the outcome is unknown, and sends it again only
 * if it cannot have been carried out. Single commands and rows of bulk jobs run it with their own hosts
 * (docs/decisions/0011-one-engine.md).
 */
import type { Endpoint } from '../../contract/vocabulary.js';
import type { EduError } from '../../core/errors.js';
import type { JsonObject } from '../../core/json.js';
import type { Attempt, FailedAttempt } from '../request/client.js';
import type { Difference } from './compare.js';
import type { Finding, Key } from './find-by-key.js';

/** What follows a failed attempt: another attempt, only a last look-up, or nothing until the job is resumed. */
export type Next = 'again' | 'last' | 'stop';

/** The result of a look-up, or the error that prevented it. */
export type Found = Finding | { readonly is: 'unread'; readonly error: EduError };

/** The result of searching a list for the item of a create without a key. */
export type Match<M> =
  | { readonly is: 'ours' | 'exists'; readonly item: JsonObject }
  /** No equal item exists, in a list whose items are meant to be distinct. */
  | { readonly is: 'absent'; readonly match: M }
  | { readonly is: 'unclear'; readonly match: M };

/** An attempt that may have been carried out; undefined if an earlier run made it. */
export type Failed = Exclude<Attempt, { is: 'done' }> | undefined;

/** Why the outcome of a write is unknown. */
export type Doubt<M> =
  /** An item has the key, but the service does not show it to the caller. */
  | { readonly is: 'hidden' }
  | { readonly is: 'unread'; readonly lookUp: EduError; readonly failed: Failed }
  /** The first request may still be in progress, and the service would accept a second one. */
  | { readonly is: 'running'; readonly failed: FailedAttempt }
  /** The service reported success without returning the item. */
  | { readonly is: 'unreadable'; readonly error: EduError }
  /** Rejected after an attempt that may have been carried out. */
  | { readonly is: 'refused'; readonly error: EduError }
  | { readonly is: 'unmatched'; readonly failed: Failed; readonly match: M | undefined };

export type Result<M = never> =
  /** Carried out now; undefined if the service does not show the item. */
  | { readonly is: 'done'; readonly value: unknown }
  /** Existed before, equal to the item to be created; undefined if the service does not show it. */
  | { readonly is: 'exists'; readonly found: JsonObject | undefined }
  /** The key belongs to another item; `found` is absent if the caller may not see it. */
  | { readonly is: 'conflict'; readonly found?: JsonObject; readonly differences: readonly Difference[] }
  | { readonly is: 'refused'; readonly error: EduError }
  /** Given up; the write was not carried out. */
  | { readonly is: 'failed'; readonly error: EduError }
  | { readonly is: 'unknown'; readonly doubt: Doubt<M> }
  /** No further attempt in this run; if `uncertain`, one may have been carried out. */
  | { readonly is: 'suspended'; readonly uncertain: boolean; readonly error: EduError | undefined };

/** Time that the service may still need for the requests of a killed run, and until lists show a created item. */
export const GRACE_MS = 2000;

export interface Host {
  /** True if an earlier run may have sent it. */
  readonly earlier: boolean;
  /**
   * Waits until the service has carried out the last request, or that of an earlier run, and lists show its item.
   * @returns false if this run ends before
   */
  readonly settle?: () => Promise<boolean>;
  /** Max number of retries after an unreadable success, for writes that are safe to repeat. */
  readonly maxUnreadable: number;
  /** Makes an attempt. @throws to end the write */
  readonly send: () => Promise<Attempt>;
  readonly wait: (failed: FailedAttempt) => Promise<Next>;
  /** True if the item shows that an assignment was carried out; undefined if that cannot be read in this run. */
  readonly isAssigned?: () => Promise<boolean | undefined>;
}

export interface KeyedHost extends Host {
  readonly key: Key;
  /** True if `edu` derived the key, so that any item with that key was created by this write. */
  readonly ownsKey: boolean;
  /** True if an item that existed before is reported as `exists` instead of as the service's error. */
  readonly reportsExisting: boolean;
  /** True to look the key up before the first attempt, because an item that has it is to be updated. */
  readonly looksFirst?: boolean;
  /**
   * Looks up the key before the first attempt, after a rejection, or after an unknown outcome.
   * @returns undefined if that is not possible in this run
   */
  readonly lookUp: (when: 'before' | 'refused' | 'unknown') => Promise<Found | undefined>;
}

export interface UnkeyedHost<M> extends Host {
  /** Finds the created item; undefined if no list shows it. @returns undefined if that is not possible in this run */
  readonly match: (() => Promise<Match<M> | undefined>) | undefined;
}

/** Statuses that may mean that the key already exists. */
const mayMeanExists = (status: number): boolean => status === 400 || status === 409 || status === 422;

/** The result of a keyed create according to a look-up; undefined if no item has the key. */
async function look(
  host: KeyedHost,
  when: 'before' | 'refused' | 'unknown',
  failed?: Failed,
): Promise<Result | undefined> {
  const uncertain = when === 'unknown';
  const found = await host.lookUp(when);
  if (found === undefined) return { is: 'suspended', uncertain, error: failed?.error };
  if (found.is === 'absent') return undefined;
  if (found.is === 'unread') {
    if (uncertain) return { is: 'unknown', doubt: { is: 'unread', lookUp: found.error, failed } };
    return { is: 'failed', error: failed?.is === 'refused' ? failed.error : found.error };
  }
  if (found.is === 'different') return { is: 'conflict', found: found.found, differences: found.differences };
  const item = found.is === 'ours' ? found.found : undefined;
  if (item === undefined && !host.ownsKey) {
    return uncertain ? { is: 'unknown', doubt: { is: 'hidden' } } : { is: 'conflict', differences: [] };
  }
  return uncertain ? { is: 'done', value: item } : { is: 'exists', found: item };
}

/**
 * Looks for what an earlier attempt may have created. Looks twice before it counts as absent, because the service may show
 * an item only after a while.
 * @param isSent whether it is sent again if it is absent: if its key is unique, the service rejects a second item
 */
async function lookSettled(host: KeyedHost, isSent: boolean, failed?: Failed): Promise<Result | undefined> {
  const result = await look(host, 'unknown', failed);
  if (result !== undefined || (isSent && host.key.unique)) return result;
  if ((await host.settle?.()) === false) return { is: 'suspended', uncertain: true, error: failed?.error };
  return look(host, 'unknown', failed);
}

/** Creates an item that a natural key identifies. */
export async function createKeyed(host: KeyedHost): Promise<Result> {
  const { key } = host;
  let uncertain = host.earlier;
  // A key that is not unique must be looked up first, because the service would create a second item with it.
  if (host.earlier || host.looksFirst === true || (host.reportsExisting && !key.unique)) {
    const result = await (host.earlier ? lookSettled(host, true) : look(host, 'before'));
    if (result !== undefined) return result;
    // The earlier request may still arrive; if the key is unique, the service then rejects this one.
    uncertain &&= key.unique;
  }
  for (let unreadable = 0; ; ) {
    const attempt = await host.send();
    if (attempt.is === 'done') return attempt;
    if (attempt.is === 'unreadable') {
      uncertain = true;
      const result = await lookSettled(host, unreadable < host.maxUnreadable, attempt);
      const isShown = attempt.value !== undefined || (attempt.isEmpty && result !== undefined);
      if (isShown && result?.is !== 'done') return { is: 'done', value: attempt.value };
      if (result !== undefined) return result;
      if (!key.unique) return { is: 'unknown', doubt: attempt };
      if (unreadable++ < host.maxUnreadable) continue;
      return { is: 'failed', error: attempt.error };
    }
    if (attempt.is === 'refused') {
      if (!mayMeanExists(attempt.status)) return attempt;
      if (uncertain) return (await lookSettled(host, false, attempt)) ?? attempt;
      return (host.reportsExisting ? await look(host, 'refused', attempt) : undefined) ?? attempt;
    }
    if (attempt.is === 'unknown') uncertain = true;
    const next = await host.wait(attempt);
    if (attempt.is === 'undone') {
      if (next === 'again') continue;
      return { is: 'suspended', uncertain, error: attempt.error };
    }
    // The look-up follows the wait, because the service may still be processing the request.
    if (next === 'stop') return { is: 'suspended', uncertain, error: attempt.error };
    const result = await lookSettled(host, next === 'again', attempt);
    if (result !== undefined) return result;
    if (attempt.running && !key.unique) return { is: 'unknown', doubt: { is: 'running', failed: attempt } };
    uncertain = key.unique;
    if (next === 'last') return { is: 'failed', error: attempt.error };
  }
}

/**
 * Creates an item without a key. It is sent again only if it cannot have been created, or if items are meant to be
 * distinct, no equal one exists, and the service can no longer be processing it: it has responded, or an earlier run
 * made the attempt.
 */
export async function createUnkeyed<M>(host: UnkeyedHost<M>): Promise<Result<M>> {
  const { match } = host;

  function decide(found: Match<M> | undefined, failed: Failed): Result<M> {
    if (match !== undefined && found === undefined) return { is: 'suspended', uncertain: true, error: undefined };
    if (found !== undefined && 'item' in found)
      return found.is === 'ours' ? { is: 'done', value: found.item } : { is: 'exists', found: found.item };
    return { is: 'unknown', doubt: { is: 'unmatched', failed, match: found?.match } };
  }
  /** Looks twice before the item counts as absent, because lists may show it only after a while. */
  async function settled(): Promise<Match<M> | undefined> {
    const found = await match?.();
    if (found?.is !== 'absent') return found;
    return (await host.settle?.()) === false ? undefined : match?.();
  }
  if (host.earlier) {
    const found = await settled();
    if (found?.is !== 'absent') return decide(found, undefined);
  }
  for (;;) {
    const attempt = await host.send();
    if (attempt.is === 'done' || attempt.is === 'refused') return attempt;
    if (attempt.is === 'unreadable') {
      const found = await settled();
      // A success without the item's ID is one, although the ID remains unknown.
      return attempt.isEmpty && found?.is !== 'ours' ? { is: 'done', value: attempt.value } : decide(found, attempt);
    }
    const next = await host.wait(attempt);
    if (attempt.is === 'undone') {
      if (next === 'again') continue;
      if (next === 'last') return { is: 'failed', error: attempt.error };
      return { is: 'suspended', uncertain: false, error: attempt.error };
    }
    if (next === 'stop' && match !== undefined) return { is: 'suspended', uncertain: true, error: attempt.error };
    const isSentAgain = attempt.error.status !== undefined && !attempt.running && next === 'again';
    const found = await (isSentAgain ? settled() : match?.());
    if (found?.is !== 'absent' || !isSentAgain) return decide(found, attempt);
  }
}

/**
 * True if the service may reject a repeated write that succeeded before: a second assignment or cancellation. A repeated
 * update succeeds, and a repeated deletion returns 404.
 */
const isDoneOnce = ({ method, path, destroys }: Endpoint): boolean =>
  destroys ? method !== 'DELETE' : !path.endsWith('{id}');

/** Carries out a write by ID, which is safe to repeat. */
export async function writeById(endpoint: Endpoint, host: Host): Promise<Result> {
  let uncertain = host.earlier;
  for (let unreadable = 0; ; ) {
    const attempt = await host.send();
    if (attempt.is === 'done') return attempt;
    if (attempt.is === 'refused') {
      // A 404 for a repeated removal means that the first attempt succeeded.
      if (uncertain && attempt.status === 404 && endpoint.destroys === true) return { is: 'done', value: undefined };
      if (!uncertain || !isDoneOnce(endpoint)) return attempt;
      const { error } = attempt;
      const isAssigned = host.isAssigned === undefined ? false : await host.isAssigned();
      if (isAssigned === undefined) return { is: 'suspended', uncertain, error };
      return isAssigned ? { is: 'done', value: undefined } : { is: 'unknown', doubt: { is: 'refused', error } };
    }
    uncertain ||= attempt.is !== 'undone';
    if (attempt.is === 'unreadable') {
      if (unreadable++ < host.maxUnreadable) continue;
      return { is: 'unknown', doubt: attempt };
    }
    const next = await host.wait(attempt);
    if (next === 'again') continue;
    if (next === 'stop') return { is: 'suspended', uncertain, error: attempt.error };
    return uncertain
      ? { is: 'unknown', doubt: { is: 'running', failed: attempt } }
      : { is: 'failed', error: attempt.error };
  }
}
