/** Sorts any number of lines in constant memory, in runs on disk. A pass over a list is kept as a whole or dropped. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { compareText } from './compare-text.js';
import { type MergeOptions, merge } from './merge.js';
import { createRun, type Line, type Run, type RunWriter, writeRun } from './sorted-run.js';

/** UTF-16 units of lines in memory before they are sorted and written. */
const MAX_IN_MEMORY = 4 * 1024 * 1024;
/** The same of lines in order, which a run grows by. They are written before V8 moves them to its old generation. */
const MAX_IN_ORDER = 256 * 1024;

interface Entry {
  readonly key: string;
  readonly line: string;
}

type Compare = (a: Entry, b: Entry) => number;

class Pile {
  #entries: Entry[] = [];
  #size = 0;
  #isInOrder = true;
  readonly #compare: Compare;

  constructor(compare: Compare) {
    this.#compare = compare;
  }

  get first(): Entry | undefined {
    return this.#entries[0];
  }

  /** @param max in UTF-16 units */
  isFull(max = this.#isInOrder ? MAX_IN_ORDER : MAX_IN_MEMORY): boolean {
    return this.#size > max;
  }

  add(entry: Entry): void {
    const last = this.#entries.at(-1);
    if (this.#isInOrder && last !== undefined && this.#compare(last, entry) > 0) this.#isInOrder = false;
    this.#entries.push(entry);
    this.#size += entry.line.length + entry.key.length;
  }

  /** All entries, in order. */
  sorted(): readonly Entry[] {
    if (!this.#isInOrder) this.#entries.sort(this.#compare);
    this.#isInOrder = true;
    return this.#entries;
  }

  /** Removes all entries. @returns them in order */
  take(): readonly Entry[] {
    const entries = this.sorted();
    this.#entries = [];
    this.#size = 0;
    return entries;
  }
}

export type Pass = ReturnType<Sorter['pass']>;

export interface SorterOptions extends MergeOptions {
  readonly folder: string;
  /** Prefix of the runs' names, unique in the folder. */
  readonly name: string;
  /** Called when all lines of named passes are on disk, with their runs. */
  readonly onSaved?: (runs: readonly Run[], names: readonly string[]) => Promise<void>;
}

export class Sorter {
  readonly #options: SorterOptions;
  readonly #compare: Compare;
  readonly #pool: Pile;
  readonly #runs: Run[] = [];
  #number = 0;
  /** Runs and names of passes for which `onSaved` was not called yet. */
  #unsaved: { runs: Run[]; names: string[] } = { runs: [], names: [] };

  constructor(options: SorterOptions) {
    const { order = compareText } = options;
    this.#options = options;
    this.#compare = (a, b) => (a.key === b.key ? compareText(a.line, b.line) : order(a.key, b.key));
    this.#pool = new Pile(this.#compare);
  }

  readonly #newPath = (): string => join(this.#options.folder, `${this.#options.name}.${++this.#number}.run`);

  readonly #remove = ({ path }: Run): Promise<void> => rm(path, { force: true });

  /** Adds runs of an earlier sorter with the same name. */
  adopt(runs: readonly Run[]): void {
    this.#runs.push(...runs);
    for (const { path } of runs) this.#number = Math.max(this.#number, Number(path.split('.').at(-2)));
  }

  /** Writes all kept lines to disk. */
  async save(): Promise<void> {
    // Taken synchronously, so that passes kept meanwhile belong to the next call.
    const pooled = this.#pool.take();
    const { runs, names } = this.#unsaved;
    this.#unsaved = { runs: [], names: [] };
    const written = pooled.length > 0 ? [await writeRun(this.#newPath(), [pooled])] : [];
    this.#runs.push(...written);
    if (names.length > 0) await this.#options.onSaved?.([...runs, ...written], names);
  }

  /** Begins a pass; several may run concurrently. */
  pass() {
    const pile = new Pile(this.#compare);
    const runs: Run[] = [];
    /** The run that grows while piles continue its order. */
    let open: { readonly writer: RunWriter; last: Entry } | undefined;
    let count = 0;

    const endRun = async (): Promise<void> => {
      const ending = open;
      open = undefined;
      if (ending !== undefined) runs.push(await ending.writer.end());
    };
    return {
      get count(): number {
        return count;
      },
      add(key: string, line: string): void {
        count++;
        pile.add({ key, line });
      },
      /** Writes lines to disk if necessary. Must be called after each page. */
      settle: async (): Promise<void> => {
        if (!pile.isFull()) return;
        const isLate = open !== undefined && this.#compare(open.last, pile.first as Entry) > 0;
        if (isLate && !pile.isFull(MAX_IN_MEMORY)) return;
        const entries = pile.take();
        const last = entries.at(-1) as Entry;
        if (open !== undefined && this.#compare(open.last, entries[0] as Entry) > 0) await endRun();
        open ??= { writer: await createRun(this.#newPath()), last };
        await open.writer.write(entries);
        open.last = last;
      },
      /** Keeps the lines of a complete pass. @param name passed to `onSaved` once its lines are on disk */
      keep: async (name?: string): Promise<void> => {
        await endRun();
        this.#runs.push(...runs);
        this.#unsaved.runs.push(...runs);
        for (const entry of pile.take()) this.#pool.add(entry);
        if (name !== undefined) this.#unsaved.names.push(name);
        if (this.#pool.isFull(MAX_IN_MEMORY)) await this.save();
      },
      drop: async (): Promise<void> => {
        await endRun();
        for (const run of runs) await this.#remove(run);
      },
    };
  }

  /** All kept lines in order, in batches as those of `merge`. No pass may be running. */
  batches(): AsyncGenerator<readonly Line[]> {
    return merge(this.#runs, this.#pool.sorted(), this.#options, this.#newPath, this.#remove);
  }

  async clear(): Promise<void> {
    for (const run of this.#runs.splice(0)) await this.#remove(run);
  }
}
