/** The layout of the authorization and editor pages: style and security headers. They load nothing and run no scripts. */
import type { HttpResponse } from '../../core/http.js';

export interface Page {
  readonly title: string;
  /** HTML. */
  readonly main: string;
  /** CSP sources that forms of the page may lead to, in addition to this service. */
  readonly formTargets?: readonly string[];
}

/** `Referrer-Policy` is `same-origin` because `no-referrer` makes browsers send `Origin: null` with the form. */
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
