/** Reads what is there under an ID, else under a name that looks like one: an ID that exists costs nothing more. */
import type { Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { Line } from './names.js';

/**
 * Reads with the values as they are and, when the service does not know an ID, once more with the IDs of what has these
 * names. For reads only.
 */
export async function triedAsIds<T>(line: Line, context: Context, read: (values: Values) => Promise<T>): Promise<T> {
  try {
    return await read(line.values);
  } catch (error) {
    const names = await import('./names.js');
    if (!names.isUnknownId(error)) throw error;
    const again = await names.withNamesTried(line, context, error);
    if (again === undefined) throw error;
    return read(again);
  }
}
