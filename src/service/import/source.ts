/** The data of an import, and the values that its parts share. */
import type { OrganizationType } from '../../contract/shared.js';
import { differenceFrom } from '../import-overrides.js';
import type { Store } from '../store/store.js';
import { type Item, objectOf, textOf } from './records.js';

/** Thrown for data that a state cannot be filled with. The message is the reason alone; callers name the data. */
export class BadSeed extends TypeError {
  override readonly name = 'BadSeed';
  readonly hint: string;
  /** @param hint what to do instead, as a sentence; a general one if left out */
  constructor(message: string, hint = '', cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint === '' ? 'Use a whole export: edu export --to DIR' : hint;
  }
}

/** The data of an export. */
export interface Import {
  /** The caller's own organization. */
  readonly organization: { readonly id: string; readonly type: string };
  /** The same and those that it owns, as far as the export knows them. */
  readonly organizations: readonly { readonly id: string; readonly type: string }[];
  /** The language of names. */
  readonly language: string;
  /** The languages of subjects and types, each with its own items, when the export has not just that one. */
  readonly languages: readonly string[];
  /** Whether it holds a resource, if only as an empty list. */
  readonly holds: (resource: string) => boolean;
  /** The items of a resource, some at a time; none when the export does not hold it. */
  readonly items: (resource: string) => AsyncIterable<readonly Item[]>;
}

/** What the parts of an import share. */
export interface Loading {
  readonly data: Import;
  readonly store: Store;
  readonly own: string;
  /** The organizations that are known, by id. */
  readonly types: Map<string, OrganizationType>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** All items of a resource that stays small. */
export async function all(data: Import, resource: string): Promise<Item[]> {
  const found: Item[] = [];
  for await (const items of data.items(resource)) for (const item of items) found.push(item);
  return found;
}

/** Whose something is: the organization that an item names, or the own one where it names none that is known. */
export function ownerIn({ types, own }: Loading, reference: unknown): string {
  const id = textOf(objectOf(reference).id);
  return types.has(id) ? id : own;
}

/** Records with what their items show otherwise than our answers. */
export function withShown<R extends object>(
  records: readonly R[],
  answers: readonly unknown[],
  items: readonly Item[],
): R[] {
  return records.map((record, index) => {
    const shown = differenceFrom(answers[index], items[index]);
    return shown === undefined ? record : { ...record, shown };
  });
}
