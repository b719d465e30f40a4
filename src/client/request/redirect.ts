/** Decides which redirects are followed: those of reads within the origin, and those of downloads. */
import type { HttpResponse } from '../../core/http.js';
import { nonsense } from './answer.js';
import { aboutOf, type Wire } from './client-state.js';
import type { Outgoing } from './request.js';

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The target of a redirect; undefined for other responses. @throws EduError `invalid_response` if it is not followed */
export function redirectOf(
  wire: Wire,
  out: Outgoing,
  from: string,
  response: HttpResponse,
  hops: number,
): string | undefined {
  if (!REDIRECTS.has(response.status)) return undefined;
  const about = aboutOf(wire, out);
  const { location = '' } = response.headers;
  if (location === '' || !URL.canParse(location, from))
    throw nonsense(about, response, 'a redirect without a valid address');
  const to = new URL(location, from);
  if (to.protocol !== 'https:' && to.protocol !== 'http:')
    throw nonsense(about, response, 'a redirect to an address that is not http or https');
  to.username = '';
  to.password = '';
  to.hash = '';
  if (out.method !== 'GET' && out.method !== 'HEAD') {
    throw nonsense(
      about,
      response,
      `a redirect to ${to.origin}, which is not followed for a ${out.method}`,
      movedHint(to, from),
    );
  }
  if (hops >= MAX_REDIRECTS)
    throw nonsense(about, response, `more than ${MAX_REDIRECTS} redirects, the last to ${to.origin}`);
  const home = new URL(out.url).origin;
  if (to.origin !== home && !out.isDownload) {
    throw nonsense(about, response, `a redirect to another origin, ${to.origin}`, movedHint(to, from));
  }
  if (to.origin !== home && to.protocol !== 'https:' && new URL(from).protocol === 'https:') {
    throw nonsense(about, response, `a redirect from https to ${to.origin}`);
  }
  return to.href;
}

/** Never recommends an unencrypted address. */
const movedHint = (to: URL, from: string): string | undefined =>
  to.origin === new URL(from).origin || to.protocol !== 'https:'
    ? undefined
    : `If the service has moved there, set the base URL: edu config set base-url ${to.origin}`;
