/** Named snapshots of a state, restored while the service runs. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../../core/fs/temporary.js';
import { SEED_SETTING } from '../seeds/seed.js';
import type { Store } from '../store/store.js';

export class Snapshots {
  readonly #store: Store;
  readonly #onRestore: () => void;
  readonly #taken = new Map<string, { readonly file: string; readonly seed: string | undefined }>();
  #folder: TemporaryFolder | undefined;
  #count = 0;

  /** @param onRestore called after a snapshot was restored */
  constructor(store: Store, onRestore: () => void) {
    this.#store = store;
    this.#onRestore = onRestore;
  }

  names(): string[] {
    return [...this.#taken.keys()];
  }

  /** Copies the state. @param name replaces a snapshot of the same name; default: `snapshot-1` and so on */
  take(name?: string): string {
    this.#folder ??= temporaryFolder('snapshots');
    const number = ++this.#count;
    const file = join(this.#folder.path, `${number}.db`);
    this.#store.copyTo(file);
    const chosen = name ?? `snapshot-${number}`;
    this.remove(chosen);
    this.#taken.set(chosen, { file, seed: this.#store.setting(SEED_SETTING) });
    return chosen;
  }

  /** Restores the state; returns false if there is no snapshot of this name. */
  restore(name: string): boolean {
    const snapshot = this.#taken.get(name);
    if (snapshot === undefined) return false;
    const { file, seed } = snapshot;
    this.#store.restoreFrom(file, seed === undefined ? {} : { [SEED_SETTING]: seed });
    this.#onRestore();
    return true;
  }

  /** Returns false if there is no snapshot of this name. */
  remove(name: string): boolean {
    const snapshot = this.#taken.get(name);
    if (snapshot === undefined) return false;
    rmSync(snapshot.file, { force: true });
    return this.#taken.delete(name);
  }

  close(): void {
    this.#taken.clear();
    this.#folder?.remove();
    this.#folder = undefined;
  }
}
