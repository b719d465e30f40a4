/**
 * Starts the program: prints the version and help pages from files that the build wrote, and loads `main` for
 * everything else.
 */
import { existsSync, fstatSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { compiledFolder, keptFolder, useCompiled } from './compiled.js';

export { compiledFolder, useCompiled };

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

/** A page of the file of its group: each begins with a form feed and its name. */
function readPage(name: string): string | undefined {
  try {
    const group = name.split('.', 2).join('.');
    const [, page] = readFileSync(join(__dirname, 'help', `${group}.txt`), 'utf8').split(`\f${name}\n`);
    return page?.split('\f', 1)[0];
  } catch {
    // An alias, a misspelling: the long way knows.
    return undefined;
  }
}

/** Writes everything, in as many parts as the pipe takes; a closed pipe is no error. @returns the exit code */
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

/** Loading the stream takes 3 ms, so that only what may be a terminal is asked. */
const terminalColumns = (): number | undefined =>
  fstatSync(1).isCharacterDevice() && process.stdout.isTTY ? process.stdout.columns : undefined;

/** Returns true if the defaults for colours and text hold; `main` knows the others. */
const isUsualTerminal = ({ NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean =>
  // A Windows console reads bytes by its own code page.
  !NO_COLOR && FORCE_COLOR === undefined && TERM !== 'dumb' && process.platform !== 'win32';

/** Prints the version or a help page if that is all the line asks for. @returns the exit code; undefined if it is not */
async function answerAtOnce(argv: readonly string[]): Promise<number | undefined> {
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
  const answered = await answerAtOnce(argv);
  if (answered !== undefined) return answered;
  const keep = takeCompiled(argv);
  const { runProcess } = await import('./process.js');
  const code = await runProcess(argv);
  await keep?.();
  return code;
}

/** Uses code that was compiled before. @returns what keeps the code of this run for the next one; nothing if it is there */
function takeCompiled(argv: readonly string[]): (() => Promise<void>) | undefined {
  // With --debug, stack traces name the sources; Node reads the maps of what it compiles itself only.
  if (argv.includes('--debug') || process.env.EDU_DEBUG) {
    process.setSourceMapsEnabled(true);
    return undefined;
  }
  const shipped = compiledFolder(__dirname);
  if (existsSync(shipped)) {
    useCompiled(__dirname, shipped);
    return undefined;
  }
  // Node's own switch for its own cache.
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined;
  const folder = keptFolder(__dirname);
  const loaded = useCompiled(__dirname, folder);
  return async () => {
    if ([...loaded.values()].every(({ wasKept }) => wasKept)) return;
    // A long job may outlive its program: another version was installed meanwhile, and the chunk is gone.
    const keeping = await import('./write-code-cache.js').catch(() => undefined);
    keeping?.writeCodeCache(__dirname, folder, loaded);
  };
}
