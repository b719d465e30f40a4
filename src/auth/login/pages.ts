/** The pages that a browser shows at the end of a login, constant so that no request can inject anything. */
import { BASE_STYLE, CARD_STYLE, htmlDocument, pageHeaders, policyOf } from '../../core/html.js';

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const STYLE = `${BASE_STYLE}${CARD_STYLE}
main { max-width: 27rem; padding: 2.5rem 2rem; text-align: center; }
p { margin-top: .5rem; color: var(--soft); text-wrap: pretty; }
`;

const HEADERS = {
  ...pageHeaders(policyOf(STYLE, ["form-action 'none'"]), 'no-referrer'),
  'cross-origin-opener-policy': 'same-origin',
} as const;

const page = (status: number, title: string, text: string): Page => ({
  status,
  headers: HEADERS,
  body: htmlDocument({
    title: `${title} – edu`,
    style: STYLE,
    body: `<main><h1>${title}</h1><p>${text}</p><p>You can close this tab and go back to the terminal.</p></main>`,
  }),
});

export const DONE = page(200, 'You are logged in', 'The token is stored.');

export const REFUSED = page(
  403,
  'Access was denied',
  "No token was stored. The terminal shows the service's answer and how to try again.",
);

/** The redirect arrived, but led to no valid token. */
export const FAILED = page(
  502,
  'Login failed',
  'No token was stored. The terminal shows the reason. To try again, run <code>edu auth login</code>.',
);

/** For all requests except the expected redirect, with a status of its own for each reason. */
export const TURNED_AWAY: Omit<Page, 'status'> = {
  headers: { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' },
  body: 'This is not the redirect that edu is waiting for.\n',
};
