/**
 * The page of `licenses summary --html`: one self-contained document without scripts. Each chart is a table whose bars
 * are drawn in a cell, so that screen readers and print keep the figures.
 */
import { escapeHtml, htmlDocument } from '../../core/html.js';
import { counted } from '../../output/progress/meter.js';
import { PAGE_STYLE } from './page-style.js';
import type { Row, Tally } from './tally.js';

/** Maximum number of groups in a chart; a line below it sums up the rest. */
const MAX_ROWS = 40;
/** Number of months with a bar of their own. */
const MONTHS = 12;

/** Control characters and bidi marks, which names may contain, are shown as U+FFFD. */
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const MAX_NAME = 200;

const nameHtml = (text: string): string => escapeHtml(text.slice(0, MAX_NAME).toWellFormed().replace(UNSEEN, '\ufffd'));

const percent = (part: number, whole: number): number => (whole > 0 ? Math.min(100, (part / whole) * 100) : 0);

/** @param length of the bar, in percent of the widest @param filled part of the bar, in percent */
const bar = (length: number, filled: number): string =>
  `<td class="chart" aria-hidden="true"><div class="bar" style="width:${length.toFixed(1)}%">` +
  `<div style="width:${filled.toFixed(1)}%"></div></div></td>`;

const head = (titles: readonly string[]): string =>
  `<thead><tr>${titles.map((title) => `<th scope="col">${title}</th>`).join('')}</tr></thead>`;

const figures = (numbers: readonly number[]): string => numbers.map((number) => `<td>${counted(number)}</td>`).join('');

function useRow(row: Row, widest: number): string {
  const name = nameHtml(row.name ?? row.id ?? '');
  const id = row.id === null || row.id === row.name || row.name === null ? '' : ` <small>${nameHtml(row.id)}</small>`;
  return (
    `<tr><th scope="row"><bdi>${name}</bdi>${id}</th>` +
    bar(percent(row.seats, widest), percent(row.activated, row.seats)) +
    `<td>${Math.round(percent(row.activated, row.seats))} %</td>` +
    `${figures([row.activated, row.seats, row.licences, row.full, row.unused, row.expiring])}</tr>`
  );
}

/** The use of seats, one row per group. */
function useChart(title: string, rows: readonly Row[]): string {
  const shown = rows.slice(0, MAX_ROWS);
  const rest = rows.slice(MAX_ROWS);
  const widest = Math.max(1, ...shown.map(({ seats }) => seats));
  const seats = rest.reduce((sum, row) => sum + row.seats, 0);
  const more =
    rest.length === 0 ? '' : `<p>And ${counted(rest.length)} more with ${counted(seats)} seats together.</p>`;
  const titles = ['', '', 'Use', 'Activated', 'Seats', 'Licences', 'Full', 'Unused', 'Expiring'];
  titles[0] = title.replace('Use by ', '').replace(/^./, (letter) => letter.toUpperCase());
  titles[1] = '<span class="hidden">Chart</span>';
  return (
    `<section><h2>${title}</h2><div class="wide"><table>${head(titles)}` +
    `<tbody>${shown.map((row) => useRow(row, widest)).join('\n')}</tbody></table></div>${more}</section>`
  );
}

const MONTH_NAMES = 'January February March April May June July August September October November December'.split(' ');

/** `2026-12` → `December 2026`. */
const monthName = (month: string): string => `${MONTH_NAMES[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`;

/** This month and those after it, as `yyyy-MM`. */
function monthsFrom(today: string): string[] {
  const start = new Date(`${today.slice(0, 7)}-01T00:00:00Z`);
  return Array.from({ length: MONTHS }, (_, index) =>
    new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + index)).toISOString().slice(0, 7),
  );
}

function sumOf(tally: Tally, isWanted: (month: string) => boolean): { licences: number; unused: number } {
  const sum = { licences: 0, unused: 0 };
  for (const [month, { licences, unused }] of tally.months) {
    if (!isWanted(month)) continue;
    sum.licences += licences;
    sum.unused += unused;
  }
  return sum;
}

/** The licences that end in each month. */
function endChart(tally: Tally, today: string): string {
  const months = monthsFrom(today);
  const [first = '', last = ''] = [months[0], months.at(-1)];
  const rows = [
    { name: 'Earlier', ...sumOf(tally, (month) => month < first) },
    ...months.map((month) => ({
      name: monthName(month),
      ...sumOf(tally, (one) => one === month),
    })),
    { name: 'Later', ...sumOf(tally, (month) => month > last) },
  ];
  const widest = Math.max(1, ...rows.map(({ licences }) => licences));
  const lines = rows.map(
    ({ name, licences, unused }) =>
      `<tr><th scope="row">${name}</th>${bar(percent(licences, widest), percent(licences - unused, licences))}` +
      `${figures([licences, unused])}</tr>`,
  );
  const note =
    tally.undated === 0
      ? ''
      : `<p>${counted(tally.undated)} licences have no end date: their term starts with each activation.</p>`;
  const titles = ['Month', '<span class="hidden">Chart</span>', 'Licences', 'Of these unused'];
  return `<section><h2>Expiring licences by month</h2><div class="wide"><table>${head(titles)}<tbody>${lines.join('\n')}</tbody></table></div>${note}</section>`;
}

/**
 * @param today `yyyy-MM-dd`
 * @param until the last day that counts as expiring
 */
export function page(tally: Tally, today: string, until: string): string {
  const { licences, seats, activated, full, unused, expiring } = tally.total;
  const facts: readonly (readonly [string, string])[] = [
    ['Licences', counted(licences)],
    ['Seats', counted(seats)],
    ['Activated', `${counted(activated)} (${Math.round(percent(activated, seats))} %)`],
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
<dl>${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('')}</dl>
<p class="key"><span class="swatch used"></span> activated <span class="swatch"></span> free</p></header>
${endChart(tally, today)}
${useChart('Use by book', tally.rows('book'))}
${useChart('Use by organization', tally.rows('organization'))}
${useChart('Use by type', tally.rows('type'))}
${useChart('Use by category', tally.rows('category'))}
<footer>A licence counts for each of its books. Made by edu.</footer>
</main>`,
  });
}
