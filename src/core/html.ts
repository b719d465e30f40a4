/** Parts of HTML pages: escaping, styles, security headers and the document. */
import { createHash } from 'node:crypto';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML, including quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Colours for light and dark mode, and a reset, for all pages. */
export const BASE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #eef1f6; --card: #ffffff; --text: #16202e; --soft: #55617a; --line: #dfe5ee; --well: #f3f6fb;
  --accent: #1d5fd1; --on-accent: #ffffff; --good: #1a7f4b; --bad: #b3261e;
  --shadow: 0 1px 2px rgb(22 32 46 / .08), 0 12px 32px rgb(22 32 46 / .10);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e131b; --card: #171e29; --text: #e8edf5; --soft: #a3b0c5; --line: #2a3546; --well: #121822;
    --accent: #8ab4ff; --on-accent: #0b1a33; --good: #6fd8a0; --bad: #ff9b91;
    --shadow: 0 0 0 1px #232d3c, 0 12px 32px rgb(0 0 0 / .4);
  }
}
* { box-sizing: border-box; margin: 0; }
body { background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif; }
code { font: .9em ui-monospace, "Cascadia Mono", "Noto Sans Mono", Menlo, monospace; overflow-wrap: anywhere; }
`;

/** Style of a card in the middle of the window. */
export const CARD_STYLE = `
body { min-height: 100vh; padding: 2rem 1rem; display: grid; place-items: center; }
main { width: 100%; border-radius: 1rem; background: var(--card); box-shadow: var(--shadow); }
h1 { font-size: 1.375rem; line-height: 1.3; text-wrap: balance; }
`;

/** `'sha256-…'` of a style or script, for a content security policy. */
export const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The policy of a page that loads and runs nothing except its style. @param more further directives */
export const policyOf = (style: string, more: readonly string[] = []): string =>
  [
    "default-src 'none'",
    `style-src ${hashSource(style)}`,
    // Allows an empty icon, which prevents a request for a favicon.
    'img-src data:',
    "frame-ancestors 'none'",
    "base-uri 'none'",
    ...more,
  ].join('; ');

/** Headers of a page that cannot be framed or cached. */
export const pageHeaders = (policy: string, referrer: 'no-referrer' | 'same-origin') => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': referrer,
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
});

export interface HtmlDocument {
  readonly title: string;
  readonly style: string;
  readonly body: string;
  /** The policy of a page that is saved as a file, without headers. */
  readonly policy?: string;
}

export const htmlDocument = ({ title, style, body, policy }: HtmlDocument): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${policy === undefined ? '' : `<meta http-equiv="Content-Security-Policy" content="${policy}">\n`}<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
