/** The check that keeps pages of other sites from sending forms and control requests. */
import type { HttpRequest } from '../core/http.js';

/** Browsers send these headers with every request of a page; programs without them are no browsers. */
export function isSameOrigin({ url, headers }: HttpRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  return (origin === undefined || origin === new URL(url).origin) && (site === undefined || site === 'same-origin');
}
