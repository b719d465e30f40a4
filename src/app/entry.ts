/** Starts the program: prints version and help pages from files, and loads `main` for everything else. */
import { existsSync, fstatSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { compiledFolder, keptFolder, useCompiled } from './compiled.js';

export { compiledFolder, useCompiled };

declare const EDU_VERSION: string;

/** Names of the help pages to try, in order; empty if the line asks for no page. */
function helpPages(argv: readonly string[]): readonly string[] {
  const last = argv.at(-1);
  const isHelp = argv[0] === 'help';
  if (argv.length > 0 && !isHelp && last !== '--help' && last !== '-h') return [];
  const words = isHelp ? argv.slice(1) : argv.slice(0, -1);
  if (words.length > 2 || !words.every((word) => /^[a-z][a-z-]*$/.test(word))) return [];
  const page = ['edu', ...words].join('.');
  return isHelp && words.length === 1 ? [`help.${words[0]}`, page] : [page];
}

/** Reads a help page. A file holds the pages of a group; each begins with a form feed and its name. */
function readPage(name: string): string | undefined {
  try {
    const group = name.split('.', 2).join('.');
    const [, page] = readFileSync(join(__dirname, 'help', `${group}.txt`), 'utf8').split(`\f${name}\n`);
    return page?.split('\f', 1)[0];
  } catch {
    // `main` handles aliases and unknown commands.
    return undefined;
  }
}

/** Writes all text to stdout. A closed pipe is not an error. @returns the exit code */
function print(text: string): number {
  let bytes = Buffer.from(text);
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'EPIPE') return 0;
      if (code === 'EAGAIN') continue;
      writeSync(2, `Error: Cannot write the output: ${(error as Error).message}\n`);
      return 1;
    }
  }
  return 0;
}

/** The terminal's width; undefined if stdout is none. Checks the file type first: loading the stream takes 3 ms. */
const terminalColumns = (): number | undefined =>
  fstatSync(1).isCharacterDevice() && process.stdout.isTTY ? process.stdout.columns : undefined;

/** Returns true if the terminal needs no special colour or text settings, which only `main` handles. */
const isUsualTerminal = ({ NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean =>
  // A Windows console decodes bytes with its own code page.
  !NO_COLOR && FORCE_COLOR === undefined && TERM !== 'dumb' && process.platform !== 'win32';

/** Prints the version or a help page. @returns the exit code; undefined if the line asks for something else */
async function printVersionOrHelp(argv: readonly string[]): Promise<number | undefined> {
  const [only] = argv;
  if (argv.length === 1 && (only === '--version' || only === '-V' || only === 'version'))
    return print(`${EDU_VERSION}\n`);
  for (const name of helpPages(argv)) {
    const page = readPage(name);
    if (page === undefined) continue;
    const columns = terminalColumns();
    if (!isUsualTerminal(process.env) && (columns !== undefined || process.env.FORCE_COLOR !== undefined))
      return undefined;
    const { layOutHelp } = await import('../cli/help-layout.js');
    return print(layOutHelp(page, { columns, bold: columns !== undefined }));
  }
  return undefined;
}

/** Runs the command line of this process. @returns the exit code */
export async function run(argv: readonly string[]): Promise<number> {
  const answered = await printVersionOrHelp(argv);
  if (answered !== undefined) return answered;
  const keep = useCompiledCode(argv);
  const { runProcess } = await import('./process.js');
  const code = await runProcess(argv);
  await keep?.();
  return code;
}

/** Uses compiled code. @returns a function that stores this run's compiled code; undefined if none is to be stored */
function useCompiledCode(argv: readonly string[]): (() => Promise<void>) | undefined {
  // With --debug, stack traces name source files; Node reads source maps only for modules that it loads itself.
  if (argv.some((word) => /^--debug(=|$)/.test(word)) || process.env.EDU_DEBUG) {
    process.setSourceMapsEnabled(true);
    return undefined;
  }
  const shipped = compiledFolder(__dirname);
  if (existsSync(shipped)) {
    useCompiled(__dirname, shipped);
    return undefined;
  }
  // Respects the variable that switches off Node's own cache.
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const folder = keptFolder(__dirname);
  const loaded = useCompiled(__dirname, folder);
  return async () => {
    if ([...loaded.values()].every(({ wasKept }) => wasKept)) return;
    // The chunk is missing if another version was installed during a long job.
    const keeping = await import('./write-code-cache.js').catch(() => undefined);
    keeping?.writeCodeCache(__dirname, folder, loaded);
  };
}
