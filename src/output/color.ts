/** Decides whether a stream is coloured, and colours text. */
import { isOn, switchOf, type Values } from '../core/flag-values.js';
import type { Env } from '../core/io.js';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/**
 * In this order: `--no-color`, `--plain`, NO_COLOR (https://no-color.org: any non-empty value), FORCE_COLOR (`0` and
 * `false` switch colours off, anything else on), TERM=dumb, and whether the stream is a terminal.
 */
export function wantsColor(globals: Values, env: Env, isTTY: boolean): boolean {
  if (isOn(globals, 'no-color') || isPlain(globals, env) || (env.NO_COLOR ?? '') !== '') return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTTY && env.TERM !== 'dumb';
}

/** True if nothing may be written but lines of text: with `--plain` or EDU_PLAIN. */
export const isPlain = (globals: Values, env: Env): boolean => switchOf(globals, 'plain', env) === true;

export type Paint = (style: Style, text: string) => string;

/** Returns text unchanged if colours are off. */
export function painter(color: boolean): Paint {
  if (!color) return (_, text) => text;
  const { styleText } = process.getBuiltinModule('node:util');
  // Without its own check of the stream, which would create process.stdout.
  return (style, text) => (text === '' ? '' : styleText(style, text, { validateStream: false }));
}
