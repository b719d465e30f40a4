/**
 * Where the program starts. It looks at the line before anything is imported: the version and every help page are
 * files written when it was built, so printing one costs next to nothing. All else is `main`.
 */
import { existsSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { compiledFolder, keepCompiled, keptFile, useCompiled } from './compiled.js';

export { compiledFolder, keptFile, useCompiled };

declare const EDU_VERSION: string;

/** File names of the help page that the line asks for, the first that there is; none when it is not that simple. */
function helpPages(argv: readonly string[]): readonly string[] {
  const last = argv.at(-1);
  const isHelp = argv[0] === 'help';
  if (argv.length > 0 && !isHelp && last !== '--help' && last !== '-h') return [];
  const words = isHelp ? argv.slice(1) : argv.slice(0, -1);
  if (words.length > 2 || !words.every((word) => /^[a-z][a-z-]*$/.test(word))) return [];
  const page = ['edu', ...words].join('.');
  return isHelp && words.length === 1 ? [`help.${words[0]}`, page] : [page];
}

function readPage(name: string): string | undefined {
  try {
    return readFileSync(join(__dirname, 'help', `${name}.txt`), 'utf8');
  } catch {
    // An alias, a misspelling: the long way knows.
    return undefined;
  }
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
  for (const name of helpPages(argv)) {
    const text = readPage(name);
    if (text === undefined) continue;
    print(text);
    return true;
  }
  return false;
}

/** Runs the command line of this process. @returns the exit code */
export async function run(argv: readonly string[]): Promise<number> {
  if (answerAtOnce(argv)) return 0;
  // With --debug, stack traces name the sources; Node reads the maps of what it compiles itself only.
  if (argv.includes('--debug') || process.env.EDU_DEBUG) process.setSourceMapsEnabled(true);
  else if (existsSync(compiledFolder(__dirname))) useCompiled(__dirname);
  else keepCompiled();
  const { runProcess } = await import('./process.js');
  return runProcess(argv);
}
