/** Named snapshots of a state, restored while the service runs. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../../core/fs/temporary.js';
import type { Store } from '../store/store.js';

/** @param onRestore called after a snapshot was restored */
export function snapshotsOf(store: Store, onRestore: () => void) {
  /** The file of each snapshot. */
  const taken = new Map<string, string>();
  let folder: TemporaryFolder | undefined;
  let count = 0;
  /** Returns false if there is no snapshot of this name. */
  const remove = (name: string): boolean => {
    const file = taken.get(name);
    if (file !== undefined) rmSync(file, { force: true });
    return taken.delete(name);
  };
  return {
    names: (): string[] => [...taken.keys()],
    /** Copies the state. @param name replaces a snapshot of the same name */
    take(name = `snapshot-${count + 1}`): string {
      folder ??= temporaryFolder('snapshots');
      const file = join(folder.path, `${++count}.db`);
      store.copyTo(file);
      remove(name);
      taken.set(name, file);
      return name;
    },
    /** Restores the state; returns false if there is no snapshot of this name. */
    restore(name: string): boolean {
      const file = taken.get(name);
      if (file === undefined) return false;
      store.restoreFrom(file);
      onRestore();
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
