/**
 * The picture of the architecture: the folders of src/ as boxes, the imports between them as arrows, both read off the
 * sources. Only the places of the boxes and the words in them stand here. `node .build/architecture.mjs` writes it.
 */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importsOf, packageOf, partOf, sourceFiles } from './imports.mjs';
import { escaped } from './svg.mjs';

/** Pixels. */
const BOX = { width: 150, height: 90 };
const GAP = { x: 44, y: 72 };
const MARGIN = 24;
const WIDTH = 5 * BOX.width + 4 * GAP.x + 2 * MARGIN;
const TOP = { y: 92, height: 78 };

/**
 * Where each folder stands, and what it does. Columns may be halves. An arrow always goes down a row or more.
 * @type {Readonly<Record<string, { readonly column: number, readonly row: number, readonly about: string }>>}
 */
const PLACES = {
  auth: { column: 1, row: 1, about: 'login, credentials' },
  bulk: { column: 2.5, row: 1, about: 'jobs over many rows' },
  prompt: { column: 0, row: 2, about: 'questions' },
  settings: { column: 1, row: 2, about: 'profiles, folders' },
  browser: { column: 2, row: 2, about: 'opens addresses' },
  export: { column: 3, row: 2, about: 'exports, differences' },
  transport: { column: 4, row: 2, about: 'where requests go' },
  output: { column: 1, row: 3, about: 'formats, tables, bars' },
  client: { column: 2.5, row: 3, about: 'how to call the service' },
  service: { column: 4, row: 3, about: 'the bundled service' },
};
const CONTRACT = 'contract';
const CONTRACT_ROW = 4;
/** They put the parts together, with the files that lie in src/ itself, and may use all of them. */
const TOGETHER = ['commands', 'completion'];

const STYLE = `
.ground{fill:#ffffff;stroke:#d0d7de}.box{fill:#f6f8fa;stroke:#8c959f}.band{fill:#ddf4ff;stroke:#54aeff}
text{fill:#1f2328;font:13px system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','DejaVu Sans',sans-serif;text-anchor:middle}
.name{font-weight:700;font-size:15px}.small{fill:#59636e;font-size:12px}
.line{fill:none;stroke:#59636e;stroke-width:1.5}.lazy{stroke-dasharray:7 4}.type{stroke-dasharray:2 4}.head{fill:#59636e}
@media (prefers-color-scheme:dark){
.ground{fill:#0d1117;stroke:#30363d}.box{fill:#161b22;stroke:#656c76}.band{fill:#10233a;stroke:#316dca}
text{fill:#e6edf3}.small{fill:#9198a1}.line{stroke:#9198a1}.head{fill:#9198a1}
}`.trim();

/** @typedef {'' | 'lazy' | 'type'} Kind the strongest way in which one folder imports another */
/** @typedef {{ readonly from: string, readonly to: string, readonly kind: Kind }} Arrow */

const imported = sourceFiles().flatMap(importsOf);
const isFolder = (/** @type {string} */ part) => !part.endsWith('.ts');
const isPlaced = (/** @type {string} */ part) => part === CONTRACT || part in PLACES;

/** All imports between the folders below the top, one for each pair. @returns {Arrow[]} */
function arrows() {
  /** @type {Map<string, Arrow>} */
  const found = new Map();
  for (const { from: fromFile, to: toFile, isOurs, isType, isLazy } of imported) {
    const from = partOf(fromFile);
    const to = partOf(toFile);
    if (!isOurs || from === to || !isPlaced(from) || !isFolder(to)) continue;
    if (!isPlaced(to)) throw new Error(`${fromFile} imports ${toFile}, which stands above it.`);
    const kind = isType ? 'type' : isLazy ? 'lazy' : '';
    const known = found.get(`${from} ${to}`)?.kind ?? 'type';
    const strongest = kind === '' || known === '' ? '' : kind === 'lazy' || known === 'lazy' ? 'lazy' : 'type';
    found.set(`${from} ${to}`, { from, to, kind: strongest });
  }
  return [...found.values()].sort((a, b) => `${a.from} ${a.to}`.localeCompare(`${b.from} ${b.to}`, 'en'));
}

/** Without those that follow from others: where a → b → c, a → c says nothing new. @param {readonly Arrow[]} all */
function essential(all) {
  /** @type {(from: string, to: string) => boolean} */
  const reaches = (from, to) => all.some((one) => one.from === from && (one.to === to || reaches(one.to, to)));
  return all.filter(({ from, to }) => !all.some((one) => one.from === from && one.to !== to && reaches(one.to, to)));
}

/** The npm packages that only this folder knows. @param {string} folder */
function packagesOf(folder) {
  const names = imported
    .filter(({ from, to, isOurs }) => partOf(from) === folder && !isOurs && !to.startsWith('node:'))
    .map(({ to }) => packageOf(to));
  return [...new Set(names)].map((name) => name.replace(/^@.*\//, '')).sort();
}

/** The files that lie in src/ itself and that several folders use. */
function common() {
  const users = (/** @type {string} */ file) =>
    new Set(imported.filter(({ from, to }) => to === file && isPlaced(partOf(from))).map(({ from }) => partOf(from)));
  return sourceFiles().filter((file) => !file.includes('/') && users(file).size > 1);
}

/** Names on as few lines as fit into a box. @param {readonly string[]} names */
function inLines(names) {
  /** @type {string[]} */
  const lines = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last !== undefined && `${last}, ${name}`.length <= 22) lines[lines.length - 1] = `${last}, ${name}`;
    else lines.push(name);
  }
  return lines;
}

/** The top left corner of a row and a column. @param {number} column @param {number} row */
const corner = (column, row) => ({
  x: MARGIN + column * (BOX.width + GAP.x),
  y: TOP.y + TOP.height + GAP.y * 0.8 + (row - 1) * (BOX.height + GAP.y),
});

/** @param {number} x @param {number} y @param {string} text @param {string} [style] */
const label = (x, y, text, style) =>
  `<text x="${x}" y="${y}"${style === undefined ? '' : ` class="${style}"`}>${escaped(text)}</text>`;

/** @param {string} style @param {number} x @param {number} y @param {number} width @param {number} height */
const rectangle = (style, x, y, width, height) =>
  `<rect class="${style}" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>`;

/**
 * Where an arrow touches the side of a box: those of a box are spread, in the order of what they lead to.
 * @param {readonly Arrow[]} all @param {Arrow} arrow @param {'from' | 'to'} side
 */
function port(all, arrow, side) {
  const other = side === 'from' ? 'to' : 'from';
  const place = PLACES[arrow[side]];
  // The contract is as wide as the picture: what comes from above meets it straight below.
  if (place === undefined) return centre(arrow.from);
  const mates = all
    .filter((one) => one[side] === arrow[side])
    .sort((a, b) => centre(a[other], a.from) - centre(b[other], b.from));
  const step = Math.min(34, (BOX.width - 40) / Math.max(1, mates.length - 1));
  return centre(arrow[side]) + (mates.indexOf(arrow) - (mates.length - 1) / 2) * step;
}

/** @param {string} folder @param {string} [seenFrom] @returns {number} */
function centre(folder, seenFrom) {
  const place = PLACES[folder];
  if (place === undefined) return seenFrom === undefined ? WIDTH / 2 : centre(seenFrom);
  return corner(place.column, place.row).x + BOX.width / 2;
}

const rowOf = (/** @type {string} */ folder) => PLACES[folder]?.row ?? CONTRACT_ROW;

/** @param {readonly Arrow[]} all @param {Arrow} arrow */
function drawn(all, arrow) {
  if (rowOf(arrow.from) >= rowOf(arrow.to)) throw new Error(`${arrow.from} → ${arrow.to} does not go down.`);
  const x1 = port(all, arrow, 'from');
  const x2 = arrow.to === CONTRACT ? x1 : port(all, arrow, 'to');
  const y1 = corner(0, rowOf(arrow.from)).y + BOX.height;
  const y2 = corner(0, rowOf(arrow.to)).y - 1;
  const bend = GAP.y * 0.6;
  const style = arrow.kind === '' ? 'line' : `line ${arrow.kind}`;
  return [
    `<path class="${style}" d="M${x1} ${y1}C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2 - 8}"/>`,
    `<path class="head" d="M${x2} ${y2}l-5 -10h10z"/>`,
  ];
}

/** @param {number} x @param {number} y @param {string} text @param {string} style */
const legend = (x, y, text, style) => [
  `<path class="line ${style}" d="M${x} ${y - 4}h34"/>`,
  `<text x="${x + 42}" y="${y}" class="small" style="text-anchor:start">${escaped(text)}</text>`,
];

/** The picture as SVG. @throws when a folder has no place, or an import leads up */
export function architecture() {
  const folders = [...new Set(sourceFiles().map(partOf))].filter(isFolder);
  const lost = folders.filter((folder) => !isPlaced(folder) && !TOGETHER.includes(folder));
  if (lost.length > 0) throw new Error(`No place in the picture: ${lost.join(', ')}`);
  const shown = essential(arrows());
  const middle = WIDTH / 2;
  const band = WIDTH - 2 * MARGIN;
  const contract = corner(0, CONTRACT_ROW);
  const height = contract.y + BOX.height + 78;
  const boxes = Object.entries(PLACES).flatMap(([folder, { column, row, about }]) => {
    const { x, y } = corner(column, row);
    const packages = inLines(packagesOf(folder));
    const top = y + (BOX.height - 17 * packages.length) / 2 - 6;
    return [
      rectangle('box', x, y, BOX.width, BOX.height),
      label(x + BOX.width / 2, top, folder, 'name'),
      label(x + BOX.width / 2, top + 20, about),
      ...packages.map((line, index) => label(x + BOX.width / 2, top + 38 + 16 * index, line, 'small')),
    ];
  });
  const alt = `The folders of src and their imports: ${shown.map(({ from, to }) => `${from} imports ${to}`).join(', ')}`;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(alt)}">`,
    `<style>${STYLE}</style>`,
    rectangle('ground', 0.5, 0.5, WIDTH - 1, height - 1),
    label(middle, 34, 'bin/edu.js → entry.ts → process.ts → main.ts'),
    label(middle, 54, 'the line is read; help and version are answered from files', 'small'),
    `<path class="line" d="M${middle} 62V${TOP.y - 9}"/><path class="head" d="M${middle} ${TOP.y - 1}l-5 -10h10z"/>`,
    rectangle('band', MARGIN, TOP.y, band, TOP.height),
    label(middle, TOP.y + 24, TOGETHER.join(' · '), 'name'),
    label(middle, TOP.y + 45, 'contract → command line; assemble.ts and connect.ts put the parts together'),
    label(middle, TOP.y + 64, `may use everything below; ${packagesOf('commands').join(', ')}`, 'small'),
    ...shown.flatMap((arrow) => drawn(shown, arrow)),
    ...boxes,
    rectangle('band', MARGIN, contract.y, band, BOX.height),
    label(middle, contract.y + 28, CONTRACT, 'name'),
    label(middle, contract.y + 50, 'what the service is: one row for each endpoint. Imports nothing'),
    label(middle, height - 50, `Everything may use ${common().join(', ')}.`, 'small'),
    ...legend(MARGIN + 20, height - 22, 'imports', ''),
    ...legend(MARGIN + 150, height - 22, 'only when it is needed', 'lazy'),
    ...legend(MARGIN + 350, height - 22, 'only types', 'type'),
    label(WIDTH - MARGIN - 190, height - 22, 'What follows from other arrows is left out.', 'small'),
    '</svg>',
  ].join('\n')}\n`;
}

/** The file that docs/architecture.md shows. */
export const ARCHITECTURE_PICTURE = fileURLToPath(new URL('../docs/pictures/architecture.svg', import.meta.url));

export const writeArchitecture = () => writeFileSync(ARCHITECTURE_PICTURE, architecture());

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) writeArchitecture();
