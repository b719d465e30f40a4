/** Distinguishes fields that a service has added or dropped from fields that changed in single items. */
import { join } from 'node:path';
import type { Field } from '../../contract/vocabulary.js';
import { bytesOf, type RecordFile } from '../files/read-data-file.js';
import type { FieldChange } from './field-changes.js';

/** A field that no item of one export has, but about every item of the other. */
export interface FieldShift {
  /** `settings.color`, `books[].color` */
  readonly path: string;
  readonly isNew: boolean;
  /** The number of items in which it appeared or disappeared, and the number of items in both exports. */
  readonly count: number;
  readonly of: number;
}

/** `books[B1].title` → `books[].title` */
const generalPath = (path: string): string => path.replace(/\[[^\]]*\]?/g, '[]');

/** Counts the members with a name in a file, at any depth. */
async function countMembers(file: RecordFile | undefined, name: string): Promise<number> {
  if (file === undefined) return 0;
  const wanted = Buffer.from(`${JSON.stringify(name)}:`);
  let count = 0;
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytesOf(join(file.folder, file.facts.file), file.facts.bytes + 1, () => {}, file.signal)) {
    const bytes = Buffer.concat([rest, chunk]);
    for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + wanted.length)) count++;
    rest = bytes.subarray(Math.max(0, bytes.length - wanted.length + 1));
  }
  return count;
}

/** True if no item of one file has the member, but about every item of the other. */
async function isShift(
  without: RecordFile | undefined,
  having: RecordFile | undefined,
  name: string,
): Promise<boolean> {
  if ((await countMembers(without, name)) > 0) return false;
  return (await countMembers(having, name)) >= (having?.facts.count ?? 0);
}

/** True if the contract contains the field. */
function isDocumented(shape: Field, path: string): boolean {
  let field: Field | undefined = shape;
  for (const name of path.split('.')) {
    field = field?.fields?.[name.replace('[]', '')];
    if (name.endsWith('[]')) field = field?.of;
  }
  return field !== undefined;
}

/** Counts the fields that only one of two files has. */
export function fieldCensus(shape: Field, before: RecordFile | undefined, after: RecordFile | undefined) {
  /** By path; undefined for fields that both have. */
  const shifts = new Map<string, { readonly isNew: boolean; count: number } | undefined>();
  async function shiftOf(change: FieldChange) {
    const isNew = change.before === undefined;
    const name = change.path.split(/[.[\]]/).at(-1) ?? '';
    if (name === '' || (!isNew && change.after !== undefined)) return undefined;
    const path = generalPath(change.path);
    if (!shifts.has(path)) {
      const files = isNew ? ([before, after] as const) : ([after, before] as const);
      // A documented field may be blank first and filled later, which is a change of the items.
      const isFound = !(isNew && isDocumented(shape, path)) && (await isShift(...files, name));
      shifts.set(path, isFound ? { isNew, count: 0 } : undefined);
    }
    return shifts.get(path);
  }
  return {
    /** Removes the changes of such fields from those of an item, and counts them. */
    async without(changes: readonly FieldChange[]): Promise<readonly FieldChange[]> {
      const own: FieldChange[] = [];
      const counted = new Set<{ count: number }>();
      for (const change of changes) {
        const shift = await shiftOf(change);
        if (shift === undefined) own.push(change);
        else counted.add(shift);
      }
      for (const shift of counted) shift.count++;
      return own;
    },
    /** @param of the number of items in both exports */
    shifts: (of: number): readonly FieldShift[] =>
      [...shifts].flatMap(([path, shift]) => (shift === undefined ? [] : [{ path, ...shift, of }])),
  };
}
