/** Renders the screen of a terminal, with SGR codes, as SVG. */

/** In pixels. */
const CELL = { width: 8.4, height: 19 };
const MARGIN = 18;
const BAR = 34;

/** @typedef {{ readonly text: string, readonly classes: string, readonly column: number, readonly cells: number }} Run */

const COLOURS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** Light and dark, as the reader prefers; all colours have a contrast of at least 4.5 with the background. */
const STYLE = `
.ground{fill:#ffffff;stroke:#d0d7de}.bar{fill:#eaeef2}.dot{fill:#c3cad2}.title,.dim{fill:#636c76}
text{fill:#1f2328;font:14px ui-monospace,SFMono-Regular,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace;white-space:pre}
.bold{font-weight:700}.underline{text-decoration:underline}.italic{font-style:italic}
.red{fill:#cf222e}.green{fill:#116329}.yellow{fill:#7d4e00}.blue{fill:#0550ae}.magenta{fill:#8250df}.cyan{fill:#0f6674}
@media (prefers-color-scheme:dark){
.ground{fill:#0d1117;stroke:#30363d}.bar{fill:#161b22}.dot{fill:#3d444d}.title,.dim{fill:#9198a1}text{fill:#e6edf3}
.red{fill:#ff7b72}.green{fill:#56d364}.yellow{fill:#e3b341}.blue{fill:#79c0ff}.magenta{fill:#d2a8ff}.cyan{fill:#76e3ea}
}`.trim();

/** @param {string} char @returns {number} cells: 2 for wide characters, 0 for combining ones */
function cellsOf(char) {
  if (/\p{Mn}|\p{Me}|\p{Cf}/u.test(char)) return 0;
  const isWide =
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
  return isWide.test(char) ? 2 : 1;
}

/** @param {Set<string>} style @param {string} codes */
function apply(style, codes) {
  const drop = (/** @type {readonly string[]} */ names) => {
    for (const name of names) style.delete(name);
  };
  for (const code of codes.split(';').map(Number)) {
    if (code === 0) style.clear();
    else if (code === 1) style.add('bold');
    else if (code === 2) style.add('dim');
    else if (code === 3) style.add('italic');
    else if (code === 4) style.add('underline');
    else if (code === 22) drop(['bold', 'dim']);
    else if (code === 23) drop(['italic']);
    else if (code === 24) drop(['underline']);
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
      drop(COLOURS);
      style.add(code === 90 ? 'dim' : (COLOURS[code % 10] ?? ''));
    } else if (code === 39) drop(COLOURS);
  }
}

/** Whether fonts differ in the width of a character. @param {string} char */
const isUncertain = (char) => char > '\u024f';

/** Splits text into Latin letters, lines and bars, and single other characters. @param {string} text */
const parts = (text) => text.match(/[─█░]+|[\0-\u024f]+|[^\0-\u024f]/gu) ?? [];

/**
 * Splits a line into runs of the same style.
 * @param {string} line with SGR codes
 * @param {Set<string>} style at the start of the line; changed to that at its end
 */
function runsOf(line, style) {
  /** @type {Run[]} */
  const runs = [];
  let column = 0;
  for (const [, codes, text] of line.matchAll(/\x1b\[([\d;]*)m|([^\x1b]+)/g)) {
    if (text === undefined) {
      apply(style, codes === '' || codes === undefined ? '0' : codes);
      continue;
    }
    const classes = [...style].join(' ');
    for (const part of parts(text)) {
      const cells = [...part].reduce((sum, char) => sum + cellsOf(char), 0);
      const last = runs.at(-1);
      // A combining character belongs to the letter before it.
      if (cells === 0 && last !== undefined) runs[runs.length - 1] = { ...last, text: last.text + part };
      else if (part.trim() !== '') runs.push({ text: part, classes, column, cells });
      column += cells;
    }
  }
  return runs;
}

/** @param {string} text */
export const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** @param {number} value */
const px = (value) => String(Math.round(value * 10) / 10);

/**
 * @param {string} screen lines with SGR codes
 * @param {{ columns: number, title: string, alt: string }} options `alt`: the text for screen readers
 */
export function svg(screen, { columns, title, alt }) {
  const lines = screen.split('\n');
  const width = columns * CELL.width + 2 * MARGIN;
  const height = lines.length * CELL.height + BAR + 1.6 * MARGIN;
  /** @type {Set<string>} */
  const style = new Set();
  const texts = lines.flatMap((line, index) => {
    const y = px(BAR + MARGIN + (index + 0.72) * CELL.height - 4);
    return runsOf(line, style).map(({ text, classes, column, cells }) => {
      const shown = text.trimEnd();
      const x = px(MARGIN + column * CELL.width);
      // In any font, text takes exactly its cells; single characters keep their shape.
      const isLong = !isUncertain(shown) || /^[─█░]/.test(shown);
      const stretch = isLong ? ` textLength="${px((cells - (text.length - shown.length)) * CELL.width)}"` : '';
      const glyphs = /^[─█░]/.test(shown) ? ' lengthAdjust="spacingAndGlyphs"' : '';
      return `<text x="${x}" y="${y}"${stretch}${glyphs}${classes === '' ? '' : ` class="${classes}"`}>${escaped(shown)}</text>`;
    });
  });
  const dots = [0, 1, 2].map((index) => `<circle class="dot" cx="${22 + index * 20}" cy="${BAR / 2}" r="6"/>`);
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${px(width)}" height="${px(height)}" viewBox="0 0 ${px(width)} ${px(height)}" role="img" aria-label="${escaped(alt)}">`,
    `<style>${STYLE}</style>`,
    `<rect class="ground" x="0.5" y="0.5" width="${px(width - 1)}" height="${px(height - 1)}" rx="9"/>`,
    `<path class="bar" d="M1 ${BAR}V10a9 9 0 0 1 9-9h${px(width - 20)}a9 9 0 0 1 9 9V${BAR}z"/>`,
    ...dots,
    `<text class="title" x="${px(width / 2)}" y="22" text-anchor="middle">${escaped(title)}</text>`,
    ...texts,
    '</svg>',
  ].join('\n')}\n`;
}
