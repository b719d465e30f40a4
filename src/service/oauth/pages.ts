/** The authorization and editor pages. They load nothing and run no scripts. */
import { escapeHtml, htmlDocument, pageHeaders, policyOf } from '../../core/html.js';
import type { HttpResponse } from '../../core/http.js';
import type { Persona } from './consents.js';
import { STYLE } from './style.js';

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
  readonly redirectUri: string;
  /** Secret of this page, sent back with the form. */
  readonly token: string;
}

/** The form's CSP source. CSP also applies to the redirect after the form, and has no notation for IPv6 addresses. */
function formTarget(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri);
  return hostname.startsWith('[') ? protocol : origin;
}

export const consentPage = ({ applicationName, personas, redirectUri, token }: Consent): HttpResponse =>
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
