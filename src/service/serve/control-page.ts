/** The page at the control route: state, requests and faults of a running service. */
import { BASE_STYLE, hashSource, htmlDocument, pageHeaders, policyOf } from '../../core/html.js';
import type { HttpResponse } from '../../core/http.js';
import { SEED_NAMES } from '../seeds/seed.js';

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
td.path { overflow-wrap: anywhere; } #requests td.path { min-width: 12rem; } .soft { color: var(--soft); } .bad { color: var(--bad); } .good { color: var(--good); }
code, td.path, pre { font: .8125rem/1.5 ui-monospace, monospace; }
pre { overflow: auto; max-height: 20rem; white-space: pre-wrap; overflow-wrap: anywhere; }
tr.entry { cursor: pointer; } tr.entry:focus-visible { outline: 2px solid var(--accent); } tr.entry:hover, tr.entry:focus { background: var(--page); }
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
  const body = el(id), text = JSON.stringify(items);
  if (body.shown === text) return;
  body.shown = text;
  const focused = body.contains(document.activeElement) && document.activeElement.dataset.key;
  body.replaceChildren();
  for (const item of items) {
    const row = body.insertRow();
    fill(row, item);
    row.dataset.key = item.number ?? item[0];
    if (row.dataset.key === focused) row.focus({ preventScroll: true });
  }
};
const quoted = (text) => "'" + text.replaceAll("'", "'\\\\''") + "'";
let shown;
const show = (value, entry) => {
  el('details').textContent = JSON.stringify(value, null, 2);
  el('copy').hidden = entry === undefined;
  shown = entry;
};
const curlOf = ({ method, path, headers, body }) => ['curl', '-g', '-X', method,
  ...Object.entries(headers).filter(([name]) => ['authorization', 'content-type', 'accept'].includes(name))
    .flatMap((pair) => ['-H', quoted(pair.join(': '))]),
  ...(body === undefined ? [] : ['-d', quoted(JSON.stringify(body))]), quoted(state.baseUrl + path)].join(' ');
const choosable = (row, work) => {
  row.className = 'entry'; row.tabIndex = 0; row.onclick = work;
  row.onkeydown = (event) => { if (event.key === 'Enter') work(); };
};
let state;
async function refresh() {
  try {
    const [now, { counts }, { emails }] = await Promise.all([
      control('GET', ''), control('GET', '/state'), control('GET', '/emails')]);
    state = now;
    const { requests } = await control('GET', '/requests?after=' + Math.max(0, state.requests - 200));
    el('facts').textContent = state.baseUrl + ' · seed ' + state.seed + ' · ' + state.now;
    rows('counts', Object.entries(counts), (row, [name, count]) => {
      cell(row, name); cell(row, count);
      choosable(row, () => act(async () => show((await control('GET', '/state/' + name)).items)));
    });
    rows('emails', emails, (row, email) => {
      cell(row, email.at.slice(11, 19), 'soft'); cell(row, email.to, 'path'); cell(row, email.password, 'path');
    });
    rows('faults', state.faults, (row, { fault, met, hit }) => {
      const { action, ...rest } = fault;
      cell(row, action); cell(row, Object.entries(rest)
        .map(([name, value]) => name + '=' + (typeof value === 'object' ? JSON.stringify(value) : value)).join(' '), 'path');
      cell(row, hit + ' of ' + met);
    });
    rows('requests', requests.reverse(), (row, entry) => {
      choosable(row, () => show(entry, entry));
      cell(row, entry.number, 'soft'); cell(row, entry.at.slice(11, 19), 'soft'); cell(row, entry.method); cell(row, entry.path, 'path');
      cell(row, entry.status || 'none', entry.status === 0 || entry.status >= 400 ? 'bad' : 'good');
      cell(row, entry.milliseconds === undefined ? '' : entry.milliseconds + ' ms', 'soft');
      cell(row, entry.caller ? entry.caller.persona || entry.caller.email || entry.caller.id : '', 'soft');
      cell(row, [...entry.faults, ...entry.warnings].join(', '), 'soft');
    });
    el('status').textContent = '';
  } catch (error) {
    el('status').textContent = error.message;
  }
}
const act = async (work) => {
  try { await work(); await refresh(); } catch (error) { el('status').textContent = error.message; }
};
const on = (id, event, work) => el(id).addEventListener(event, (given) => { given.preventDefault(); act(work); });
on('add', 'submit', async () => { await control('POST', '/faults', [el('rule').value]); el('rule').value = ''; });
on('clear', 'click', () => control('DELETE', '/faults'));
on('advance', 'submit', () => control('POST', '/clock', { advance: el('time').value }));
on('reset', 'submit', async () => {
  const seed = el('seed').value;
  if (confirm('Reset everything to the seed ' + seed + '? The data are lost.')) await control('POST', '/reset', { seed });
});
on('copy', 'click', () => navigator.clipboard.writeText(curlOf(shown)));
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
</form>
<form id="reset"><select id="seed" aria-label="Seed">${SEED_NAMES.map((name) => `<option>${name}</option>`).join('')}</select>
<button>Reset…</button></form></section>
<section><h2>Faults</h2>
<table><tbody id="faults"></tbody></table>
<form id="add"><input id="rule" placeholder="POST /v1/licenses 503 times=1" aria-label="Fault" required>
<button class="main">Add fault</button><button id="clear" type="button">Clear</button></form></section>
<section><h2>E-mails</h2>
<table><thead><tr><th>Time</th><th>To</th><th>Password</th></tr></thead><tbody id="emails"></tbody></table></section>
</div>
<div class="stack">
<section><h2>Requests</h2>
<table><thead><tr><th>#</th><th>Time</th><th>Method</th><th>Path</th><th>Status</th><th>Duration</th><th>Caller</th><th>Faults, warnings</th></tr></thead>
<tbody id="requests"></tbody></table></section>
<section><h2>Details</h2><button id="copy" type="button" hidden>Copy as curl</button>
<pre id="details" class="soft" tabindex="0">Choose a request, or a row of the state.</pre></section>
</div>
</main>
<script>${SCRIPT}</script>`,
  }),
});
