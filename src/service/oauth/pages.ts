/** The authorization pages: consent, and errors that must not be redirected. */

import { escapeHtml } from '../../core/html.js';
import type { HttpResponse } from '../../core/http.js';
import { pageResponse } from './html.js';
import type { Persona } from './records.js';

/** Isolates text of unknown direction, so that a right-to-left name does not reorder the text around it. */
const isolated = (text: string): string => `<bdi>${escapeHtml(text)}</bdi>`;

const personaChoice = (persona: Persona, checked: boolean): string => `<label class="persona">
<input type="radio" name="persona" value="${escapeHtml(persona.name)}" required${checked ? ' checked' : ''}>
<span><b>${isolated(`${persona.firstName} ${persona.lastName}`)}</b>
<small>${isolated(persona.organization.name)}</small>
<small>${escapeHtml(persona.about)}</small></span>
</label>`;

export interface Consent {
  readonly applicationName: string;
  readonly personas: readonly Persona[];
  /** Where the browser is sent after the decision. */
  readonly redirectUri: string;
  /** Secret of this page, sent back with the form. */
  readonly token: string;
}

/** The form's CSP source. CSP also applies to the redirect after the form, and has no notation for IPv6 addresses. */
function formTarget(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri);
  return hostname.startsWith('[') ? protocol : origin;
}

export const consentPage = ({ applicationName, personas, redirectUri, token }: Consent): Promise<HttpResponse> =>
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

export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly reason: string;
  /** What the user can do. */
  readonly next: string;
}

/** The page for an invalid request that must not be redirected. */
export const problemPage = ({ status, title, reason, next }: Problem): Promise<HttpResponse> =>
  pageResponse(status, {
    title,
    main: `<p class="mark alarm"><span>edu</span> bundled practice service</p>
<h1>${escapeHtml(title)}</h1>
<p class="reason">${escapeHtml(reason)}</p>
<p>${escapeHtml(next)}</p>`,
  });
