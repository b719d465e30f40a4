/** Snapshots of all that a test can see of a service. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../core/fs/temporary.js';
import type { TableName } from './store/schema.js';
import type { Store } from './store/store.js';

/** What a reset or a restored snapshot sets back, and can keep as it is. `data` includes e-mails and tokens. */
export const PARTS = ['data', 'emails', 'tokens', 'requests', 'faults', 'clock', 'variants'] as const;
export type Part = (typeof PARTS)[number];

/** Sets back everything outside of the store, except for some parts. */
export type SetBack = (kept: readonly Part[]) => void;

/** The tables that stay when the data is replaced. */
export const tablesOf = (kept: readonly Part[]): readonly TableName[] => [
  ...(kept.includes('emails') ? (['emails'] as const) : []),
  ...(kept.includes('tokens') ? (['accessTokens'] as const) : []),
];

interface Saved {
  /** Returns a function that sets it back. */
  save(): () => void;
}

/** Saves what is outside of the store. @param random is repeated, unless records with IDs from it are kept */
export function saverOf(parts: Readonly<Partial<Record<Part, Saved>>>, random: Saved): () => SetBack {
  return () => {
    const setBack = Object.entries(parts).map(([part, saved]) => [part as Part, saved.save()] as const);
    const repeatRandom = random.save();
    return (kept) => {
      for (const [part, work] of setBack) if (!kept.includes(part)) work();
      if (!kept.some((part) => part === 'data' || part === 'emails' || part === 'tokens')) repeatRandom();
    };
  };
}

/** @param save saves everything outside of the store */
export function snapshotsOf(store: Store, save: () => SetBack) {
  const taken = new Map<string, { readonly file: string; readonly setBack: SetBack }>();
  let folder: TemporaryFolder | undefined;
  let count = 0;
  /** Returns false if there is no snapshot of this name. */
  const remove = (name: string): boolean => {
    const snapshot = taken.get(name);
    if (snapshot !== undefined) rmSync(snapshot.file, { force: true });
    return taken.delete(name);
  };
  return {
    names: (): string[] => [...taken.keys()],
    /** @param name replaces a snapshot of the same name */
    take(name = `snapshot-${count + 1}`): string {
      folder ??= temporaryFolder('snapshots');
      const file = join(folder.path, `${++count}.db`);
      store.copyTo(file);
      remove(name);
      taken.set(name, { file, setBack: save() });
      return name;
    },
    /** Returns false if there is no snapshot of this name. */
    restore(name: string, kept: readonly Part[] = []): boolean {
      const snapshot = taken.get(name);
      if (snapshot === undefined) return false;
      if (!kept.includes('data')) store.restoreFrom(snapshot.file, tablesOf(kept));
      snapshot.setBack(kept);
      return true;
    },
    remove,
    close(): void {
      taken.clear();
      folder?.remove();
      folder = undefined;
    },
  };
}
