/** The authorization and editor pages. They load nothing and run no scripts. */
import { BASE_STYLE, CARD_STYLE, escapeHtml, htmlDocument, pageHeaders, policyOf } from '../../core/html.js';
import type { HttpResponse } from '../../core/http.js';
import type { User } from '../store/records.js';
import type { Persona } from './consents.js';

export const STYLE = `${BASE_STYLE}${CARD_STYLE}
:root { --accent-strong: #174fae; --chosen: #e8f0fe; }
@media (prefers-color-scheme: dark) { :root { --accent-strong: #aecbff; --chosen: #1c2b45; } }
main { max-width: 30rem; padding: 2rem; }
p { margin-top: .625rem; color: var(--soft); }
.reason { color: var(--text); }
.mark {
  display: flex; align-items: center; gap: .625rem; margin: 0 0 1.25rem;
  color: var(--soft); font-size: .875rem;
}
.mark span {
  padding: .125rem .5rem; border-radius: .5rem; background: var(--accent); color: var(--on-accent);
  font-weight: 700; font-size: 1rem; letter-spacing: -.01em;
}
.mark.alarm span { background: var(--bad); color: var(--card); }
fieldset { margin-top: 1.5rem; padding: 0; border: 0; min-width: 0; }
legend { padding: 0; font-weight: 600; }
.persona {
  position: relative; display: grid; grid-template-columns: auto 1fr; gap: 0 .875rem; align-items: center;
  margin-top: .5rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .75rem;
  background: var(--well); cursor: pointer;
}
.persona:hover { border-color: var(--accent); }
.persona:has(input:checked) { background: var(--chosen); border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.persona input { width: 1.125rem; height: 1.125rem; accent-color: var(--accent); }
.persona b { display: block; font-weight: 600; }
.persona small { display: block; color: var(--soft); font-size: .875rem; overflow-wrap: anywhere; }
.other { display: block; margin-top: .875rem; color: var(--soft); font-size: .875rem; }
.other input {
  display: block; width: 100%; box-sizing: border-box; margin-top: .25rem; padding: .5rem .75rem; border: 1px solid var(--line);
  border-radius: .625rem; background: var(--well); color: var(--text); font: inherit; font-size: 1rem;
}
.other input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.buttons { display: flex; gap: .75rem; margin-top: 1.75rem; }
button {
  flex: 1; min-height: 2.75rem; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .625rem;
  background: transparent; color: var(--text); font: inherit; font-weight: 600; cursor: pointer;
}
button:hover { border-color: var(--accent); }
button.allow { border-color: transparent; background: var(--accent); color: var(--on-accent); }
button.allow:hover { background: var(--accent-strong); }
.persona:focus-within, button:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.persona input:focus-visible { outline: none; }
dl {
  margin-top: 1.5rem; padding-top: 1.25rem; border-top: 1px solid var(--line);
  color: var(--soft); font-size: .875rem; display: grid; grid-template-columns: auto 1fr; gap: .25rem .875rem;
}
dd { color: var(--text); overflow-wrap: anywhere; }
@media (max-width: 26rem) { main { padding: 1.5rem 1.25rem; } .buttons { flex-direction: column; } }
@media (forced-colors: active) { .persona:has(input:checked) { outline: 2px solid Highlight; } button { border-color: ButtonText; } }
`;

interface Page {
  readonly title: string;
  readonly main: string;
  /** CSP sources that forms of the page may lead to, in addition to this service. */
  readonly formTargets?: readonly string[];
}

/** `Referrer-Policy` is `same-origin` because `no-referrer` makes browsers send `Origin: null` with the form. */
export const pageResponse = (status: number, { title, main, formTargets = [] }: Page): HttpResponse => ({
  status,
  headers: pageHeaders(policyOf(STYLE, [`form-action ${["'self'", ...formTargets].join(' ')}`]), 'same-origin'),
  body: htmlDocument({ title, style: STYLE, body: `<main>\n${main}\n</main>` }),
});

/** Isolates text of unknown direction, so that a right-to-left name does not reorder the text around it. */
const isolated = (text: string): string => `<bdi>${escapeHtml(text)}</bdi>`;

const personaChoice = ({ id, about, user, organization }: Persona, checked: boolean): string => `<label class="persona">
<input type="radio" name="persona" value="${escapeHtml(id)}" required${checked ? ' checked' : ''}>
<span><b>${isolated(`${user.firstName} ${user.lastName}`)}</b>
<small>${isolated(organization.name)}</small>
<small>${escapeHtml(about)}</small></span>
</label>`;

export interface Consent {
  readonly applicationName: string;
  readonly personas: readonly Persona[];
  /** Suggestions for another user. */
  readonly others: readonly User[];
  readonly redirectUri: string;
  /** Secret of this page, sent back with the form. */
  readonly token: string;
}

/** The form's CSP source. CSP also applies to the redirect after the form, and has no notation for IPv6 addresses. */
function formTarget(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri);
  return hostname.startsWith('[') ? protocol : origin;
}

export const consentPage = ({ applicationName, personas, others, redirectUri, token }: Consent): HttpResponse =>
  pageResponse(200, {
    title: `Allow ${applicationName}?`,
    formTargets: [formTarget(redirectUri)],
    main: `<p class="mark"><span>edu</span> bundled practice service</p>
<h1>Allow ${isolated(applicationName)} to act for you?</h1>
<p>It will be able to see and change everything that the person you choose may see and change. The data are samples; nothing leaves this machine.</p>
<form method="post" action="authorize">
<input type="hidden" name="consent" value="${escapeHtml(token)}">
<fieldset>
<legend>Log in as</legend>
${personas.map((persona, index) => personaChoice(persona, index === 0)).join('\n')}
<label class="other">Or another user: ID or e-mail address
<input name="user" list="users" autocomplete="off"></label>
<datalist id="users">${others.map(({ id, email, firstName, lastName }) => `<option value="${escapeHtml(id)}">${escapeHtml(`${firstName} ${lastName} ${email ?? ''}`)}</option>`).join('')}</datalist>
</fieldset>
<div class="buttons">
<button class="allow" name="decision" value="allow">Allow</button>
<button name="decision" value="deny" formnovalidate>Don’t allow</button>
</div>
</form>
<dl>
<dt>Then back to</dt><dd><code>${escapeHtml(redirectUri)}</code></dd>
</dl>`,
  });

const START_AGAIN = 'Go back to the application and start the login again.';

/** The page for an invalid request that must not be redirected. @param next what the user can do */
export const problemPage = (status: number, title: string, reason: string, next = START_AGAIN): HttpResponse =>
  pageResponse(status, {
    title,
    main: `<p class="mark alarm"><span>edu</span> bundled practice service</p>
<h1>${escapeHtml(title)}</h1>
<p class="reason">${escapeHtml(reason)}</p>
<p>${escapeHtml(next)}</p>`,
  });
