/**
 * Where the program starts. It looks at the line before anything is imported: the version and every help page are
 * files written when it was built, so printing one costs next to nothing. All else is `main`.
 */
import { existsSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { compiledFolder, keepCompiled, useCompiled } from './compiled.js';

export { compiledFolder, useCompiled };

declare const EDU_VERSION: string;

/** The help page that the line asks for, by file name, or undefined when it is not that simple. */
function helpPage(argv: readonly string[]): string | undefined {
  const words = argv.length > 0 && (argv.at(-1) === '--help' || argv.at(-1) === '-h') ? argv.slice(0, -1) : undefined;
  const named = argv.length === 0 ? [] : argv[0] === 'help' ? argv.slice(1) : words;
  if (
    named === undefined ||
    named.length > 2 ||
    !named.every((word) => /^[a-z-]+$/.test(word) && !word.startsWith('-'))
  ) {
    return undefined;
  }
  return ['edu', ...named].join('-');
}

/** Writes everything, whatever the pipe takes at a time; a reader that went away is no error. */
function print(text: string): void {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EPIPE') return;
      if (code !== 'EAGAIN') throw error;
    }
  }
}

/** Prints the version or a help page if that is all the line asks for. */
function answerAtOnce(argv: readonly string[]): boolean {
  const [only] = argv;
  if (argv.length === 1 && (only === '--version' || only === '-V')) {
    print(`${EDU_VERSION}\n`);
    return true;
  }
  const page = helpPage(argv);
  if (page === undefined) return false;
  let text: string;
  try {
    text = readFileSync(join(__dirname, 'help', `${page}.txt`), 'utf8');
  } catch {
    // An alias, a misspelling: the long way knows.
    return false;
  }
  print(text);
  return true;
}

/** Runs the command line of this process. @returns the exit code */
export async function run(argv: readonly string[]): Promise<number> {
  if (answerAtOnce(argv)) return 0;
  if (existsSync(compiledFolder(__dirname))) useCompiled(__dirname);
  else keepCompiled();
  const { runProcess } = await import('./process.js');
  return runProcess(argv);
}
