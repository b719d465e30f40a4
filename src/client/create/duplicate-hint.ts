/**
 * Finds items equal to a create without a key, for the error about its unknown outcome. They are no proof, because they
 * may have existed before.
 */
import type { Endpoint } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import type { CallOptions } from '../request/client.js';
import type { ClientState } from '../request/client-state.js';
import type { Values } from '../request/request.js';
import { backOff } from '../request/retry-after.js';
import { interruption } from '../request/timeout.js';
import type { Reader } from './find-by-key.js';
import { equalsIn, named, showingOf } from './find-equal.js';

/** Retries of the look-up; few, because the command has already failed and its user waits. */
const RETRIES = 1;

/**
 * Reads the list that would show the created item.
 * @returns undefined if there is no such list, or it cannot be read
 * @throws the interruption, if there was one
 */
export async function findEquals(
  state: ClientState,
  client: Reader,
  endpoint: Endpoint,
  values: Values,
  options: CallOptions,
) {
  const reading: CallOptions = {
    signal: options.signal,
    retries: Math.min(options.retries ?? state.retries ?? RETRIES, RETRIES),
  };
  try {
    const showing = await showingOf(client, endpoint, values, reading);
    if (showing === undefined) return undefined;
    state.trace?.({
      method: endpoint.method,
      url: endpoint.path,
      attempt: 1,
      note: `may have been carried out: looking for it in GET ${showing.list}`,
    });
    // The service may still be processing the request, so a short wait makes the list more reliable.
    await state.clock.sleep(backOff(1, state.random()), options.signal);
    return { showing, items: await equalsIn(showing, reading) };
  } catch (failure) {
    if (options.signal?.aborted) throw interruption(options.signal);
    if (failure instanceof EduError) return undefined;
    throw failure;
  }
}

export type Equals = NonNullable<Awaited<ReturnType<typeof findEquals>>>;

function foundText({ showing: { noun, nouns, idOf }, items }: Equals): string {
  const [only, ...others] = items;
  if (only === undefined) return `The list shows no equal ${noun} so far.`;
  return others.length === 0
    ? `The ${noun} ${idOf(only)} is equal to it: it was created by this command, or existed before.`
    : `This command may have created one of these ${items.length} equal ${nouns}.`;
}

/** Adds the equal items to an error's hint and details. @param prefix a sentence before the hint, or an empty string */
export function withEquals(error: EduError, prefix: string, equals: Equals): EduError {
  const { noun, command } = equals.showing;
  return error.with({
    hint: `${prefix}${foundText(equals)} Check with \`${command}\` before you run it again, which could create a second ${noun}.`,
    details: [
      ...error.details,
      ...equals.items.map((item) => ({ where: `${noun} ${named(equals.showing, item)}`, message: 'is equal to it' })),
    ],
  });
}
