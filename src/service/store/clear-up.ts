/** Clears up behind processes that were killed while they had a state open. Loaded when there is something to clear up. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readHolder } from '../../core/fs/lock-file.js';
import { isDead, isNear } from '../../core/fs/lock-owner.js';
import { PORTABLE_FILE, turnOf } from './place.js';
import { BUSY_TIMEOUT } from './sqlite.js';
import type { Store } from './store.js';
import { endTurn, takeTurn } from './turn.js';

/** Files by which a turn passed from one dead process to the next. They are not touched but in one's own turn. */
function removeSuccessions(directory: string): void {
  const turn = turnOf(PORTABLE_FILE);
  const left = readdirSync(directory).filter(
    (name) => name.startsWith(`${turn}.`) && /^[0-9a-f]+$/.test(name.slice(turn.length + 1)),
  );
  if (left.length === 0 || !takeTurn(join(directory, turn), BUSY_TIMEOUT)) return;
  try {
    for (const name of left) {
      const holder = readHolder(join(directory, name));
      if (holder !== undefined && isNear(holder) && isDead(holder)) rmSync(join(directory, name), { force: true });
    }
  } finally {
    endTurn(join(directory, turn));
  }
}

/**
 * Removes what is left of them, as far as that can be done: on a full disk, for example, the next process tries again.
 * @param notes theirs, the files
 */
export function clearUp(store: Store, directory: string, notes: readonly string[]): void {
  try {
    // Nobody can be about to name a blob meanwhile: blobs get their names inside writes.
    store.write(() => store.blobs.sweep(new Set(store.files.all({}).map(({ blob }) => blob))));
    removeSuccessions(directory);
    // At last: they are what says that there is something to do.
    for (const note of notes) rmSync(note, { force: true });
  } catch {
    // No reason for the command at hand to fail.
  }
}
