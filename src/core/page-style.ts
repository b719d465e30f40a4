/** The look of the pages after a login, light and dark. It is part of each page; nothing is loaded. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #eef1f6; --card: #ffffff; --text: #16202e; --soft: #55617a; --line: #dfe5ee; --well: #f3f6fb;
  --done: #1a7f4b; --refused: #8a5a00; --failed: #b3261e;
  --shadow: 0 1px 2px rgb(22 32 46 / .08), 0 12px 32px rgb(22 32 46 / .10);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e131b; --card: #171e29; --text: #e8edf5; --soft: #a3b0c5; --line: #2a3546; --well: #121822;
    --done: #6fd8a0; --refused: #f0c36d; --failed: #ff9b91;
    --shadow: 0 0 0 1px #232d3c, 0 12px 32px rgb(0 0 0 / .4);
  }
}
* { box-sizing: border-box; margin: 0; }
body {
  min-height: 100vh; padding: 2rem 1rem; display: grid; place-items: center;
  background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", sans-serif;
}
main {
  width: 100%; max-width: 27rem; padding: 2.5rem 2rem 1.75rem; border-radius: 1rem; text-align: center;
  background: var(--card); box-shadow: var(--shadow);
}
.done { --tone: var(--done); } .refused { --tone: var(--refused); } .failed { --tone: var(--failed); }
svg {
  width: 3.5rem; height: 3.5rem; padding: .75rem; border-radius: 50%; display: block; margin: 0 auto 1.25rem;
  color: var(--tone); background: color-mix(in srgb, var(--tone) 14%, transparent);
}
h1 { font-size: 1.375rem; line-height: 1.3; letter-spacing: -.01em; text-wrap: balance; }
p { margin-top: .5rem; color: var(--soft); text-wrap: pretty; }
code {
  padding: .125rem .375rem; border-radius: .375rem; background: var(--well); color: var(--text);
  font: .9em ui-monospace, "Cascadia Mono", "Noto Sans Mono", Menlo, monospace;
}
footer {
  margin-top: 1.75rem; padding-top: 1.25rem; border-top: 1px solid var(--line);
  color: var(--soft); font-size: .875rem;
}
footer b { color: var(--text); }
@media (max-width: 24rem) { main { padding: 2rem 1.25rem 1.5rem; } }
`;
