/** Finds the command lines with `edu` on a page: in blocks, run or not, and in sentences. */
export interface WrittenLine {
  readonly line: number;
  /** The words after `edu`. */
  readonly words: readonly string[];
  /** Values may be placeholders such as DIR, invalid on purpose, or computed by the shell. */
  readonly isLoose: boolean;
}

/** A separator of commands, or one word with its quotes. */
const TOKEN =
  /\s+|#.*|(\|\||&&|[|;&<>()`])|((?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|\$\([^)]*\)|[^\s|;&<>()`'"\\#])[^\s|;&<>()`'"\\]*)+/gs;

const unquoted = (word: string): string =>
  word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/gs, (_, double, single, escaped) => double ?? single ?? escaped);

/** The commands of shell text that start with `edu`, as lists of the words after it. */
export function eduCommands(shell: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  const end = () => {
    const start = words.indexOf('edu');
    // Also after a word that runs a command: `X=1 edu`, `xargs edu`, `until edu`, `ssh -L … server edu`.
    if (start >= 0) commands.push(words.slice(start + 1));
    words = [];
  };
  for (const line of shell.replace(/\\\n\s*/g, ' ').split('\n')) {
    let skips = false;
    for (const [token, operator] of line.matchAll(TOKEN)) {
      if (operator === undefined) {
        if (skips && token.trim() !== '') skips = false;
        else if (token.trim() !== '' && !token.startsWith('#')) words.push(unquoted(token));
        // $(…) contains another command.
        for (const [, inner = ''] of token.matchAll(/\$\(([^)]*)\)/g)) commands.push(...eduCommands(inner));
      } else if (operator === '<' || operator === '>') skips = true;
      else end();
    }
    end();
  }
  return commands;
}

/** All lines of a page. */
export function writtenLines(markdown: string): WrittenLine[] {
  const lineAt = (index: number): number => markdown.slice(0, index).split('\n').length;
  const found: WrittenLine[] = [];
  for (const { 1: language, 2: text = '', index } of markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms)) {
    const shell = language === 'console' ? [...text.matchAll(/^\$ (.*)$/gm)].map(([, line]) => line).join('\n') : text;
    if (language !== 'sh' && language !== 'console') continue;
    for (const words of eduCommands(shell))
      found.push({ line: lineAt(index), words, isLoose: language === 'console' || words.join(' ').includes('$(') });
  }
  const sentences = markdown.replace(/^```.*?^```$/gms, (block) => block.replace(/[^\n]/g, ' '));
  for (const { 1: code = '', index } of sentences.matchAll(/`([^`\n]+)`/g)) {
    // `edu offline reset [--seed NAME]`: optional parts are checked as well.
    for (const words of eduCommands(code.replace(/[[\]]/g, '')))
      found.push({ line: lineAt(index), words, isLoose: true });
  }
  return found;
}
