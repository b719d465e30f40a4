/** Decides whether streams are coloured, and colours text (SGR codes). */
import type { Env } from '../core/io.js';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** SGR codes that switch a style on and off. */
const CODES: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/**
 * Decides whether a stream gets colours. `--no-color` decides first, then NO_COLOR (https://no-color.org: any value but the
 * empty one), FORCE_COLOR (`0` and `false` switch off, anything else on), TERM=dumb, and last whether it is a terminal.
 */
export function wantsColor(noColor: boolean, env: Env, isTTY: boolean): boolean {
  if (noColor || (env.NO_COLOR ?? '') !== '') return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTTY && env.TERM !== 'dumb';
}

export type Paint = (style: Style, text: string) => string;

/** Wraps text in a style, or leaves it as it is when colours are off. */
export const painter =
  (color: boolean): Paint =>
  (style, text) =>
    color && text !== '' ? `\x1b[${CODES[style][0]}m${text}\x1b[${CODES[style][1]}m` : text;
