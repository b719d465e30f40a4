/** Tries references as IDs before resolving them as names, so that an existing ID costs no additional request. */
import type { Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { Line } from './names.js';

/** Runs `work` with the values as given and, if the service does not know an ID, again with names resolved to IDs. */
export async function triedAsIds<T>(line: Line, context: Context, work: (values: Values) => Promise<T>): Promise<T> {
  try {
    return await work(line.values);
  } catch (error) {
    const names = await import('./names.js');
    if (!names.isUnknownId(error)) throw error;
    const again = await names.withNamesTried(line, context, error);
    if (again === undefined) throw error;
    return work(again);
  }
}
