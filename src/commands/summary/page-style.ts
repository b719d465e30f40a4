/** The style of the page of `licenses summary --html`: light, dark and print. */
import { BASE_STYLE } from '../../core/html.js';

export const PAGE_STYLE = `${BASE_STYLE}
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
