/**
 * Lays out help pages for a width. It has no imports, because the entry point loads it before anything else.
 *
 * A page is text with one block per line: `# heading`, `term<TAB>meaning`, `  $ command` of an example, `  # comment`
 * above it, other indented lines, which are printed unchanged, and paragraphs.
 */

/** Columns of a page. A pipe gets the standard width, so that the output is the same everywhere. */
const MIN_WIDTH = 40;
const MAX_WIDTH = 120;
const STANDARD_WIDTH = 80;

interface HelpLayout {
  readonly columns?: number | undefined;
  readonly bold?: boolean;
}

/** Wraps text to lines of at most `width` characters; a command in backticks is not broken. */
function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Two columns: terms and meanings. A long term gets a line of its own. */
function twoColumns(rows: readonly string[], width: number): string[] {
  const pairs = rows.map((row) => row.split('\t') as [string, string]);
  const maxTerm = Math.min(30, Math.floor(width * 0.4));
  const widest = Math.min(maxTerm, Math.max(...pairs.map(([term]) => term.length)));
  const indent = ' '.repeat(widest + 4);
  return pairs.flatMap(([term, meaning]) => {
    const lines = wrapWords(meaning, width - widest - 4).map((line) => indent + line);
    if (term.length > widest) return [`  ${term}`, ...lines];
    const [first = '', ...others] = lines;
    return [`  ${term.padEnd(widest)}${first.slice(widest + 2)}`.trimEnd(), ...others];
  });
}

/** A word, or a flag with its value. */
const COMMAND_PARTS = /--?\w[\w-]*(?: (?![-|>&<])(?:"[^"]*"|'[^']*'|[^\s"'])+|(?=\s|$))|(?:"[^"]*"|'[^']*'|[^\s"'])+/g;

/** A command of an example. A long one is continued after a backslash, so that it can be pasted. */
function exampleLines(command: string, width: number): string[] {
  const [first = '', ...parts] = command.match(COMMAND_PARTS) ?? [];
  const lines = [`  ${first}`];
  for (const part of parts) {
    const joined = `${lines.at(-1)} ${part}`;
    if (joined.length > width - 2) lines.push(`${lines.pop()} \\`, `      ${part}`);
    else lines.splice(-1, 1, joined);
  }
  return lines;
}

/** @returns the page as printed */
export function layOutHelp(page: string, { columns, bold = false }: HelpLayout = {}): string {
  // 0 means that the terminal does not report its size.
  const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, columns || STANDARD_WIDTH));
  const lines: string[] = [];
  const blocks = page.split('\n');
  for (let index = 0; index < blocks.length; index++) {
    const block = blocks[index] ?? '';
    if (block.startsWith('# ')) lines.push(bold ? `\x1b[1m${block.slice(2)}\x1b[22m` : block.slice(2));
    else if (block.includes('\t')) {
      const rows = [block];
      while (blocks[index + 1]?.includes('\t')) rows.push(blocks[++index] ?? '');
      lines.push(...twoColumns(rows, width));
    } else if (block.startsWith('  $ ')) lines.push(...exampleLines(block.slice(2), width));
    else if (block.startsWith('  # ')) lines.push(...wrapWords(block.slice(4), width - 4).map((line) => `  # ${line}`));
    else lines.push(...(block.startsWith('  ') ? [block] : wrapWords(block, width)));
  }
  return lines.join('\n');
}
