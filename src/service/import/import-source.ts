/** The data of an import, and the values that its modules share. */
import type { OrganizationType } from '../../contract/shared.js';
import { differenceFrom } from '../import-overrides.js';
import type { Store } from '../store/store.js';
import { asText, type Item, objectOf } from './import-records.js';

/** Thrown for data that cannot be imported. The message is only the reason; callers name the data. */
export class BadSeed extends TypeError {
  override readonly name = 'BadSeed';
  readonly hint: string;
  /** @param hint a sentence; a general one if left out */
  constructor(message: string, hint = '', cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.hint = hint === '' ? 'Use a whole export: edu export --to DIR' : hint;
  }
}

export interface Import {
  readonly organization: { readonly id: string; readonly type: string };
  /** The caller's own organization and those it owns, as far as the export lists them. */
  readonly organizations: readonly { readonly id: string; readonly type: string }[];
  readonly language: string;
  /** The languages of subjects and types if the export has them in several; each has its own items. */
  readonly languages: readonly string[];
  /** Returns true if the data contains the resource, even as an empty list. */
  readonly holds: (resource: string) => boolean;
  /** The items of a resource in batches; none if the data does not contain it. */
  readonly items: (resource: string) => AsyncIterable<readonly Item[]>;
}

export interface Loading {
  readonly data: Import;
  readonly store: Store;
  readonly own: string;
  readonly types: Map<string, OrganizationType>;
  readonly now: number;
  /** Returns another number with each call. */
  readonly newNumber: () => number;
}

/** Collects all items of a resource. For resources that stay small. */
export async function all(data: Import, resource: string): Promise<Item[]> {
  const found: Item[] = [];
  for await (const items of data.items(resource)) for (const item of items) found.push(item);
  return found;
}

/** Passes the items of a resource in batches, each in a write transaction. */
export async function eachBatch(
  { data, store }: Loading,
  resource: string,
  load: (items: readonly Item[]) => void,
): Promise<void> {
  for await (const items of data.items(resource)) store.write(() => load(items));
}

/** The organization that an item belongs to: the referenced one if it is known, else the caller's own. */
export function ownerIn({ types, own }: Loading, reference: unknown): string {
  const id = asText(objectOf(reference).id);
  return types.has(id) ? id : own;
}

/** Adds to each record the differences between its response and the exported item. */
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
