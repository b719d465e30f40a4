/** Passes long output through the user's pager. */
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { ClosedPipe, type Env, type Out } from '../../core/io.js';
import type { Text } from '../writers/writer.js';
import { childEnv, findProgram } from './program.js';

export interface Paged {
  write(text: Text): Promise<void>;
  end(): Promise<void>;
}

/** Splits a command line such as `less -R "a b"`. Not run by a shell, because PAGER is data from the environment. */
export function wordsOf(command: string): string[] {
  const words = command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g);
  return [...words].map(([, double, single, bare]) => double ?? single ?? bare ?? '');
}

type Pager = ChildProcessByStdio<Writable, null, null>;

async function start(command: string, env: Env): Promise<Pager | undefined> {
  const [name = '', ...args] = wordsOf(command);
  const program = findProgram(name, env);
  if (program === undefined) return undefined;
  // Imported here because short tables need no pager.
  const { spawn } = await import('node:child_process');
  const child = spawn(program, args, {
    stdio: ['pipe', 'inherit', 'inherit'],
    // For less, as git does: quit if the text fits on one screen, keep colours, leave the text on the screen. The text is
    // UTF-8 in any locale.
    env: { LESS: 'FRX', LESSCHARSET: 'utf-8', LV: '-c', ...childEnv(env) },
  });
  return once(child, 'spawn').then(
    () => child,
    () => undefined,
  );
}

function pipeTo(child: Pager): Paged {
  const left = once(child, 'close');
  // Left alone, it would compete with the shell for what is typed.
  process.once('exit', () => child.kill());
  // The user may quit at any time; pending writes report that in their callbacks.
  child.stdin.on('error', () => {});
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        child.stdin.write(text, (error) => (error ? reject(new ClosedPipe('the pager is closed')) : resolve()));
      }),
    async end() {
      child.stdin.end();
      await left;
    },
  };
}

/**
 * Buffers text until it exceeds one screen, then starts the pager; shorter text is written to the terminal.
 * @param onStart called before the pager takes over the screen
 * @param onEnd gets what waits for the pager, which ignores Ctrl-C, when the program is interrupted
 */
export function paged(
  out: Out,
  command: string,
  env: Env,
  onStart: () => void,
  onEnd: (close: () => Promise<void>) => void = () => {},
): Paged {
  const room = Math.max(1, (out.rows ?? 24) - 2);
  const held: Text[] = [];
  let lines = 0;
  let target: Paged | undefined;

  async function open(): Promise<Paged> {
    onStart();
    const child = await start(command, env);
    if (child === undefined) return { write: (text) => out.write(text), end: async () => {} };
    const pager = pipeTo(child);
    onEnd(pager.end);
    return pager;
  }

  async function release(to: Pick<Paged, 'write'>): Promise<void> {
    for (const text of held.splice(0)) await to.write(text);
  }

  return {
    async write(text) {
      if (target !== undefined) return target.write(text);
      held.push(text);
      lines += String(text).split('\n').length - 1;
      if (lines <= room) return;
      target = await open();
      await release(target);
    },
    async end() {
      if (target === undefined) await release(out);
      else await target.end();
    },
  };
}
