/** The language of a new user: from the row, else that of the command. */
import { type Flag, flag, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { LANGUAGES } from '../../contract/shared.js';

/** All commands have the flag `--language`; in a file, each user may have another language. */
export const LANGUAGE_COLUMN: Flag = flag(
  '--language LL',
  'language of the user and of the e-mail with the password (default: --language)',
  { kind: 'choice', choices: LANGUAGES },
);

export const personLanguage = (values: Values, context: Context): string =>
  textOf(values, LANGUAGE_COLUMN.name) ?? context.language();
