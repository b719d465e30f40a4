/** Runs `edu config …`. */
import { credentialsFile } from '../../auth/credentials/credentials.js';
import { isOn, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { Field } from '../../contract/vocabulary.js';
import { onePage } from '../../output/select/item-pages.js';
import type { Asked } from '../../settings/in-effect.js';
import { getSetting, listSettings, setSetting, unsetSetting } from '../../settings/profile-store.js';
import { settingsFile } from '../../settings/read-settings.js';

const asked = (context: Context): Asked => ({ ...context.asked(), mayBeNew: true });

export async function list(shape: Field, context: Context): Promise<void> {
  const rows = onePage(listSettings(asked(context)));
  await (await context.printer()).list(rows, { shape, noun: 'settings' });
}

export async function get(values: Values, context: Context): Promise<void> {
  const printer = await context.printer();
  await printer.text(getSetting(textOf(values, 'setting') ?? '', asked(context)));
}

export async function set(values: Values, context: Context): Promise<void> {
  const name = textOf(values, 'setting') ?? '';
  const done = await setSetting(name, textOf(values, 'value') ?? '', asked(context), context.machine);
  if (done.notice !== undefined) await context.warn(done.notice);
  await context.say(
    name === 'profile'
      ? `Profile ${done.value} is used from now on.`
      : `${name} of profile ${done.profile} is now ${done.value}.`,
  );
}

/** No error if the setting was not set. */
export async function unset(values: Values, context: Context): Promise<void> {
  const name = textOf(values, 'setting') ?? '';
  const wasSet = await unsetSetting(name, asked(context), context.machine);
  await context.say(wasSet ? `${name} is not set any more.` : `${name} was not set.`);
}

/** Does not read the file, which may be invalid. */
export async function path(values: Values, context: Context): Promise<void> {
  const file = isOn(values, 'credentials') ? credentialsFile(context.env) : settingsFile(context.env);
  await context.io.stdout.write(`${file}\n`);
}
