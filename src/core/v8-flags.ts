/**
 * Changes V8 flags while the program runs: on Node 20 only, where their effect was measured. V8 rejects cached code
 * that was compiled under other flags, so the flags are restored before code is cached.
 */

/** What they are otherwise, in V8 11. */
const USUAL = { 'wasm-tiering-budget': 1_800_000, 'semi-space-growth-factor': 2 } as const;

export type Flag = keyof typeof USUAL;

const changed = new Set<Flag>();

/** Changes a flag for the rest of the run; does nothing on other Nodes. */
export function setFlag(flag: Flag, value: number): void {
  if (!process.versions.node.startsWith('20.')) return;
  changed.add(flag);
  process.getBuiltinModule('node:v8').setFlagsFromString(`--${flag}=${value}`);
}

/** Sets flags back that were changed. @param flags all of them if left out */
export function resetFlags(flags: Iterable<Flag> = changed): void {
  for (const flag of [...flags]) {
    if (!changed.has(flag)) continue;
    setFlag(flag, USUAL[flag]);
    changed.delete(flag);
  }
}
