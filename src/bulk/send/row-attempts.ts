/** The attempts of one row and its reads, with the throttle's wait between them. */
import type { Host, Next } from '../../client/create/engine.js';
import type { Reader } from '../../client/create/find-by-key.js';
import { isAssigned } from '../../client/create/is-assigned.js';
import type { Attempt, Client, FailedAttempt } from '../../client/request/client.js';
import { EduError, isKind } from '../../core/errors.js';
import type { Call } from '../row-command.js';
import type { CreatedMatcher } from './match-created.js';
import type { Throttle } from './throttle.js';

export interface ReadContext {
  readonly throttle: Pick<Throttle, 'backOff'>;
  readonly now: () => number;
}

/** Retries of a request whose response cannot be read, such as a page of a proxy. */
const MAX_UNREADABLE = 2;

/**
 * Reads until it succeeds. The caller must hold a slot of the throttle.
 * @param maxRetries the error is final after this number of retries
 * @returns the value, the error, or undefined if the row is left for another run
 */
export async function readWithRetries<T>(
  { throttle, now }: ReadContext,
  work: () => T | Promise<T>,
  maxRetries = Number.POSITIVE_INFINITY,
): Promise<T | EduError | undefined> {
  for (let attempt = 1; ; attempt++) {
    const began = now();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof EduError)) throw error;
      if (error.kind === 'interrupted' || error.kind === 'terminated') return undefined;
      if (error.kind === 'invalid_response' && attempt <= Math.min(maxRetries, MAX_UNREADABLE)) continue;
      // Without a token that the service accepts, every further row would fail, too.
      const hopeless = error.kind === 'unauthenticated';
      const mayPass = isKind(error, 'unreachable', 'unavailable', 'server_error');
      if (!hopeless && (attempt > maxRetries || !mayPass)) return error;
      if (!(await throttle.backOff({ error, hopeless, began, attempt }))) return undefined;
    }
  }
}

export type OnExisting = 'skip' | 'fail' | 'update';

/** The job's services and options that sending a row needs. */
export interface SendContext {
  readonly client: Client;
  /** Reads each list of existing items once. */
  readonly snapshot: Reader;
  readonly matcher: CreatedMatcher;
  readonly throttle: Throttle;
  readonly onExisting: OnExisting;
  /** Attempts of a row after the first, while other rows succeed. */
  readonly retries: number;
  readonly now: () => number;
  readonly warn: (text: string) => void;
}

/** Multiple of `retries` for a row of a job: among thousands of rows, some fail several times by chance. */
const RETRY_FACTOR = 3;

/** Sends and repeats the call of a row for the engine of writes. */
export class RowAttempts<C extends Call = Call> implements Host {
  readonly call: C;
  readonly earlier: boolean;
  readonly maxUnreadable = MAX_UNREADABLE;
  protected readonly context: SendContext;
  #attempt = 0;
  #failures = 0;
  #began = 0;
  readonly #successesBefore: number;

  /** @param earlier whether an earlier run may have sent it */
  constructor(call: C, earlier: boolean, context: SendContext) {
    this.call = call;
    this.earlier = earlier;
    this.context = context;
    this.#successesBefore = context.throttle.successes;
  }

  async send(): Promise<Attempt> {
    const { client, now, throttle } = this.context;
    this.#began = now();
    this.#attempt++;
    const attempt = await client.attempt(this.call.endpoint, this.call.input);
    if (attempt.is === 'refused' && attempt.error.kind === 'unauthenticated') {
      const { error } = attempt;
      const facts = { running: false, hopeless: true, incomplete: false };
      return { is: 'undone', error, ...facts, inDoubt: () => error, outcome: { is: 'undone' } };
    }
    if (attempt.is !== 'undone') throttle.answered(attempt.is !== 'unknown');
    if (attempt.is === 'done') throttle.success(now() - this.#began);
    return attempt;
  }

  async wait(failed: FailedAttempt): Promise<Next> {
    const { throttle, retries } = this.context;
    // Other rows succeeded meanwhile: if this one fails too often, the service is not the cause.
    const doOthersSucceed = throttle.successes > this.#successesBefore;
    const isExhausted = this.#attempt > RETRY_FACTOR * retries && doOthersSucceed;
    if (isExhausted && failed.is === 'undone') return 'last';
    const { error, wait, hopeless } = failed;
    const failure = { error, wait, hopeless, began: this.#began, attempt: ++this.#failures };
    if (!(await throttle.backOff(failure))) {
      // A last row that gets 500 would be the last one of each further run, too.
      const isOfRow = doOthersSucceed ? error.kind === 'server_error' : error.status === 500 && throttle.isAlone;
      return isOfRow && !throttle.isStopped ? 'last' : 'stop';
    }
    return isExhausted ? 'last' : 'again';
  }

  settle(): Promise<boolean> {
    return this.context.throttle.settle(this.#attempt === 0);
  }

  async isAssigned(): Promise<boolean | undefined> {
    const { client, retries } = this.context;
    const { endpoint, input } = this.call;
    const found = await readWithRetries(
      this.context,
      () => isAssigned(client, endpoint, input, { retries: 0 }),
      retries,
    );
    return found instanceof EduError ? false : found;
  }
}
