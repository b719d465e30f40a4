/** The look of the authorization pages, light and dark. It is part of every page; nothing is loaded. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #eef1f6; --card: #ffffff; --text: #16202e; --soft: #55617a; --line: #d3dae6; --well: #f6f8fb;
  --accent: #1d5fd1; --accent-strong: #174fae; --on-accent: #ffffff; --chosen: #e8f0fe; --alarm: #b3261e;
  --shadow: 0 1px 2px rgb(22 32 46 / .08), 0 12px 32px rgb(22 32 46 / .10);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e131b; --card: #171e29; --text: #e8edf5; --soft: #a3b0c5; --line: #303b4d; --well: #121822;
    --accent: #8ab4ff; --accent-strong: #aecbff; --on-accent: #0b1a33; --chosen: #1c2b45; --alarm: #ff9b91;
    --shadow: 0 0 0 1px #232d3c, 0 12px 32px rgb(0 0 0 / .4);
  }
}
* { box-sizing: border-box; margin: 0; }
body {
  min-height: 100vh; padding: 2rem 1rem; display: grid; place-items: center;
  background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
}
main {
  width: 100%; max-width: 30rem; padding: 2rem; border-radius: 1rem;
  background: var(--card); box-shadow: var(--shadow);
}
h1 { font-size: 1.375rem; line-height: 1.3; text-wrap: balance; }
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
.mark.alarm span { background: var(--alarm); color: var(--card); }
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
code { font-family: ui-monospace, "Cascadia Mono", "Noto Sans Mono", Menlo, monospace; font-size: .9em; overflow-wrap: anywhere; }
@media (max-width: 26rem) { main { padding: 1.5rem 1.25rem; } .buttons { flex-direction: column; } }
@media (forced-colors: active) { .persona:has(input:checked) { outline: 2px solid Highlight; } button { border-color: ButtonText; } }
`;
