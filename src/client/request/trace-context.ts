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
 * @param count a multiple of 8
 * @param random from 0 to 1; a collision would only mix two traces, and `node:crypto` takes time to load
 */
function hexDigits(count: number, random: () => number): string {
  let digits = '';
  while (digits.length < count) digits += (2 ** 32 + Math.floor(2 ** 32 * random())).toString(16).slice(1);
  return digits;
}

/**
 * Continues the trace of the environment, or starts one.
 * @param parent `TRACEPARENT`; an invalid one starts a new trace (W3C Trace Context, section 3.2.2)
 */
export function traceContext(parent: string | undefined, random: () => number): TraceContext {
  const [, traceId = hexDigits(32, random), flags = SAMPLED] = TRACEPARENT.exec(parent?.trim() ?? '') ?? [];
  return { traceId, next: () => `00-${traceId}-${hexDigits(16, random)}-${flags}` };
}
