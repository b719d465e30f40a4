/**
 * The frame around the authorization pages: style, security headers, escaping. Everything is in the page, so that it
 * works without a network, and nothing in it runs.
 */
import type { HttpResponse } from '../../core/http.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text made fit to stand in HTML, in quoted attributes too. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

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
  const { createHash } = await import('node:crypto');
  const styleHash = createHash('sha256').update(STYLE).digest('base64');
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': [
        "default-src 'none'",
        `style-src 'sha256-${styleHash}'`,
        // The empty icon, which keeps browsers from asking for another.
        'img-src data:',
        `form-action ${["'self'", ...formTargets].join(' ')}`,
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ].join('; '),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    },
    body: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`,
  };
}
