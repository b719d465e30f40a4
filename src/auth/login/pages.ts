/** The pages that a browser shows at the end of a login, constant so that no request can inject anything. */
import { BASE_STYLE, CARD_STYLE, htmlDocument, pageHeaders, policyOf } from '../../core/html.js';

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const STYLE = `${BASE_STYLE}${CARD_STYLE}
:root { --refused: #8a5a00; }
@media (prefers-color-scheme: dark) { :root { --refused: #f0c36d; } }
main { max-width: 27rem; padding: 2.5rem 2rem 1.75rem; text-align: center; }
.done { --tone: var(--good); } .refused { --tone: var(--refused); } .failed { --tone: var(--bad); }
svg {
  width: 3.5rem; height: 3.5rem; padding: .75rem; border-radius: 50%; display: block; margin: 0 auto 1.25rem;
  color: var(--tone); background: color-mix(in srgb, var(--tone) 14%, transparent);
}
p { margin-top: .5rem; color: var(--soft); text-wrap: pretty; }
code {
  padding: .125rem .375rem; border-radius: .375rem; background: var(--well); color: var(--text);
}
footer {
  margin-top: 1.75rem; padding-top: 1.25rem; border-top: 1px solid var(--line);
  color: var(--soft); font-size: .875rem;
}
footer b { color: var(--text); }
@media (max-width: 24rem) { main { padding: 2rem 1.25rem 1.5rem; } }
`;

const HEADERS = {
  ...pageHeaders(policyOf(STYLE, ["form-action 'none'"]), 'no-referrer'),
  'cross-origin-opener-policy': 'same-origin',
} as const;

const ICONS = {
  done: '<path d="m4.5 12.5 5 5 10-11"/>',
  refused: '<circle cx="12" cy="12" r="9"/><path d="m5.8 5.8 12.4 12.4"/>',
  failed: '<path d="M12 5v9"/><path d="M12 18.8v.2"/>',
} as const;

const page = (status: number, tone: keyof typeof ICONS, title: string, text: string): Page => ({
  status,
  headers: HEADERS,
  body: htmlDocument({
    title: `${title} – edu`,
    style: STYLE,
    body: `<main class="${tone}">
<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.25" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${ICONS[tone]}</svg>
<h1>${title}</h1>
<p>${text}</p>
<footer><b>edu</b> · You can close this tab and go back to the terminal.</footer>
</main>`,
  }),
});

export const DONE = page(200, 'done', 'You are logged in', 'You can close this page and return to the terminal.');

export const REFUSED = page(
  403,
  'refused',
  'Access was denied',
  "No token was stored. The terminal shows the service's answer and how to try again.",
);

/** The redirect arrived, but led to no valid token. */
export const FAILED = page(
  502,
  'failed',
  'Login failed',
  'No token was stored. The terminal shows the reason. To try again, run <code>edu auth login</code>.',
);

/** For all requests except the expected redirect. */
export const TURNED_AWAY: Page = {
  status: 400,
  headers: { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' },
  body: 'This is not the redirect that edu is waiting for.\n',
};
