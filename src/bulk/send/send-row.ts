/** Carries one row through the engine and converts the result to the row's outcome. */
import {
  createKeyed,
  createUnkeyed,
  type Doubt,
  type Failed,
  type Found,
  type KeyedHost,
  type Match,
  type Result,
  type UnkeyedHost,
  writeById,
} from '../../client/create/engine.js';
import { type Key, keyOf, lookUp, type Reader } from '../../client/create/find-by-key.js';
import { namesOf as namesOfItems } from '../../client/create/find-equal.js';
import { howToCheck } from '../../client/errors/how-to-check.js';
import type { Attempt } from '../../client/request/client.js';
import { EduError } from '../../core/errors.js';
import { errorText, type Outcome, type Trace } from '../job/states.js';
import { type Call, namesOf, type RowWrite, textAt } from '../row-command.js';
import { isSameRow } from './known-row.js';
import type { MatchResult } from './match-created.js';
import { RowAttempts, readWithRetries, type SendContext } from './row-attempts.js';

type Unmatched =
  | Exclude<MatchResult, { is: 'ours' | 'exists' }>
  /** The list could not be read. */
  | { readonly is: 'unread'; readonly error: EduError };

const LOOK_AGAIN = '`edu jobs retry JOB` looks it up again; --unknown also sends it again.';
const SENDS_ABSENT = '`edu jobs retry JOB` looks it up again, and sends it again if it still does not exist.';
/** Advice for a row that may have been carried out and cannot be looked up. */
const SEND_AGAIN = '`edu jobs retry JOB --unknown` sends it again.';

/** Describes the result of a look-up in the list, and the next step. */
function matchAdvice(match: Unmatched, look: string): string {
  if (match.is === 'unread') return `The look-up failed too: ${match.error.message}. ${look}`;
  const { showing } = match;
  const check = `Check with \`${showing.command}\`.`;
  if (match.is === 'absent') return `No equal ${showing.noun} has been added so far. ${check}`;
  const verb = match.items.length === 1 ? 'is' : 'are';
  return `The ${namesOfItems(showing, match.items)} ${verb} equal to it, and ${match.why}. ${check}`;
}

/** What may have happened in an attempt that failed, or in one of an earlier run. */
const sentBefore = (failed: Failed, done: string): string =>
  failed === undefined ? `${done} in an earlier run, whose outcome is unknown` : `${done}: ${failed.error.message}`;

/** Explains why the outcome of a row is unknown. */
function doubtOf(call: Call, key: Key | undefined, doubt: Doubt<Unmatched>): Pick<Outcome, 'error' | 'advice'> {
  const look = howToCheck(call.endpoint, call.input.body);
  switch (doubt.is) {
    case 'hidden':
      return {
        error: `a ${named(key)} exists, but the service does not show it: an earlier attempt may have created it. ${look}`,
      };
    case 'unread':
      return { error: `${doubt.lookUp.message}. ${look}` };
    case 'running':
      return { error: key === undefined ? doubt.failed.error.message : `${doubt.failed.error.message}. ${look}` };
    case 'unreadable':
      return { error: `${key === undefined ? 'It was probably carried out: ' : ''}${doubt.error.message}` };
    case 'refused':
      return { error: `${doubt.error.message}. An earlier attempt may have carried it out` };
    case 'unmatched': {
      const what = sentBefore(doubt.failed, 'It may have been carried out');
      if (doubt.match === undefined) return { error: `${what}. ${look}`, advice: SEND_AGAIN };
      const isSentAgain = doubt.match.is === 'absent' && doubt.match.showing.isDistinct;
      return {
        error: `${what}. ${matchAdvice(doubt.match, look)}`,
        advice: isSentAgain ? SENDS_ABSENT : LOOK_AGAIN,
      };
    }
  }
}

const named = (key: Key | undefined): string => `${key?.noun} with the ${key?.field} ${JSON.stringify(key?.value)}`;

/** Converts the result of a write to the row's outcome. */
function outcomeOf(write: RowWrite, key: Key | undefined, result: Result<Unmatched>): Outcome {
  const codes = namesOf(write, result.is === 'done' ? result.value : undefined);
  if (result.is === 'done') return { state: 'created', id: codes.id, code: codes.code };
  switch (result.is) {
    case 'exists':
      return { state: 'exists', ...namesOf(write, result.found) };
    case 'conflict': {
      const { found, differences } = result;
      const hidden = key?.field === 'code' ? 'the code belongs to another organization' : 'you may not see it';
      const why =
        found === undefined ? `: ${hidden}` : ` with other values: ${differences.map(({ text }) => text).join('; ')}`;
      return { ...namesOf(write, found), state: 'conflict', error: `a ${named(key)} exists already${why}` };
    }
    case 'unknown':
      return { ...codes, state: 'unknown', ...doubtOf(write, key, result.doubt) };
    case 'suspended':
      return { ...(result.uncertain ? codes : {}), state: result.uncertain ? 'sending' : 'planned' };
    default: {
      const why = result.is === 'refused' ? ({ refused: true } as const) : ({ temporary: true } as const);
      return { ...codes, state: 'rejected', ...why, error: result.error.message };
    }
  }
}

/** The outcome of a row that was created before, by its look-up. @returns undefined if the row is to be sent */
function outcomeBefore(write: RowWrite, found: Found | undefined): Outcome | undefined {
  const names = namesOf(write, found !== undefined && 'found' in found ? found.found : undefined);
  if (found === undefined) return { ...names, state: 'planned' };
  if (found.is === 'unread') return { ...names, state: 'rejected', error: found.error.message };
  if (found.is === 'absent' || (found.is === 'different' && !isSameRow(write, found.differences))) return undefined;
  return { ...names, state: 'exists' };
}

class KeyedRow extends RowAttempts<RowWrite> implements KeyedHost {
  readonly key: Key;
  readonly ownsKey = this.call.hasOwnKey === true;
  readonly reportsExisting = true;
  readonly looksFirst = this.context.onExisting === 'update' && this.call.updateExisting !== undefined;

  constructor(write: RowWrite, key: Key, earlier: boolean, context: SendContext) {
    super(write, earlier, context);
    this.key = key;
  }

  async lookUp(when: 'before' | 'refused' | 'unknown'): Promise<Found | undefined> {
    const { client, snapshot, throttle } = this.context;
    const { endpoint, input } = this.call;
    const through = (reader: Reader) => lookUp(reader, endpoint, this.key, input, { retries: 0 });
    const found = await readWithRetries(this.context, async () => {
      if (when === 'unknown') return through(client);
      const listed = await through(when === 'before' ? snapshot : { call: client.call, pages: snapshot.pages });
      // Another program may have created the item since the list was read.
      return when === 'refused' && listed.is === 'absent' ? through(client) : listed;
    });
    if (found === undefined || found instanceof EduError) return found && { is: 'unread', error: found };
    if (found.is !== 'absent') throttle.success(undefined);
    return found;
  }
}

/** Sends a create with a natural key. @param earlier whether an earlier run may have sent it */
async function sendKeyed(write: RowWrite, key: Key, earlier: boolean, context: SendContext): Promise<Outcome> {
  const { onExisting } = context;
  const host = new KeyedRow(write, key, earlier, context);
  if (write.beforeSend !== undefined) {
    let found = await host.lookUp('before');
    if (found?.is === 'absent') {
      // An earlier run may have just created it, or another program since the list was read.
      if (!(await host.settle())) return { state: 'planned' };
      found = await host.lookUp('unknown');
    }
    const known = outcomeBefore(write, found);
    if (known !== undefined) return known;
    await write.beforeSend();
  }
  const result = await createKeyed(host);
  if (result.is === 'done') await write.inspect?.(result.value);
  if (result.is === 'exists' && onExisting === 'fail') {
    return { ...namesOf(write, result.found), state: 'rejected', error: `a ${named(key)} exists already` };
  }
  const { updateExisting: plan } = write;
  if (result.is !== 'conflict' || result.found === undefined || onExisting !== 'update' || plan === undefined)
    return outcomeOf(write, key, result);
  const { found } = result;
  const names = namesOf(write, found);
  const planned = await readWithRetries(context, () => plan(found));
  if (planned === undefined) return { state: 'planned' };
  if (planned instanceof EduError) return { ...names, state: 'conflict', error: planned.message };
  for (const warning of planned.warnings ?? []) context.warn(warning);
  return { ...names, ...(await sendByIds([planned], false, context)) };
}

class UnkeyedRow extends RowAttempts<RowWrite> implements UnkeyedHost<Unmatched> {
  readonly match: (() => Promise<Match<Unmatched> | undefined>) | undefined;
  readonly #trace: Trace | undefined;
  #mayExist: boolean;

  constructor(write: RowWrite, earlier: boolean, trace: Trace | undefined, context: SendContext) {
    super(write, earlier, context);
    this.#trace = trace;
    this.#mayExist = earlier;
    this.match = trace && (() => this.#find(trace));
  }

  override send(): Promise<Attempt> {
    const { matcher } = this.context;
    if (this.#mayExist && this.#trace !== undefined) matcher.release(this.#trace);
    this.#mayExist = false;
    return matcher.send(this.call, this.#trace, () => super.send());
  }

  async #find(trace: Trace): Promise<Match<Unmatched> | undefined> {
    const { matcher, throttle, retries } = this.context;
    const match = await readWithRetries(this.context, () => matcher.find(this.call, trace), retries);
    this.#mayExist = true;
    if (match instanceof EduError) return { is: 'unclear', match: { is: 'unread', error: match } };
    if (match?.is === 'absent' && match.showing.isDistinct) return { is: 'absent', match };
    if (match === undefined || !('item' in match)) return match && { is: 'unclear', match };
    throttle.success(undefined);
    return match;
  }
}

/** Sends a create without a natural key. @param trace recorded with the row */
async function sendUnkeyed(
  write: RowWrite,
  earlier: boolean,
  trace: Trace | undefined,
  context: SendContext,
): Promise<Outcome> {
  const result = await createUnkeyed(new UnkeyedRow(write, earlier, trace, context));
  const outcome = outcomeOf(write, undefined, result);
  return outcome.state === 'unknown' ? { ...trace, ...outcome } : outcome;
}

/** Uploads a file, which has no key and is in no list. */
class UploadRow extends RowAttempts implements UnkeyedHost<Unmatched> {
  readonly match = undefined;
}

/** Uploads the file of a write. Files have no key, so an upload of unknown outcome is not repeated automatically. */
async function sendUpload(
  write: RowWrite,
  upload: Call,
  earlier: boolean,
  context: SendContext,
): Promise<RowWrite | Outcome> {
  const result = await createUnkeyed(new UploadRow(upload, earlier, context));
  if (result.is === 'suspended') return { state: 'planned' };
  if (result.is === 'refused' || result.is === 'failed') return { state: 'rejected', error: result.error.message };
  const fileId = result.is === 'done' ? textAt(result.value, 'id') : undefined;
  if (fileId !== undefined) return { ...write, input: { ...write.input, body: { ...write.input.body, fileId } } };
  const failed = result.is === 'unknown' && result.doubt.is === 'unmatched' ? result.doubt.failed : undefined;
  const what =
    result.is === 'done'
      ? 'The upload response contains no file ID'
      : sentBefore(failed, 'Its file may have been stored');
  return { state: 'unknown', error: `${what}. ${howToCheck(upload.endpoint)}`, advice: SEND_AGAIN };
}

/** Sends one or several writes by ID, each after its upload. */
async function sendByIds(writes: readonly RowWrite[], earlier: boolean, context: SendContext): Promise<Outcome> {
  let last: Pick<Outcome, 'id' | 'code' | 'undone'> = {};
  const errors: string[] = [];
  let mayBeDone = false;
  let done = 0;
  for (const planned of writes) {
    const { upload } = planned;
    if (planned.needsPrevious && errors.length > 0) break;
    const write = upload === undefined ? planned : await sendUpload(planned, upload, earlier, context);
    if ('state' in write && write.error === undefined) return write;
    const result =
      'state' in write ? undefined : await writeById(write.endpoint, new RowAttempts(write, earlier, context));
    if (result?.is === 'suspended') return { state: result.uncertain || done > 0 ? 'sending' : 'planned' };
    last = { undone: planned.undoes, ...namesOf(planned, result?.is === 'done' ? result.value : undefined) };
    const isGone = planned.undoes !== undefined && result?.is === 'refused' && result.error.kind === 'not_found';
    if (result?.is === 'done' || isGone) {
      done++;
      continue;
    }
    const outcome = result === undefined ? (write as Outcome) : outcomeOf(planned, undefined, result);
    errors.push(errorText(outcome));
    mayBeDone ||= outcome.state === 'unknown';
  }
  if (errors.length === 0) return { state: 'updated', ...last };
  const some = done > 0 ? `${done} of ${writes.length} done; ` : '';
  return { ...last, state: mayBeDone ? 'unknown' : 'rejected', error: some + [...new Set(errors)].join('; ') };
}

/**
 * Sends a row and returns its outcome. The caller must have entered the throttle.
 * @param earlier whether an earlier run may have sent it
 * @param trace recorded with a create without a key
 */
export function sendRow(
  writes: readonly RowWrite[],
  earlier: boolean,
  trace: Trace | undefined,
  context: SendContext,
): Promise<Outcome> {
  const [only, ...others] = writes;
  if (only !== undefined && others.length === 0) {
    const key = keyOf(only.endpoint, only.input);
    if (key !== undefined) return sendKeyed(only, key, earlier, context);
    // A keyed create without a value for its key is sent like an unkeyed one.
    if (only.endpoint.repeat !== 'safe') return sendUnkeyed(only, earlier, trace, context);
  }
  return sendByIds(writes, earlier, context);
}
