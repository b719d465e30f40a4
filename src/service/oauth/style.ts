/** The style of the authorization pages, light and dark, included in each page. */
import { BASE_STYLE, CARD_STYLE } from '../../core/html.js';

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
