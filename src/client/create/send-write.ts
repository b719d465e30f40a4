/** Runs a single write through the engine: the result is a value or an error. */
import type { Endpoint } from '../../contract/vocabulary.js';
import { EduError, ignoringUnreadable } from '../../core/errors.js';
import { howToCheck } from '../errors/how-to-check.js';
import { nameOf } from '../request/answer.js';
import type { CallOptions } from '../request/client.js';
import { aboutOf, type ClientState } from '../request/client-state.js';
import { type Outgoing, requestOf, type Values } from '../request/request.js';
import { attemptsOf } from '../request/retry.js';
import { sendOnce } from '../request/send-once.js';
import { interruption } from '../request/timeout.js';
import {
  createKeyed,
  createUnkeyed,
  type Doubt,
  type Failed,
  type Found,
  GRACE_MS,
  type Host,
  type Match,
  type Result,
  writeById,
} from './engine.js';
import { type Key, keyOf, lookUp, type Reader } from './find-by-key.js';
import { canShow, equalsIn, isActive, named, showingOf } from './find-equal.js';
import { isAssigned } from './is-assigned.js';

/** Retries of the look-up; few, because the command has already failed and its user waits. */
const RETRIES = 1;

/** Looks for what a write may have created. @returns the error that prevents it @throws the interruption, if there was one */
async function lookFor<T>({ state, out, options }: Write, what: string, work: () => Promise<T>): Promise<T | EduError> {
  const note = `may have been carried out: looking ${what}`;
  state.trace?.({ method: out.method, url: aboutOf(state, out).path, attempt: 1, note });
  try {
    return await work();
  } catch (error) {
    if (options.signal?.aborted) throw interruption(options.signal);
    if (error instanceof EduError) return error;
    throw error;
  }
}

/** Reads the list that would show the created item. @returns undefined if there is no such list */
async function findEquals({ state, client, endpoint, values, options }: Write) {
  const reading: CallOptions = {
    signal: options.signal,
    retries: Math.min(options.retries ?? state.retries ?? RETRIES, RETRIES),
  };
  const showing = await showingOf(client, endpoint, values, reading);
  if (showing === undefined) return undefined;
  // The service may still be processing the request.
  await state.clock.sleep(GRACE_MS, options.signal);
  return { showing, items: await equalsIn(showing, reading) };
}

type Equals = NonNullable<Awaited<ReturnType<typeof findEquals>>>;

function foundText({ showing: { noun, nouns, idOf }, items }: Equals): string {
  const [only, ...others] = items;
  if (only === undefined) return `The list shows no equal ${noun} so far.`;
  return others.length === 0
    ? `The ${noun} ${idOf(only)} is equal to it: it was created by this command, or existed before.`
    : `This command may have created one of these ${items.length} equal ${nouns}.`;
}

/** Adds the equal items to an error's hint and details. @param prefix a sentence before the hint, or an empty string */
function withEquals(error: EduError, prefix: string, equals: Equals): EduError {
  const { noun, command } = equals.showing;
  return error.with({
    hint: `${prefix}${foundText(equals)} Check with \`${command}\` before you run it again, which could create a second ${noun}.`,
    details: [
      ...error.details,
      ...equals.items.map((item) => ({ where: `${noun} ${named(equals.showing, item)}`, message: 'is equal to it' })),
    ],
  });
}

const TRIED_BEFORE =
  'An earlier attempt got no response and may have succeeded: check before you run the command again.';
/** How likely an unreadable response means success: a 2xx more than a redirect. */
const likely = ({ status = 0 }: EduError): string =>
  status < 300 ? 'It was probably carried out. ' : 'It may have been carried out. ';

interface Write {
  readonly state: ClientState;
  readonly client: Reader;
  readonly endpoint: Endpoint;
  readonly values: Values;
  readonly options: CallOptions;
  readonly out: Outgoing;
  readonly key: Key | undefined;
}

/** The engine's host for a single command. */
function hostOf({ state, endpoint, options, out }: Write): Host & { readonly wasTried: () => boolean } {
  const attempts = attemptsOf(state, out, options);
  let wasTried = false;
  return {
    earlier: false,
    // An unreadable response suggests a wrong base URL or a login page, so a single command fails at once.
    maxUnreadable: 0,
    /** True if an attempt may have been carried out. */
    wasTried: () => wasTried,
    send: async () => {
      const attempt = await sendOnce(state, endpoint, () => out, attempts.number(), options);
      wasTried ||= attempt.is === 'unknown' || attempt.is === 'unreadable';
      return attempt;
    },
    wait: async (failed) => {
      const isFinal = endpoint.repeat === 'unkeyed' && (failed.is === 'unknown' || failed.incomplete);
      return !isFinal && (await attempts.next(failed.outcome)) ? 'again' : 'last';
    },
  };
}

async function findByKey(write: Write, key: Key): Promise<Found> {
  const { client, endpoint, values, options } = write;
  const work = (): Promise<Found> => lookUp(client, endpoint, key, values, options);
  const found = await lookFor(write, `up the ${key.noun} by its ${key.field}`, work);
  return found instanceof EduError ? { is: 'unread', error: found } : found;
}

const keyed = (key: Key | undefined): string =>
  key === undefined ? 'It' : `A ${key.noun} with the ${key.field} ${JSON.stringify(key.value)}`;

/** The error of an attempt that may have been carried out. */
function inDoubt(failed: Failed, hint: string): EduError {
  if (failed?.is === 'unknown' || failed?.is === 'undone') return failed.inDoubt(hint);
  if (failed === undefined) throw new TypeError('There was no attempt that failed.');
  return failed.is === 'unreadable'
    ? failed.error.with({ hint: `${likely(failed.error)}${hint}` })
    : failed.error.with({ kind: 'outcome_unknown', hint });
}

function doubtError({ state, endpoint, values, out, key }: Write, doubt: Doubt<Equals | undefined>): EduError {
  const look = howToCheck(out, values.body);
  switch (doubt.is) {
    case 'hidden': {
      const about = aboutOf(state, out);
      const message = `${keyed(key)} exists, but you may not see it: this command may have created it`;
      const hint = `${nameOf(about)} was not sent again. Ask someone who may see it, or choose another ${key?.field}.`;
      return new EduError('outcome_unknown', message, { ...about, isReason: true, hint });
    }
    case 'unread':
      return inDoubt(doubt.failed, `The look-up failed too (${doubt.lookUp.message}). ${look}`);
    case 'running':
      return endpoint.repeat === 'safe' ? doubt.failed.error : doubt.failed.inDoubt(look);
    case 'unreadable':
      return doubt.error.with({
        hint: `${likely(doubt.error)}${endpoint.repeat === 'safe' ? 'It is safe to run the command again.' : look}`,
      });
    case 'refused':
      return doubt.error.with({ hint: TRIED_BEFORE });
    case 'unmatched': {
      const error = inDoubt(doubt.failed, look);
      const prefix = doubt.failed?.is === 'unreadable' ? likely(doubt.failed.error) : '';
      return doubt.match === undefined ? error : withEquals(error, prefix, doubt.match);
    }
  }
}

/** The value of a successful result. @throws EduError for all other results */
function unwrap(write: Write, result: Result<Equals | undefined>): unknown {
  const { state, out, key } = write;
  switch (result.is) {
    case 'done':
      return result.value;
    case 'exists':
      return result.found;
    case 'conflict': {
      const about = aboutOf(state, out);
      const why =
        result.found === undefined ? 'it belongs to others' : result.differences.map(({ text }) => text).join('; ');
      throw new EduError('conflict', `${keyed(key)} exists already with other values: ${why}`, {
        ...about,
        isReason: true,
        hint: `${nameOf(about)} was not sent again. Choose another ${key?.field}, or update the existing ${key?.noun}.`,
        details: result.differences.map(({ text: message }) => ({ message })),
      });
    }
    case 'refused':
      throw result.error;
    case 'unknown':
      throw doubtError(write, result.doubt);
    default: {
      const { error } = result;
      if (error === undefined || key === undefined || (result.is === 'suspended' && !result.uncertain)) throw error;
      const none = `No ${key.noun} with the ${key.field} ${JSON.stringify(key.value)} exists`;
      // The response did not come from the service, so its cause must be found first.
      const then = error.kind === 'invalid_response' ? `. ${error.hint}` : ', so it is safe to run the command again.';
      throw error.with({ hint: none + then });
    }
  }
}

async function createWithKey(write: Write, key: Key): Promise<unknown> {
  const { state, options } = write;
  const result = await createKeyed({
    ...hostOf(write),
    key,
    ownsKey: options.ownsKey === true,
    reportsExisting: false,
    lookUp: () => findByKey(write, key),
    settle: async () => {
      await state.clock.sleep(GRACE_MS, options.signal);
      return true;
    },
  });
  return unwrap(write, result);
}

async function repeatById(write: Write): Promise<unknown> {
  const { client, endpoint, values, options } = write;
  const host = hostOf(write);
  const found = () => isAssigned(client, endpoint, values, options).catch(ignoringUnreadable);
  const result = await writeById(endpoint, { ...host, isAssigned: async () => (await found()) ?? false });
  if (!host.wasTried()) return unwrap(write, result);
  if (result.is === 'refused') throw result.error.with({ hint: TRIED_BEFORE });
  const wasRemoved = result.is === 'done' && result.value === undefined && endpoint.destroys === true;
  return wasRemoved && endpoint.returns !== undefined
    ? { [endpoint.returns.id ?? 'id']: values.params?.id }
    : unwrap(write, result);
}

/**
 * Carries out a write of the contract exactly once.
 * @returns its response; undefined if that is empty
 * @throws EduError `outcome_unknown` if it may have been carried out and no look-up can decide it; `refused` if the
 *   service rejects it; `conflict` if its key belongs to another item; `unavailable`, `server_error` and `unreachable` if
 *   it was not carried out, or is safe to repeat
 */
export async function sendWrite(
  state: ClientState,
  client: Reader,
  endpoint: Endpoint,
  values: Values,
  options: CallOptions,
): Promise<unknown> {
  const key = endpoint.repeat === 'keyed' ? keyOf(endpoint, values) : undefined;
  const write: Write = { state, client, endpoint, values, options, out: requestOf(state, endpoint, values), key };
  if (key !== undefined) return createWithKey(write, key);
  if (endpoint.repeat === 'safe') return repeatById(write);
  const match = async (): Promise<Match<Equals | undefined>> => {
    const found = canShow(endpoint) ? await lookFor(write, 'for it in its list', () => findEquals(write)) : undefined;
    const equals = found instanceof EduError ? undefined : found;
    const [item, ...others] = equals?.items.filter(isActive) ?? [];
    const isOurs = options.ownsKey === true && item !== undefined && others.length === 0;
    return isOurs ? { is: 'ours', item } : { is: 'unclear', match: equals };
  };
  return unwrap(write, await createUnkeyed({ ...hostOf(write), match }));
}
