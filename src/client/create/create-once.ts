/**
 * A create with a natural key, carried through a bad connection: whenever its outcome is unknown it is looked up, and
 * sent again only when it is not there. So nothing is created twice, and no first try comes back as "already exists".
 */
import { EduError } from '../../core/errors.js';
import { whereToLook } from '../errors/where-to-look.js';
import { nameOf, nonsense, type Received } from '../request/answer.js';
import type { CallOptions } from '../request/client.js';
import { aboutOf, type Wire } from '../request/client-state.js';
import type { Outgoing } from '../request/request.js';
import { courseOf, failureOf, type Outcome, tryOnce, unknownOf } from '../request/retry.js';
import { backOff } from '../request/retry-after.js';
import { interruption } from '../request/timeout.js';
import type { Finding, Key } from './find-by-key.js';

/** The value that the create answers with, or an answer that refuses it. */
export type Created = { readonly value: unknown } | { readonly refused: Received };

export interface KeyedCreate {
  readonly wire: Wire;
  readonly out: Outgoing;
  readonly key: Key;
  readonly options: CallOptions;
  /** Reads a success. @throws EduError `invalid_response` */
  readonly read: (answer: Received) => unknown;
  readonly lookUp: () => Promise<Finding>;
}

/** A refusal that may mean: "exists already", by one's own earlier attempt. */
const mayMeanExists = (status: number): boolean => status === 400 || status === 409 || status === 422;

const named = ({ noun, field, value }: Key): string => `A ${noun} with the ${field} ${JSON.stringify(value)}`;

function conflict(create: KeyedCreate, finding: Extract<Finding, { is: 'different' }>): EduError {
  const about = aboutOf(create.wire, create.out);
  return new EduError(
    'conflict',
    `${named(create.key)} exists already, and is not the one asked for: ${finding.differences.join('; ')}`,
    {
      ...about,
      hint: `${nameOf(about)} was not sent again. Choose another ${create.key.field}, or update the existing ${create.key.noun}.`,
      details: finding.differences.map((message) => ({ message })),
    },
  );
}

function unseen(create: KeyedCreate): EduError {
  const about = aboutOf(create.wire, create.out);
  return new EduError(
    'outcome_unknown',
    `${named(create.key)} exists, but you may not see it: it may be the one that was asked for`,
    {
      ...about,
      hint: `${nameOf(about)} was not sent again. Ask someone who may see it, or choose another ${create.key.field}.`,
    },
  );
}

/** Looks up after an outcome that is unknown; a look-up that fails leaves it unknown. */
async function find(create: KeyedCreate, outcome: Outcome): Promise<Finding> {
  const { wire, out, options } = create;
  const { is, answer } = outcome;
  wire.trace?.({
    method: out.method,
    url: aboutOf(wire, out).path,
    attempt: 1,
    status: answer?.status,
    note: `may have been done: looking up the ${create.key.noun} by its ${create.key.field}`,
  });
  try {
    return await create.lookUp();
  } catch (error) {
    if (options.signal?.aborted) throw interruption(options.signal);
    if (!(error instanceof EduError)) throw error;
    const look = `The look-up failed too (${error.message}). ${whereToLook(out, create.key.value)}`;
    // A refusal of a second try says less than that the first may have gone through.
    throw unknownOf(wire, out, is === 'answer' && answer !== undefined ? { is: 'unknown', answer } : outcome, look);
  }
}

/** What a look-up says for sure; undefined when the thing is not there. */
function settled(create: KeyedCreate, finding: Finding): Created | undefined {
  if (finding.is === 'different') throw conflict(create, finding);
  if (finding.is === 'invisible') throw unseen(create);
  return finding.is === 'ours' ? { value: finding.found } : undefined;
}

/** A success: what it shows, or what the look-up shows when it can't be read. */
async function success(create: KeyedCreate, answer: Received): Promise<Created> {
  let broken: EduError | undefined;
  try {
    const value = create.read(answer);
    if (value !== undefined) return { value };
  } catch (error) {
    if (!(error instanceof EduError)) throw error;
    broken = error;
  }
  const finding = await create.lookUp().catch(() => undefined);
  if (finding?.is === 'ours') return { value: finding.found };
  const about = aboutOf(create.wire, create.out);
  const { noun, field, value } = create.key;
  if (finding?.is === 'absent') {
    // Whatever answered, it did not make what was asked for.
    const none = `No ${noun} with the ${field} ${JSON.stringify(value)} is there afterwards.`;
    if (broken === undefined) throw nonsense(about, answer, `nothing. ${none}`, whereToLook(create.out, value));
    throw rehinted(broken, `${none} ${broken.hint ?? ''}`.trimEnd());
  }
  if (broken === undefined) return { value: undefined };
  throw rehinted(broken, `It was probably done. ${whereToLook(create.out, value)}`);
}

/** The same error with another hint. */
const rehinted = (error: EduError, hint: string): EduError => {
  const { kind, message, status, method, path, requestId } = error;
  return new EduError(kind, message, { status, method, path, requestId, hint, cause: error });
};

function failure(create: KeyedCreate, outcome: Outcome, attempts: number): EduError {
  const { message, kind, ...facts } = failureOf(create.wire, create.out, outcome, attempts);
  const { noun, field, value } = create.key;
  return new EduError(kind, message, {
    ...facts,
    hint: `No ${noun} with the ${field} ${JSON.stringify(value)} exists, so it is safe to run the command again.`,
  });
}

/**
 * Sends a keyed create until it is known to be done, or known not to be.
 * @throws EduError: `unknown` when that can't be found out, `refused` when the key belongs to something else; with
 *   `unavailable`, `server_error` and `unreachable` the look-up has shown that nothing was created
 */
export async function createKeyed(create: KeyedCreate): Promise<Created> {
  const { wire, out, options, key } = create;
  const course = courseOf(wire, out, options);
  let uncertain = false;
  for (;;) {
    const outcome = await tryOnce(wire, out, course.number(), options);
    const { is, answer } = outcome;
    if (is === 'answer' && answer !== undefined) {
      if (answer.status < 300 && answer.status >= 200) return success(create, answer);
      const own = uncertain && mayMeanExists(answer.status) ? settled(create, await find(create, outcome)) : undefined;
      return own ?? { refused: answer };
    }
    if (is === 'undone') {
      if (await course.next(outcome)) continue;
      throw uncertain ? failure(create, outcome, course.number()) : failureOf(wire, out, outcome, course.number());
    }
    uncertain = true;
    const again = await course.next(outcome);
    // The service may still be busy with it; a moment later the look-up tells more.
    if (!again) await wire.clock.sleep(backOff(1, wire.random()), options.signal);
    const done = settled(create, await find(create, outcome));
    if (done !== undefined) return done;
    // Without a unique key nothing would stop a slow first try from making a second one after the look-up.
    const running = outcome.lost?.timedOut === true || answer?.status === 504;
    if (running && !key.unique) throw unknownOf(wire, out, outcome, whereToLook(out, key.value));
    if (!again) throw failure(create, outcome, course.number());
  }
}
