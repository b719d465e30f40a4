/** Limits the nesting of JSON from outside, which later code follows by recursion. */
import { JsonNesting } from '../core/json.js';

/** The API document shows no maximum; no documented body is nested more than four levels. */
export const MAX_JSON_DEPTH = 100;

/** Counts brackets in the text, because recursing through the parsed value could overflow the stack. */
export function isTooDeep(json: string): boolean {
  const nesting = new JsonNesting();
  for (let at = 0; at < json.length && nesting.depth <= MAX_JSON_DEPTH; at++) nesting.next(json.charAt(at));
  return nesting.depth > MAX_JSON_DEPTH;
}
