/**
 * The state machine of an exactly-once write: sends it, looks it up if the outcome is unknown, and sends it again only
 * if it cannot have been carried out. Single commands and rows of bulk jobs run it with their own hosts
 * (docs/decisions/0011-one-engine.md).
 */
import type { Endpoint } from '../../contract/vocabulary.js';
import type { EduError } from '../../core/errors.js';
import type { Attempt, FailedAttempt } from '../request/client.js';
import type { Finding, Key } from './find-by-key.js';

type Item = Readonly<Record<string, unknown>>;

/** What follows a failed attempt: another one; none, but a last look-up; or nothing until the job is resumed. */
export type Next = 'again' | 'last' | 'stop';

/** What a look-up found, or the error that prevented it. */
export type Found = Finding | { readonly is: 'unread'; readonly error: EduError };

/** What a list shows of a create without a key. */
export type Match<M> =
  | { readonly is: 'ours'; readonly item: Item }
  /** Nothing equal is there, and no two are meant to be equal. */
  | { readonly is: 'absent'; readonly match: M }
  | { readonly is: 'unclear'; readonly match: M };

/** Why the outcome of a write is unknown. `error` is that of the attempt; undefined when an earlier run made it. */
export type Doubt<M> =
  /** Something has the key, and the service does not show it to the caller. */
  | { readonly is: 'hidden' }
  | { readonly is: 'unread'; readonly lookUp: EduError; readonly failed: Attempt | undefined }
  /** The first request may still be under way, and the service would accept a second one. */
  | { readonly is: 'running'; readonly failed: FailedAttempt }
  /** The service reported success without showing what it made. */
  | { readonly is: 'unreadable'; readonly error: EduError }
  /** Refused after an attempt that may have been carried out. */
  | { readonly is: 'refused'; readonly error: EduError }
  | { readonly is: 'unmatched'; readonly failed: Attempt | undefined; readonly match: M | undefined };

export type Result<M = never> =
  /** Carried out now; undefined when the service does not show what it made. */
  | { readonly is: 'done'; readonly value: unknown }
  /** Was there before, equal to what was to be created; undefined when it is not shown. */
  | { readonly is: 'exists'; readonly found: Item | undefined }
  /** The key belongs to something else; without `found` the caller may not see what it is. */
  | { readonly is: 'conflict'; readonly found?: Item; readonly differences: readonly string[] }
  | { readonly is: 'refused'; readonly error: EduError }
  /** Given up; nothing was done. */
  | { readonly is: 'failed'; readonly error: EduError }
  | { readonly is: 'unknown'; readonly doubt: Doubt<M> }
  /** No further attempt in this run; with `uncertain` one may have been carried out. */
  | { readonly is: 'suspended'; readonly uncertain: boolean; readonly error: EduError | undefined };

export interface Host {
  /** An earlier run may have sent it. */
  readonly earlier: boolean;
  /** Waits until the service has carried out what an earlier run sent. @returns false when this run ends before */
  readonly settle?: () => Promise<boolean>;
  /** How often it is sent again after a success that cannot be read, where a second one does no harm. */
  readonly maxUnreadable: number;
  /** Sends it once. */
  readonly send: () => Promise<Attempt>;
  /** Waits before the next attempt. */
  readonly wait: (failed: FailedAttempt) => Promise<Next>;
}

export interface KeyedHost extends Host {
  readonly key: Key;
  /** `edu` derived the key, so anything with that key was created by this write. */
  readonly ownsKey: boolean;
  /** Reports what existed before as `exists`, not as the service's refusal. */
  readonly reportsExisting: boolean;
  /**
   * Looks the key up: before the first attempt, after a refusal, or after an unknown outcome.
   * @returns undefined when that is not possible in this run
   */
  readonly lookUp: (when: 'before' | 'refused' | 'unknown') => Promise<Found | undefined>;
}

export interface UnkeyedHost<M> extends Host {
  /** Looks for what it made; undefined when no list shows it. @returns undefined when that is not possible in this run */
  readonly match: (() => Promise<Match<M> | undefined>) | undefined;
}

/** A refusal that may mean: the key exists already. */
const mayMeanExists = (status: number): boolean => status === 400 || status === 409 || status === 422;

/** Creates something that a natural key identifies. */
export async function createKeyed(host: KeyedHost): Promise<Result> {
  const { key } = host;
  let uncertain = host.earlier;

  /** What a look-up decides; undefined when nothing has the key. */
  async function look(when: 'before' | 'refused' | 'unknown', failed?: Attempt): Promise<Result | undefined> {
    const found = await host.lookUp(when);
    if (found === undefined)
      return { is: 'suspended', uncertain, error: failed?.is === 'done' ? undefined : failed?.error };
    if (found.is === 'absent') return undefined;
    if (found.is === 'unread') {
      if (uncertain) return { is: 'unknown', doubt: { is: 'unread', lookUp: found.error, failed } };
      return failed?.is === 'refused' ? { is: 'refused', error: failed.error } : { is: 'failed', error: found.error };
    }
    if (found.is === 'different') return { is: 'conflict', found: found.found, differences: found.differences };
    const item = found.is === 'ours' ? found.found : undefined;
    if (item === undefined && !host.ownsKey) {
      return uncertain ? { is: 'unknown', doubt: { is: 'hidden' } } : { is: 'conflict', differences: [] };
    }
    return uncertain ? { is: 'done', value: item } : { is: 'exists', found: item };
  }

  // Where the service accepts a second one with the same key, it must not be asked to make it.
  if (host.earlier || (host.reportsExisting && !key.unique)) {
    let result = await look(host.earlier ? 'unknown' : 'before');
    if (result === undefined && host.earlier && !key.unique) {
      if ((await host.settle?.()) === false) return { is: 'suspended', uncertain, error: undefined };
      result = await look('unknown');
    }
    if (result !== undefined) return result;
    // The earlier request may still arrive; a unique key then refuses this one.
    uncertain &&= key.unique;
  }
  for (let unreadable = 0; ; ) {
    const attempt = await host.send();
    if (attempt.is === 'done') return attempt;
    if (attempt.is === 'unreadable') {
      uncertain = true;
      const result = await look('unknown', attempt);
      const isShown = attempt.value !== undefined || (attempt.isEmpty && result !== undefined);
      if (isShown && result?.is !== 'done') return { is: 'done', value: attempt.value };
      if (result !== undefined) return result;
      if (!key.unique) return { is: 'unknown', doubt: attempt };
      if (unreadable++ < host.maxUnreadable) continue;
      return { is: 'failed', error: attempt.error };
    }
    if (attempt.is === 'refused') {
      const looks = mayMeanExists(attempt.status) && (uncertain || host.reportsExisting);
      return (looks ? await look(uncertain ? 'unknown' : 'refused', attempt) : undefined) ?? attempt;
    }
    if (attempt.is === 'unknown') uncertain = true;
    const next = await host.wait(attempt);
    if (attempt.is === 'undone') {
      if (next === 'again') continue;
      return { is: 'suspended', uncertain, error: attempt.error };
    }
    // Looked up after the wait, not at once: the service may still be busy with it.
    if (next === 'stop') return { is: 'suspended', uncertain, error: attempt.error };
    const result = await look('unknown', attempt);
    if (result !== undefined) return result;
    if (attempt.running && !key.unique) return { is: 'unknown', doubt: { is: 'running', failed: attempt } };
    uncertain = key.unique;
    if (next === 'last') return { is: 'failed', error: attempt.error };
  }
}

/**
 * Creates something that has no key: sent again only when it cannot have been done, or when no two are meant to be equal,
 * none is there, and the service cannot be busy with it any more: it has answered, or the attempt was an earlier run's.
 */
export async function createUnkeyed<M>(host: UnkeyedHost<M>): Promise<Result<M>> {
  const { match } = host;

  function decide(found: Match<M> | undefined, failed: Attempt | undefined): Result<M> {
    if (match !== undefined && found === undefined) return { is: 'suspended', uncertain: true, error: undefined };
    if (found?.is === 'ours') return { is: 'done', value: found.item };
    return { is: 'unknown', doubt: { is: 'unmatched', failed, match: found?.match } };
  }
  if (host.earlier) {
    let found = await match?.();
    if (found?.is === 'absent') {
      found = (await host.settle?.()) === false ? undefined : await match?.();
    }
    if (found?.is !== 'absent') return decide(found, undefined);
  }
  for (;;) {
    const attempt = await host.send();
    if (attempt.is === 'done' || attempt.is === 'refused') return attempt;
    if (attempt.is === 'unreadable') return decide(await match?.(), attempt);
    const next = await host.wait(attempt);
    if (attempt.is === 'undone') {
      if (next === 'again') continue;
      if (next === 'last') return { is: 'failed', error: attempt.error };
      return { is: 'suspended', uncertain: false, error: attempt.error };
    }
    if (next === 'stop' && match !== undefined) return { is: 'suspended', uncertain: true, error: attempt.error };
    const found = await match?.();
    const hasAnswered = attempt.error.status !== undefined && !attempt.running;
    if (found?.is !== 'absent' || !hasAnswered || next !== 'again') return decide(found, attempt);
  }
}

/**
 * Whether the service may refuse to do again what it has done: to assign a second time, to cancel what is cancelled. An
 * update is as good the second time, and what is gone is not found.
 */
const isDoneOnce = ({ method, path, destroys }: Endpoint): boolean =>
  destroys ? method !== 'DELETE' : !path.endsWith('{id}');

/** Carries out a write that changes nothing more when it is sent again: by id. */
export async function writeById(endpoint: Endpoint, host: Host): Promise<Result> {
  let uncertain = host.earlier;
  for (let unreadable = 0; ; ) {
    const attempt = await host.send();
    if (attempt.is === 'done') return attempt;
    if (attempt.is === 'refused') {
      // "Not found" to the second attempt of a removal is the success of the first.
      if (uncertain && attempt.status === 404 && endpoint.destroys === true) return { is: 'done', value: undefined };
      const { error } = attempt;
      return uncertain && isDoneOnce(endpoint) ? { is: 'unknown', doubt: { is: 'refused', error } } : attempt;
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
