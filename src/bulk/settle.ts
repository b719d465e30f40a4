/**
 * One row to its end: what is sent, looked up, sent again, and what it came to. Creates with a key are never repeated
 * blindly; those without one never at all once they may have been done. It knows no journal and no files.
 */
import type { Attempt, Client } from '../client/client.js';
import { type Finding, keyOf, lookUp, type Reader } from '../client/reconcile.js';
import { whereToLook } from '../client/where-to-look.js';
import { EduError } from '../errors.js';
import { updateOf } from './existing.js';
import type { Pace } from './pace.js';
import type { Outcome } from './states.js';
import type { Call, RowWrite } from './verb.js';

export type OnExisting = 'skip' | 'fail' | 'update';

export interface Settling {
  readonly client: Client;
  /** Lists of things that exist are read once through it. */
  readonly snapshot: Reader;
  readonly pace: Pace;
  readonly onExisting: OnExisting;
  /** Attempts of one row after the first, when the service works for others. */
  readonly retries: number;
  readonly now: () => number;
  readonly warn: (text: string) => void;
}

/** Ends the whole job: every further row would fail alike. */
export class JobEnds extends Error {
  override readonly name = 'JobEnds';
  readonly reason: EduError;
  constructor(reason: EduError) {
    super(reason.message);
    this.reason = reason;
  }
}

type Json = Readonly<Record<string, unknown>>;
type Failed = Extract<Attempt, { is: 'undone' | 'unknown' }>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const textAt = (value: unknown, name: string): string | undefined =>
  isObject(value) && typeof value[name] === 'string' ? value[name] : undefined;

/** Id and code of what a row made or changed, from the answer, else from what was sent. */
function namesOf(write: RowWrite, answer: unknown): Pick<Outcome, 'id' | 'code'> {
  const id =
    textAt(answer, 'id') ??
    textAt(answer, 'classId') ??
    textAt(isObject(answer) ? answer.user : undefined, 'id') ??
    textAt(write.receipt, 'id') ??
    textAt(write.receipt, 'classId') ??
    textAt(write.input.params, 'id');
  const code = textAt(answer, 'code') ?? textAt(write.input.body, 'code');
  return { ...(id === undefined ? {} : { id }), ...(code === undefined ? {} : { code }) };
}

/** Whether an error of a read may pass. */
export const mayPass = (error: EduError): boolean => ['unreachable', 'busy', 'failed'].includes(error.kind);

const isLater = (error: EduError): boolean => error.kind === 'busy' || error.status === 429 || error.status === 503;

/** A refusal that may mean: the key exists already. */
const mayMeanExists = (status: number): boolean => status === 400 || status === 409 || status === 422;

/** A row is tried this many times as often as a single command: among thousands, some meet every bad moment. */
const ROW_PATIENCE = 3;

class Row {
  readonly #settling: Settling;
  #attempt = 0;
  readonly #successesBefore: number;

  constructor(settling: Settling) {
    this.#settling = settling;
    this.#successesBefore = settling.pace.successes;
  }

  async send(call: Call): Promise<{ readonly attempt: Attempt; readonly began: number }> {
    const { client, now, pace } = this.#settling;
    const began = now();
    this.#attempt++;
    const attempt = await client.attempt(call.endpoint, call.input);
    if (attempt.is === 'refused' && attempt.error.kind === 'unauthenticated') throw new JobEnds(attempt.error);
    if (attempt.is === 'done') pace.success(now() - began);
    return { attempt, began };
  }

  /** Waits before another attempt. @returns false when there is none in this run */
  again(failed: Pick<Failed, 'error'> & Partial<Failed>, began: number): Promise<boolean> {
    const { error, wait, hopeless = false } = failed;
    return this.#settling.pace.trouble({ error, later: isLater(error), wait, hopeless, began, attempt: this.#attempt });
  }

  /** The row has failed often enough, although the service works for others. */
  get isHopeless(): boolean {
    const { pace, retries } = this.#settling;
    return this.#attempt > ROW_PATIENCE * retries && pace.successes > this.#successesBefore;
  }
}

/** A create that its natural key tells apart from all others. */
async function keyed(write: RowWrite, earlier: boolean, settling: Settling): Promise<Outcome> {
  const { client, snapshot, pace, onExisting } = settling;
  const { endpoint, input } = write;
  const key = keyOf(endpoint, input);
  if (key === undefined) return unkeyed(write, earlier, settling);
  const row = new Row(settling);
  const codes = namesOf(write, undefined);
  let uncertain = earlier;

  /** What a look-up found, as the end of the row; undefined when nothing is there. */
  async function ended(finding: Finding): Promise<Outcome | undefined> {
    if (finding.is === 'absent') return undefined;
    pace.success(undefined);
    const which = `${key?.noun} with the ${key?.field} ${JSON.stringify(key?.value)}`;
    if (finding.is === 'invisible') {
      const whose = key?.field === 'code' ? 'the code belongs to another organization' : 'you may not see it';
      return { ...codes, state: 'conflict', error: `a ${which} exists already: ${whose}` };
    }
    const names = namesOf(write, finding.found);
    if (finding.is === 'ours') {
      if (uncertain) return { ...names, state: 'created' };
      return onExisting === 'fail'
        ? { ...names, state: 'rejected', error: `a ${which} exists already` }
        : { ...names, state: 'exists' };
    }
    const differences = finding.differences.join('; ');
    if (onExisting !== 'update')
      return { ...names, state: 'conflict', error: `a ${which} exists already, and ${differences}` };
    const update = updateOf(write, finding.found);
    if (update === undefined) return { ...names, state: 'conflict', error: `a ${which} exists already, without an id` };
    return { ...names, ...(await safe([{ ...write, ...update }], false, settling)) };
  }

  /** Looks up; undefined when that is not possible now and the row is to be left for another run. */
  async function find(
    reader: Reader,
  ): Promise<Finding | { readonly is: 'never'; readonly error: EduError } | undefined> {
    for (;;) {
      const began = settling.now();
      try {
        return await lookUp(reader, endpoint, input, { retries: 1 });
      } catch (error) {
        if (!(error instanceof EduError)) throw error;
        if (error.kind === 'unauthenticated') throw new JobEnds(error);
        if (!mayPass(error)) return { is: 'never', error };
        if (!(await row.again({ error }, began))) return undefined;
      }
    }
  }

  /** Looks up and says how the row ends; `absent` when nothing is there. */
  async function reconcile(reader: Reader = client): Promise<Outcome | 'absent'> {
    const finding = await find(reader);
    if (finding === undefined) return { state: uncertain ? 'sending' : 'planned' };
    if (finding.is !== 'never') return (await ended(finding)) ?? 'absent';
    const error = `${finding.error.message}. ${whereToLook(endpoint)}`;
    return uncertain ? { ...codes, state: 'unknown', error } : { ...codes, state: 'rejected', error };
  }

  // An earlier run may have sent it; and where the service takes doubles, it must not be asked to make one.
  if (earlier || !key.unique) {
    const found = await reconcile(earlier ? client : snapshot);
    if (found !== 'absent') return found;
    // An earlier run's request may still be on its way; a unique key then refuses this one.
    uncertain &&= key.unique;
  }
  for (;;) {
    const { attempt, began } = await row.send(write);
    if (attempt.is === 'done') {
      for (const warning of write.inspect?.(attempt.value) ?? []) settling.warn(warning);
      return { ...namesOf(write, attempt.value), state: 'created' };
    }
    if (attempt.is === 'unreadable') {
      uncertain = true;
      const found = await reconcile();
      return found === 'absent' ? { ...codes, state: 'unknown', error: attempt.error.message } : found;
    }
    if (attempt.is === 'refused') {
      const found = mayMeanExists(attempt.status) ? await reconcile() : 'absent';
      return found === 'absent' ? { ...codes, state: 'rejected', error: attempt.error.message } : found;
    }
    if (attempt.is === 'unknown') {
      uncertain = true;
      // Not looked up at once: the service may still be busy with it.
      const goesOn = await row.again(attempt, began);
      if (!goesOn) return { ...codes, state: 'sending' };
      const found = await reconcile();
      if (found !== 'absent') return found;
      if (attempt.running && !key.unique) {
        return { ...codes, state: 'unknown', error: `${attempt.error.message}. ${whereToLook(endpoint)}` };
      }
      uncertain = attempt.running;
      if (row.isHopeless) return { ...codes, state: 'rejected', error: attempt.error.message };
    } else if (!(await row.again(attempt, began))) return { state: uncertain ? 'sending' : 'planned' };
  }
}

/** A create that nothing tells apart from another: sent again only when it can't have been done. */
async function unkeyed(write: RowWrite, earlier: boolean, settling: Settling): Promise<Outcome> {
  const look = whereToLook(write.endpoint);
  if (earlier) return { state: 'unknown', error: `It may have been sent before the job was interrupted. ${look}` };
  const row = new Row(settling);
  for (;;) {
    const { attempt, began } = await row.send(write);
    const names = namesOf(write, attempt.is === 'done' ? attempt.value : undefined);
    if (attempt.is === 'done') return { ...names, state: 'created' };
    if (attempt.is === 'refused') return { ...names, state: 'rejected', error: attempt.error.message };
    if (attempt.is !== 'undone') {
      if (attempt.is === 'unknown') await row.again(attempt, began);
      return { ...names, state: 'unknown', error: `It may have been done: ${attempt.error.message}. ${look}` };
    }
    if (!(await row.again(attempt, began))) return { state: 'planned' };
  }
}

/** A file that goes before the write; sent again it is stored twice at worst. */
async function uploaded(write: RowWrite, row: Row): Promise<RowWrite | Outcome> {
  const { upload } = write;
  if (upload === undefined) return write;
  for (;;) {
    const { attempt, began } = await row.send(upload);
    if (attempt.is === 'done' && textAt(attempt.value, 'id') !== undefined) {
      return {
        ...write,
        input: { ...write.input, body: { ...write.input.body, fileId: textAt(attempt.value, 'id') } },
      };
    }
    if (attempt.is === 'done') return { state: 'rejected', error: 'the service took the file but did not say its id' };
    if (attempt.is === 'refused' || attempt.is === 'unreadable')
      return { state: 'rejected', error: attempt.error.message };
    if (row.isHopeless) return { state: 'rejected', error: attempt.error.message };
    if (!(await row.again(attempt, began))) return { state: 'planned' };
  }
}

/** Writes that change nothing more when they are sent again: by id. */
async function safe(writes: readonly RowWrite[], earlier: boolean, settling: Settling): Promise<Outcome> {
  let last: Pick<Outcome, 'id' | 'code'> = {};
  const errors: string[] = [];
  for (const planned of writes) {
    const row = new Row(settling);
    const write = await uploaded(planned, row);
    if ('state' in write) {
      if (write.state !== 'rejected') return write;
      errors.push(write.error ?? '');
      continue;
    }
    let uncertain = earlier;
    for (;;) {
      const { attempt, began } = await row.send(write);
      last = namesOf(write, attempt.is === 'done' ? attempt.value : undefined);
      if (attempt.is === 'done') {
        for (const warning of write.inspect?.(attempt.value) ?? []) settling.warn(warning);
        break;
      }
      if (attempt.is === 'refused') {
        // "Not found" to the second attempt of a removal is the success of the first.
        const removed = uncertain && attempt.status === 404 && write.endpoint.destroys === true;
        if (!removed) errors.push(attempt.error.message);
        break;
      }
      if (attempt.is === 'unreadable') {
        errors.push(`It was probably done: ${attempt.error.message}`);
        break;
      }
      if (attempt.is === 'unknown') uncertain = true;
      if (row.isHopeless) {
        errors.push(attempt.error.message);
        break;
      }
      if (!(await row.again(attempt, began))) return { state: uncertain ? 'sending' : 'planned' };
    }
  }
  if (errors.length === 0) return { ...last, state: 'updated' };
  const some = errors.length < writes.length ? `${writes.length - errors.length} of ${writes.length} done; ` : '';
  return { ...last, state: 'rejected', error: some + errors.join('; ') };
}

/**
 * Carries a row through. The caller holds a place of the pace.
 * @param earlier an earlier run may have sent it
 */
export function settle(writes: readonly RowWrite[], earlier: boolean, settling: Settling): Promise<Outcome> {
  const [only, ...others] = writes;
  if (only !== undefined && others.length === 0) {
    if (only.endpoint.repeat === 'keyed') return keyed(only, earlier, settling);
    if (only.endpoint.repeat === 'unkeyed') return unkeyed(only, earlier, settling);
  }
  return safe(writes, earlier, settling);
}
