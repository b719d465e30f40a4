/**
 * The frame of the authorization pages: style, security headers, escaping. Pages are self-contained and run no
 * scripts.
 */
import type { HttpResponse } from '../../core/http.js';

export interface Page {
  readonly title: string;
  /** HTML of the main part. */
  readonly main: string;
  /** Where forms of the page may lead to, besides this service: sources in the notation of CSP. */
  readonly formTargets?: readonly string[];
}

/**
 * A page as a response that can't be framed, cached, or made to load or run anything.
 * `Referrer-Policy` is `same-origin`, not `no-referrer`: with the latter browsers send `Origin: null` with the form.
 */
export async function pageResponse(status: number, { title, main, formTargets = [] }: Page): Promise<HttpResponse> {
  const { STYLE } = await import('./style.js');
  const { htmlDocument, pageHeaders, policyOf } = await import('../../core/html.js');
  const policy = policyOf(STYLE, [`form-action ${["'self'", ...formTargets].join(' ')}`]);
  return {
    status,
    headers: pageHeaders(policy, 'same-origin'),
    body: htmlDocument({ title, style: STYLE, body: `<main>\n${main}\n</main>` }),
  };
}
