/** Decides which redirects are followed: those of reads within the origin, and those of downloads. */
import type { HttpResponse } from '../../core/http.js';
import { shellLine } from '../../core/shell.js';
import { invalidResponse } from './answer.js';
import { aboutOf, type ClientState } from './client-state.js';
import type { Outgoing } from './request.js';

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The target of a redirect; undefined for other responses. @throws EduError `invalid_response` if it is not followed */
export function redirectOf(
  state: ClientState,
  out: Outgoing,
  from: string,
  response: HttpResponse,
  hops: number,
): string | undefined {
  if (!REDIRECTS.has(response.status)) return undefined;
  const refusal = (what: string, hint?: string) => invalidResponse(aboutOf(state, out), response, what, hint);
  const { location = '' } = response.headers;
  if (location === '' || !URL.canParse(location, from)) throw refusal('a redirect without a valid address');
  const to = new URL(location, from);
  const { origin, protocol } = to;
  if (protocol !== 'https:' && protocol !== 'http:')
    throw refusal('a redirect to an address that is not http or https');
  to.username = '';
  to.password = '';
  to.hash = '';
  // Never recommends an unencrypted address.
  const moved =
    origin === new URL(from).origin || protocol !== 'https:'
      ? undefined
      : `If the service has moved there, set the base URL: ${shellLine('edu', 'config', 'set', 'base-url', origin)}`;
  if (out.method !== 'GET' && out.method !== 'HEAD')
    throw refusal(`a redirect to ${origin}, which is not followed for a ${out.method}`, moved);
  if (hops >= MAX_REDIRECTS) throw refusal(`more than ${MAX_REDIRECTS} redirects, the last to ${origin}`);
  if (origin === new URL(out.url).origin) return to.href;
  if (!out.isDownload) throw refusal(`a redirect to another origin, ${origin}`, moved);
  if (protocol !== 'https:' && new URL(from).protocol === 'https:') throw refusal(`a redirect from https to ${origin}`);
  return to.href;
}
