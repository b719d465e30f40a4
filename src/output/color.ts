/** Decides whether a stream is coloured, and colours text. */
import type { Env } from '../core/io.js';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/**
 * In this order: `--no-color`, NO_COLOR (https://no-color.org: any non-empty value), FORCE_COLOR (`0` and `false` switch
 * colours off, anything else on), TERM=dumb, and whether the stream is a terminal.
 */
export function wantsColor(noColor: boolean, env: Env, isTTY: boolean): boolean {
  if (noColor || (env.NO_COLOR ?? '') !== '') return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTTY && env.TERM !== 'dumb';
}

export type Paint = (style: Style, text: string) => string;

/** Returns text unchanged if colours are off. */
export function painter(color: boolean): Paint {
  if (!color) return (_, text) => text;
  const { styleText } = process.getBuiltinModule('node:util');
  // Without its own check of the stream, which would create process.stdout.
  return (style, text) => (text === '' ? '' : styleText(style, text, { validateStream: false }));
}
