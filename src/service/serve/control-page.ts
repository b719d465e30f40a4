/** The page at the control route: state, requests and faults of a running service. */
import { BASE_STYLE, hashSource, htmlDocument, pageHeaders, policyOf } from '../../core/html.js';
import type { HttpResponse } from '../../core/http.js';

const STYLE = `${BASE_STYLE}
body { font-size: .9375rem; padding: 1.25rem; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: baseline; margin-bottom: 1rem; }
h1 { font-size: 1.25rem; } h2 { font-size: 1rem; margin-bottom: .5rem; }
main { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr) minmax(0, 2fr); }
@media (max-width: 56rem) { main { grid-template-columns: minmax(0, 1fr); } }
section { background: var(--card); border: 1px solid var(--line); border-radius: .625rem; padding: 1rem; }
.stack { display: grid; gap: 1rem; align-content: start; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { padding: .2rem .5rem .2rem 0; text-align: left; border-top: 1px solid var(--line); vertical-align: top; }
th { color: var(--soft); font-weight: 500; border: 0; }
td.path { overflow-wrap: anywhere; } .soft { color: var(--soft); } .bad { color: var(--bad); } .good { color: var(--good); }
code, td.path, pre { font: .8125rem/1.5 ui-monospace, monospace; }
pre { overflow: auto; max-height: 20rem; white-space: pre-wrap; overflow-wrap: anywhere; }
tr.entry { cursor: pointer; } tr.entry:hover, tr.entry:focus { background: var(--page); }
form { display: flex; flex-wrap: wrap; gap: .5rem; margin-top: .75rem; }
input { flex: 1 1 12rem; min-width: 0; }
input, button, select { font: inherit; padding: .3rem .6rem; border: 1px solid var(--line); border-radius: .4rem;
  background: var(--page); color: inherit; }
button { cursor: pointer; } button.main { background: var(--accent); color: var(--card); border-color: var(--accent); }
`;

/** Runs in the browser: reads the control route once a second and inserts the data as text, never as HTML. */
const SCRIPT = `
'use strict';
const base = location.pathname.replace(/\\/$/, '');
const el = (id) => document.getElementById(id);
const control = async (method, path, body) => {
  const answer = await fetch(base + path, { method, headers: { 'X-Edu-Control': '1' }, body: body && JSON.stringify(body) });
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.message);
  return value;
};
const cell = (row, text, className) => {
  const made = row.insertCell();
  made.textContent = text;
  if (className) made.className = className;
};
const rows = (id, items, fill) => {
  const body = el(id);
  body.replaceChildren();
  for (const item of items) fill(body.insertRow(), item);
};
const show = (entry) => {
  el('details').textContent = JSON.stringify(entry, null, 2);
};
const seen = [];
let last = 0;
async function refresh() {
  try {
    const [state, { counts }, { requests }] = await Promise.all([
      control('GET', ''), control('GET', '/state'), control('GET', '/requests?after=' + last)]);
    el('facts').textContent = state.baseUrl + ' · seed ' + state.seed + ' · ' + state.now;
    rows('counts', Object.entries(counts), (row, [name, count]) => { cell(row, name); cell(row, count); });
    rows('faults', state.faults, (row, { fault, met, hit }) => {
      const { action, ...rest } = fault;
      cell(row, action); cell(row, Object.entries(rest).map((pair) => pair.join('=')).join(' '), 'path');
      cell(row, hit + ' of ' + met);
    });
    for (const entry of requests) { seen.unshift(entry); last = entry.number; }
    seen.length = Math.min(seen.length, 200);
    if (requests.length > 0) rows('requests', seen, (row, entry) => {
      row.className = 'entry'; row.tabIndex = 0;
      row.onclick = () => show(entry);
      row.onkeydown = (event) => { if (event.key === 'Enter') show(entry); };
      cell(row, entry.number, 'soft'); cell(row, entry.method); cell(row, entry.path, 'path');
      cell(row, entry.status || 'none', entry.status === 0 || entry.status >= 400 ? 'bad' : 'good');
      cell(row, entry.faults.join(', '), 'soft');
    });
    el('status').textContent = '';
  } catch (error) {
    el('status').textContent = error.message;
  }
}
const act = (id, event, work) => el(id).addEventListener(event, async (given) => {
  given.preventDefault();
  try { await work(); await refresh(); } catch (error) { el('status').textContent = error.message; }
});
act('add', 'submit', async () => { await control('POST', '/faults', [el('rule').value]); el('rule').value = ''; });
act('clear', 'click', () => control('DELETE', '/faults'));
act('advance', 'submit', () => control('POST', '/clock', { advance: el('time').value }));
act('reset', 'click', () => control('POST', '/reset', { seed: 'demo' }));
const loop = () => refresh().then(() => setTimeout(loop, 1000));
loop();
`;

const POLICY = policyOf(STYLE, [`script-src ${hashSource(SCRIPT)}`, "connect-src 'self'", "form-action 'none'"]);

/** The page loads nothing and connects only to the control route of its own origin. */
export const controlPage = (): HttpResponse => ({
  status: 200,
  headers: pageHeaders(POLICY, 'no-referrer'),
  body: htmlDocument({
    title: 'edu offline serve',
    style: STYLE,
    body: `<header><h1>edu offline serve</h1><span id="facts" class="soft"></span><span id="status" class="bad" role="status"></span></header>
<main>
<div class="stack">
<section><h2>State</h2>
<table><tbody id="counts"></tbody></table>
<form id="advance"><input id="time" value="1h" aria-label="Time"><button>Advance clock</button>
<button id="reset" type="button">Reset to demo</button></form></section>
<section><h2>Faults</h2>
<table><tbody id="faults"></tbody></table>
<form id="add"><input id="rule" placeholder="POST /v1/licenses 503 times=1" aria-label="Fault" required>
<button class="main">Add fault</button><button id="clear" type="button">Clear</button></form></section>
</div>
<div class="stack">
<section><h2>Requests</h2>
<table><thead><tr><th>#</th><th>Method</th><th>Path</th><th>Status</th><th>Faults</th></tr></thead>
<tbody id="requests"></tbody></table></section>
<section><h2>Request</h2><pre id="details" class="soft">Choose a request.</pre></section>
</div>
</main>
<script>${SCRIPT}</script>`,
  }),
});
