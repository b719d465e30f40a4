/**
 * The page of `licenses summary --html`: one self-contained document without scripts. Each chart is a table whose bars
 * are drawn in a cell, so that screen readers and print keep the figures.
 */
import { BASE_STYLE, escapeHtml, htmlDocument } from '../../core/html.js';
import { counted } from '../../output/progress/meter.js';
import { escapedExcerpt } from '../../output/sanitize.js';
import type { Row, Tally } from './license-tally.js';
import { GROUPINGS } from './summary-shape.js';

/** Maximum number of groups in a chart; a line below it sums up the rest. */
const MAX_ROWS = 40;
const MONTHS = 12;

const nameHtml = (text: string): string => escapeHtml(escapedExcerpt(text, 200));

const percent = (part: number, whole: number): number => (whole > 0 ? Math.min(100, (part / whole) * 100) : 0);

/** @param length of the bar, in percent of the widest @param filled part of the bar, in percent */
const bar = (length: number, filled: number): string =>
  `<td class="chart" aria-hidden="true"><div class="bar" style="width:${length.toFixed(1)}%">` +
  `<div style="width:${filled.toFixed(1)}%"></div></div></td>`;

/** The title of a column of bars, for screen readers. */
const CHART = '<span class="hidden">Chart</span>';

const head = (titles: readonly string[]): string =>
  `<thead><tr>${titles.map((title) => `<th scope="col">${title}</th>`).join('')}</tr></thead>`;

const figures = (numbers: readonly number[]): string => numbers.map((number) => `<td>${counted(number)}</td>`).join('');

function useRow(row: Row, widest: number): string {
  const name = nameHtml(row.name ?? row.id ?? '');
  const id = row.id === null || row.id === row.name || row.name === null ? '' : ` <small>${nameHtml(row.id)}</small>`;
  return (
    `<tr><th scope="row"><bdi>${name}</bdi>${id}</th>` +
    bar(percent(row.seats, widest), percent(row.activated, row.seats)) +
    `<td>${Math.round(percent(row.activated, row.seats))}%</td>` +
    `${figures([row.activated, row.seats, row.licences, row.full, row.unused, row.expiring])}</tr>`
  );
}

function useChart(group: string, rows: readonly Row[]): string {
  const shown = rows.slice(0, MAX_ROWS);
  const rest = rows.slice(MAX_ROWS);
  const widest = Math.max(1, ...shown.map(({ seats }) => seats));
  const seats = rest.reduce((sum, row) => sum + row.seats, 0);
  const more =
    rest.length === 0 ? '' : `<p>And ${counted(rest.length)} more with ${counted(seats)} seats together.</p>`;
  const name = group.replace(/^./, (letter) => letter.toUpperCase());
  const titles = [name, CHART, 'Use', 'Activated', 'Seats', 'Licences', 'Full', 'Unused', 'Expiring'];
  return (
    `<section><h2>Use by ${group}</h2><div class="wide"><table>${head(titles)}` +
    `<tbody>${shown.map((row) => useRow(row, widest)).join('\n')}</tbody></table></div>${more}</section>`
  );
}

const MONTH_NAMES = 'January February March April May June July August September October November December'.split(' ');

/** The licences that end in each of the months from today, before and after them. */
function endsByMonth(tally: Tally, today: string) {
  const [year = 0, start = 0] = today.split('-').map(Number);
  const days = Array.from({ length: MONTHS + 1 }, (_, index) => new Date(Date.UTC(year, start - 1 + index)));
  const starts = days.map((day) => day.toISOString().slice(0, 7));
  const names = days.slice(0, MONTHS).map((day) => `${MONTH_NAMES[day.getUTCMonth()]} ${day.getUTCFullYear()}`);
  const rows = ['Earlier', ...names, 'Later'].map((name) => ({ name, licences: 0, unused: 0 }));
  for (const [month, { licences, unused }] of tally.months) {
    const row = rows[starts.filter((first) => first <= month).length];
    if (row === undefined) continue;
    row.licences += licences;
    row.unused += unused;
  }
  return rows;
}

function endChart(tally: Tally, today: string): string {
  const rows = endsByMonth(tally, today);
  const widest = Math.max(1, ...rows.map(({ licences }) => licences));
  const lines = rows.map(
    ({ name, licences, unused }) =>
      `<tr><th scope="row">${name}</th>${bar(percent(licences, widest), percent(licences - unused, licences))}` +
      `${figures([licences, unused])}</tr>`,
  );
  const notes = tally.notes().map((note) => `<p>${escapeHtml(note)}.</p>`);
  const titles = ['Month', CHART, 'Licences', 'Of these unused'];
  return `<section><h2>Expiring licences by month</h2><div class="wide"><table>${head(titles)}<tbody>${lines.join('\n')}</tbody></table></div>${notes.join('')}</section>`;
}

export interface PageFacts {
  /** `yyyy-MM-dd` */
  readonly today: string;
  /** The last day that counts as expiring. */
  readonly until: string;
  /** Whose licences these are; undefined if the account does not tell. */
  readonly organization: string | undefined;
  readonly service: string;
}

export function page(tally: Tally, { today, until, organization, service }: PageFacts): string {
  const { licences, seats, activated, full, unused, expiring } = tally.total;
  const facts: readonly (readonly [string, string])[] = [
    ['Licences', counted(licences)],
    ['Seats', counted(seats)],
    ['Activated', `${counted(activated)} (${Math.round(percent(activated, seats))}%)`],
    ['Full', counted(full)],
    ['Unused', counted(unused)],
    [`Ending by ${until}`, counted(expiring)],
  ];
  return htmlDocument({
    title: `Licences on ${today}`,
    style: PAGE_STYLE,
    policy: "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'",
    body: `<main>
<header><h1>Licences on ${today}</h1>
<p>${organization === undefined ? '' : `<bdi>${nameHtml(organization)}</bdi> · `}${nameHtml(service)}</p>
<dl>${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>
<p class="key"><span class="swatch used"></span> activated <span class="swatch"></span> free</p></header>
${endChart(tally, today)}
${GROUPINGS.map((group) => useChart(group, tally.rows(group))).join('\n')}
<footer>A licence counts for each of its books. Made by edu.</footer>
</main>`,
  });
}

const PAGE_STYLE = `${BASE_STYLE}
:root { --free: #c9d6ec; }
@media (prefers-color-scheme: dark) { :root { --free: #34435e; } }
body { padding: 2rem 1rem; }
main { max-width: 64rem; margin: 0 auto; display: grid; gap: 1.25rem; }
header, section { background: var(--card); border-radius: .75rem; padding: 1.5rem; min-width: 0; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.125rem; margin-bottom: .75rem; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem; margin: 1rem 0; }
dt, p, footer, small { color: var(--soft); font-size: .875rem; }
dd { font-size: 1.375rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .3125rem .625rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
thead th { color: var(--soft); font-size: .8125rem; font-weight: 500; }
th:first-child { text-align: left; padding-left: 0; }
tbody th { font-weight: 500; white-space: normal; overflow-wrap: anywhere; min-width: 9rem; }
.chart { width: 40%; min-width: 8rem; }
.bar { height: .875rem; min-width: 2px; background: var(--free); border-radius: .1875rem; overflow: hidden; }
.bar div { height: 100%; background: var(--accent); }
.bar[style="width:0.0%"] { min-width: 0; }
.swatch { display: inline-block; width: .75rem; height: .75rem; border-radius: .1875rem; background: var(--free); margin-left: .5rem; }
.swatch.used { background: var(--accent); margin-left: 0; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
section p { margin-top: .75rem; }
footer { text-align: center; }
@media print {
  body { padding: 0; background: none; } header, section { padding: .5rem 0; border-radius: 0; break-inside: auto; }
  tr { break-inside: avoid; } .bar, .bar div, .swatch { print-color-adjust: exact; }
}
@media (forced-colors: active) { .bar { border: 1px solid CanvasText; } .bar div { background: CanvasText; forced-color-adjust: none; } }
`;
