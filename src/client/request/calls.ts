/** Calls of endpoints: a request goes out as its row says it may, and its answer comes back checked. */
import type { Endpoint } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import type { Headers } from '../../core/http.js';
import type { Access } from '../errors/diagnose-403.js';
import { refusalOf } from '../errors/refusal.js';
import { objectOf, type Received } from './answer.js';
import type { CallOptions, Client } from './client.js';
import { aboutOf, type Wire } from './client-state.js';
import type { Outgoing, Values } from './request.js';
import { sendWithRetries } from './retry.js';

/** What calls of all kinds need. */
export interface Calls {
  readonly wire: Wire;
  readonly access: Access;
  readonly baseUrl: string;
  /** Those that every request carries. */
  readonly headers: Headers;
  readonly request: (endpoint: Endpoint, values: Values) => Outgoing;
}

export const isSuccess = ({ status }: Pick<Received, 'status'>): boolean => status >= 200 && status < 300;

/** The error for an answer that is no success. */
export async function refusal(
  { wire, access }: Calls,
  out: Outgoing,
  answer: Received,
  options: CallOptions,
  hint?: string,
): Promise<EduError> {
  if (answer.status === 401 || answer.status === 403) return access.denial(out, answer, options);
  return refusalOf(aboutOf(wire, out), answer, 1, hint);
}

const TRIED_BEFORE =
  'An earlier attempt of this call got no answer, and may have gone through: look before you run it again.';

/**
 * A 404 to the second attempt of a removal is the success of the first.
 * @returns what the call answers with, or undefined when this is no such case
 */
function removedBefore(endpoint: Endpoint, values: Values, answer: Received): { value: unknown } | undefined {
  const own = answer.uncertain === true && answer.status === 404 && endpoint.destroys === true;
  if (!own) return undefined;
  return { value: endpoint.returns === undefined ? undefined : { classId: values.params?.id } };
}

/** Calls a safe or unkeyed endpoint. */
export async function callSafely(
  calls: Calls,
  endpoint: Endpoint,
  values: Values,
  options: CallOptions,
): Promise<unknown> {
  const out = calls.request(endpoint, values);
  const answer = await sendWithRetries(calls.wire, out, options);
  if (isSuccess(answer)) return readWrite(calls, out, endpoint, answer);
  const removed = removedBefore(endpoint, values, answer);
  if (removed !== undefined) return removed.value;
  const doubt = answer.uncertain === true && endpoint.method !== 'GET' ? TRIED_BEFORE : undefined;
  throw await refusal(calls, out, answer, options, doubt);
}

/** A success as the contract wants it. An unkeyed create whose answer makes no sense was done all the same. */
async function readWrite({ wire }: Calls, out: Outgoing, endpoint: Endpoint, answer: Received): Promise<unknown> {
  try {
    return objectOf(endpoint, aboutOf(wire, out), answer);
  } catch (error) {
    if (endpoint.repeat === 'safe' || !(error instanceof EduError)) throw error;
    const { whereToLook } = await import('../errors/where-to-look.js');
    const { kind, message, status, method, path, requestId } = error;
    throw new EduError(kind, message, {
      status,
      method,
      path,
      requestId,
      hint: `It was probably done. ${whereToLook(out)}`,
      cause: error,
    });
  }
}

/** Whether an error of an unkeyed create leaves open that it was done: no answer, or a success that can't be read. */
const mayBeDone = ({ kind, status = 0 }: EduError): boolean =>
  kind === 'outcome_unknown' || (kind === 'invalid_response' && status >= 200 && status < 300);

/** Calls a create that nothing tells apart from another; when it may have been done, what is there now is named. */
export async function callUnkeyed(
  calls: Calls,
  client: Pick<Client, 'call' | 'pages'>,
  endpoint: Endpoint,
  values: Values,
  options: CallOptions,
): Promise<unknown> {
  try {
    return await callSafely(calls, endpoint, values, options);
  } catch (error) {
    if (!(error instanceof EduError) || !mayBeDone(error)) throw error;
    const { withSightings } = await import('../create/duplicate-hint.js');
    throw await withSightings(error, calls.wire, client, { endpoint, values, options });
  }
}

const loadKeyed = async () => ({
  ...(await import('../create/create-once.js')),
  ...(await import('../create/find-by-key.js')),
});

/** Loaded by the first keyed create, for the thousands of a bulk job that follow. */
let loaded: Awaited<ReturnType<typeof loadKeyed>> | undefined;

/** Calls a keyed create; without its key it is an unkeyed one. */
export async function callKeyed(
  calls: Calls,
  client: Pick<Client, 'call' | 'pages'>,
  endpoint: Endpoint,
  values: Values,
  options: CallOptions,
): Promise<unknown> {
  loaded ??= await loadKeyed();
  const { createKeyed, keyOf, lookUp } = loaded;
  const key = keyOf(endpoint, values);
  if (key === undefined) return callSafely(calls, endpoint, values, options);
  const out = calls.request(endpoint, values);
  const created = await createKeyed({
    wire: calls.wire,
    out,
    key,
    options,
    read: (answer) => objectOf(endpoint, aboutOf(calls.wire, out), answer),
    lookUp: () => lookUp(client, endpoint, values, options),
  });
  if ('value' in created) return created.value;
  throw await refusal(calls, out, created.refused, options);
}
