/** Calls an endpoint: sends the request with the retries that its contract row permits, and checks the response. */
import type { Endpoint } from '../../contract/vocabulary.js';
import type { EduError } from '../../core/errors.js';
import type { Access } from '../errors/diagnose-403.js';
import { refusalOf } from '../errors/refusal.js';
import { objectOf, type Received } from './answer.js';
import type { CallOptions } from './client.js';
import { aboutOf, type ClientState } from './client-state.js';
import type { CommonHeaders, Outgoing, Values } from './request.js';
import { sendAndRead } from './retry.js';

/** Shared by all calls of a client. */
export interface Calls {
  readonly state: ClientState;
  readonly access: Access;
  readonly baseUrl: string;
  readonly headers: CommonHeaders;
  readonly request: (endpoint: Endpoint, values: Values) => Outgoing;
}

export const isSuccess = ({ status }: Pick<Received, 'status'>): boolean => status >= 200 && status < 300;

/** The error for a response that is not a success. */
export async function refusal(
  { state, access }: Calls,
  out: Outgoing,
  answer: Received,
  options: CallOptions,
): Promise<EduError> {
  if (answer.status === 401 || answer.status === 403) return access.denial(out, answer, options);
  return refusalOf(aboutOf(state, out), answer);
}

/** Sends a GET, with retries, and checks its response. @throws EduError */
export async function read(calls: Calls, endpoint: Endpoint, values: Values, options: CallOptions): Promise<unknown> {
  const out = calls.request(endpoint, values);
  return sendAndRead(calls.state, out, options, async (answer) => {
    if (isSuccess(answer)) return objectOf(endpoint, () => aboutOf(calls.state, out), answer);
    throw await refusal(calls, out, answer, options);
  });
}
