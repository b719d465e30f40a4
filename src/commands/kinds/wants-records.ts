/** Chooses between text and data, for commands that print text by default, even in a pipe. */
import { isOn, textOf } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { isSet } from '../../core/env.js';

/** Returns true if a data format was requested. */
export const wantsRecords = ({ globals, env }: Context): boolean =>
  ['output', 'query', 'fields', 'sort'].some((name) => textOf(globals, name) !== undefined) ||
  ['json', 'excel'].some((name) => isOn(globals, name)) ||
  isSet(env.EDU_OUTPUT);
