/** The log of `--debug`: one line per attempt on stderr, after secrets were redacted. */
import type { TraceEvent } from '../client/request/client-state.js';
import type { Env, Io, Out } from '../core/io.js';
import { switchOf, type Values } from './command.js';

/** `--debug` or EDU_DEBUG: lines of text, or of JSON; undefined without either. */
export function debugFormat(globals: Values, env: Env): 'text' | 'json' | undefined {
  const debug = switchOf(globals, 'debug', env);
  return debug === 'json' ? debug : debug === true ? 'text' : undefined;
}

/** A stderr for the log of `--debug=json`, in which each line of text is an object, too. */
export function jsonLog(stderr: Out, now: () => number): Out {
  let rest = '';
  return {
    isTTY: false,
    columns: undefined,
    async write(text) {
      const lines = `${rest}${typeof text === 'string' ? text : Buffer.from(text).toString()}`.split('\n');
      rest = lines.pop() ?? '';
      const time = new Date(now()).toISOString();
      const said = lines.filter((message) => message !== '');
      await stderr.write(said.map((message) => `${JSON.stringify({ time, level: 'info', message })}\n`).join(''));
    },
  };
}

/** @returns a function that prints each attempt; undefined without --debug */
export function debugTrace(
  globals: Values,
  { env, io, now }: { readonly env: Env; readonly io: Io; readonly now: () => number },
): ((event: TraceEvent) => void) | undefined {
  const format = debugFormat(globals, env);
  if (format === undefined) return undefined;
  return (event) => {
    const time = new Date(now()).toISOString();
    void (io.log ?? io.stderr).write(format === 'json' ? jsonLine(time, event) : textLine(time, event));
  };
}

/** `time` is that of the end of the attempt. */
const jsonLine = (time: string, { durationMs, ...event }: TraceEvent): string =>
  `${JSON.stringify({ time, level: 'debug', ...event, durationMs: durationMs && Math.round(durationMs) })}\n`;

function textLine(time: string, event: TraceEvent): string {
  const { method, url, attempt, status, durationMs, requestId, traceparent, error, note } = event;
  const facts = [
    `${time} ${method} ${url}`,
    attempt > 1 ? `attempt ${attempt}` : undefined,
    status === undefined ? undefined : String(status),
    durationMs === undefined ? undefined : `${Math.round(durationMs)} ms`,
    requestId === undefined ? undefined : `request ${requestId}`,
    traceparent === undefined ? undefined : `traceparent ${traceparent}`,
    error,
    note,
  ];
  return `debug: ${facts.filter((fact) => fact !== undefined).join(' · ')}\n`;
}
