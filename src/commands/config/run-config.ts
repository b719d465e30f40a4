/** Runs `edu config …`. */
import { credentialsFile } from '../../auth/credentials/credentials.js';
import { type Command, isOn, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { Field } from '../../contract/vocabulary.js';
import type { Asked } from '../../settings/in-effect.js';
import { getSetting, listSettings, setSetting, unsetSetting } from '../../settings/profile-store.js';
import { settingsFile } from '../../settings/read-settings.js';
import { complete } from '../kinds/prompt-missing.js';

const asked = (context: Context): Asked => ({ ...context.asked(), mayBeNew: true });

/** Runs `edu config list`. */
export async function list(shape: Field, context: Context): Promise<void> {
  const printer = await context.printer();
  await printer.check(shape);
  const rows = listSettings(asked(context));
  await printer.list(onePage(rows), { shape, noun: 'settings' });
}

/** Runs `edu config get`. */
export async function get(command: Command, given: Values, context: Context): Promise<void> {
  const values = await complete(command, context.path, given, context);
  const printer = await context.printer();
  await printer.text(getSetting(textOf(values, 'setting') ?? '', asked(context)));
}

/** Runs `edu config set`. */
export async function set(command: Command, given: Values, context: Context): Promise<void> {
  const values = await complete(command, context.path, given, context);
  const name = textOf(values, 'setting') ?? '';
  const done = await setSetting(name, textOf(values, 'value') ?? '', asked(context), context.machine);
  await context.say(
    name === 'profile'
      ? `Profile ${done.value} is used from now on.`
      : `${name} of profile ${done.profile} is now ${done.value}.`,
  );
}

/** Runs `edu config unset`. A setting that is not set stays so, and that is no error. */
export async function unset(command: Command, given: Values, context: Context): Promise<void> {
  const values = await complete(command, context.path, given, context);
  const name = textOf(values, 'setting') ?? '';
  const wasSet = await unsetSetting(name, asked(context), context.machine);
  await context.say(wasSet ? `${name} is not set any more.` : `${name} was not set.`);
}

/** Runs `edu config path`. It does not read the file, which may be broken. */
export async function path(values: Values, context: Context): Promise<void> {
  const file = isOn(values, 'credentials') ? credentialsFile(context.env) : settingsFile(context.env);
  await context.io.stdout.write(`${file}\n`);
}

async function* onePage<T>(rows: readonly T[]): AsyncGenerator<readonly T[]> {
  yield rows;
}
