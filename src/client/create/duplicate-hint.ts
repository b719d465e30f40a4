/**
 * A single create without a key that may have been done: what equal things the service shows now goes into the error.
 * It proves nothing, because they may have been there before; it spares the user the first look.
 */
import type { Endpoint } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import type { CallOptions } from '../request/client.js';
import type { Wire } from '../request/client-state.js';
import type { Values } from '../request/request.js';
import { backOff } from '../request/retry-after.js';
import { interruption } from '../request/timeout.js';
import type { Reader } from './find-by-key.js';
import { equalsIn, idOfItem, named, type Showing, showingOf } from './find-equal.js';

export interface Attempted {
  readonly endpoint: Endpoint;
  readonly values: Values;
  readonly options: CallOptions;
}

/** Attempts of the look-up after the first: the command has failed already, and its user waits. */
const RETRIES = 1;

function whatIsThere(showing: Showing, equals: readonly Readonly<Record<string, unknown>>[]): string {
  const { noun, nouns } = showing;
  const [only, ...others] = equals;
  if (only === undefined) return `No ${noun} equal to it is in the list so far.`;
  return others.length === 0
    ? `The ${noun} ${idOfItem(only)} is the one, unless it was there before.`
    : `One of these ${equals.length} ${nouns} may be it.`;
}

const howToLook = ({ noun, command }: Showing): string =>
  `Look with \`${command}\` before you run it again: a second ${noun} would be another one.`;

/**
 * The same error with what a look at the service's list shows; the error as it was where there is no list, or it can't
 * be read.
 * @throws the interruption, when there was one
 */
export async function withSightings(
  error: EduError,
  wire: Wire,
  client: Reader,
  { endpoint, values, options }: Attempted,
): Promise<EduError> {
  const reading: CallOptions = { signal: options.signal, retries: Math.min(options.retries ?? wire.retries, RETRIES) };
  try {
    const showing = await showingOf(client, endpoint, values, reading);
    if (showing === undefined) return error;
    wire.trace?.({
      method: endpoint.method,
      url: endpoint.path,
      attempt: 1,
      note: `may have been done: looking for it in GET ${showing.list}`,
    });
    // The service may still be busy with it; a moment later the list tells more.
    await wire.clock.sleep(backOff(1, wire.random()), options.signal);
    const equals = await equalsIn(showing, reading);
    const { kind, message, status, method, path, requestId, details } = error;
    const probably = kind === 'outcome_unknown' ? '' : 'It was probably done. ';
    return new EduError(kind, message, {
      status,
      method,
      path,
      requestId,
      hint: `${probably}${whatIsThere(showing, equals)} ${howToLook(showing)}`,
      details: [
        ...details,
        ...equals.map((item) => ({ where: `${showing.noun} ${named(item)}`, message: 'is equal to it' })),
      ],
      cause: error,
    });
  } catch (failure) {
    if (options.signal?.aborted) throw interruption(options.signal);
    if (failure instanceof EduError) return error;
    throw failure;
  }
}
