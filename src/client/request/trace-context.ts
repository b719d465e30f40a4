/** The `traceparent` header of requests (W3C Trace Context), by which an operator finds the requests of one command. */

/** `version-traceId-parentId-flags`; later versions may append fields. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-([\da-f]{2})(?:-.*)?$/;
const SAMPLED = '01';

export interface TraceContext {
  /** 32 hexadecimal digits, equal for all requests of a command. */
  readonly traceId: string;
  /** The header of the next request, with an ID of its own. */
  readonly next: () => string;
}

/**
 * 16 decimal digits, which are hexadecimal ones too.
 * @param random from 0 to 1; a collision would only mix two traces, and `node:crypto` takes time to load
 */
const digits = (random: () => number): string => String(Math.floor(1e15 + 8e15 * random()));

/**
 * Continues the trace of the environment, or starts one.
 * @param parent `TRACEPARENT`; an invalid one starts a new trace (W3C Trace Context, section 3.2.2)
 */
export function traceContext(parent: string | undefined, random: () => number): TraceContext {
  const [, traceId = digits(random) + digits(random), flags = SAMPLED] = TRACEPARENT.exec(parent?.trim() ?? '') ?? [];
  const own = digits(random).slice(8);
  let count = 10_000_000;
  return { traceId, next: () => `00-${traceId}-${own}${++count}-${flags}` };
}
