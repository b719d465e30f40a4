/** Formats the trace of `--debug`: one line per attempt on stderr, after secrets were redacted. */

import type { TraceEvent } from '../client/request/client-state.js';
import { type Env, type Io, isSet } from '../core/io.js';
import { isOn, type Values } from './command.js';

/** @returns a function that prints each attempt; undefined without --debug */
export function debugTrace(
  globals: Values,
  { env, io }: { readonly env: Env; readonly io: Io },
): ((event: TraceEvent) => void) | undefined {
  if (!isOn(globals, 'debug') && !isSet(env.EDU_DEBUG)) return undefined;
  return (event) => void io.stderr.write(traceLine(event));
}

function traceLine({ method, url, attempt, status, durationMs, requestId, error, note }: TraceEvent): string {
  const facts = [
    `${method} ${url}`,
    attempt > 1 ? `attempt ${attempt}` : undefined,
    status === undefined ? undefined : String(status),
    durationMs === undefined ? undefined : `${Math.round(durationMs)} ms`,
    requestId === undefined ? undefined : `request ${requestId}`,
    error,
    note,
  ];
  return `debug: ${facts.filter((fact) => fact !== undefined).join(' · ')}\n`;
}
