/**
 * Sorts any number of lines in constant memory: lines in order go straight to disk, others are sorted in runs. A pass
 * over a list counts as a whole or is dropped.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { compareText } from './compare-text.js';
import { type KeyOrder, type MergeOptions, merge } from './merge.js';
import { type Run, RunWriter } from './sorted-run.js';

/** UTF-16 units of lines that are kept in memory before they are sorted and written: a few MB. */
const MOST_IN_MEMORY = 2 * 1024 * 1024;
/** From this much on it is worth a file of its own that lines come in order. */
const WORTH_A_RUN = 256 * 1024;

interface Entry {
  readonly key: string;
  readonly line: string;
}

type Compare = (a: Entry, b: Entry) => number;

const comparing =
  (order: KeyOrder): Compare =>
  (a, b) =>
    a.key === b.key ? compareText(a.line, b.line) : order(a.key, b.key);

/** Lines waiting in memory. */
class Pile {
  entries: Entry[] = [];
  size = 0;
  isInOrder = true;
  readonly #compare: Compare;

  constructor(compare: Compare) {
    this.#compare = compare;
  }

  add(entry: Entry): void {
    const last = this.entries[this.entries.length - 1];
    if (this.isInOrder && last !== undefined && this.#compare(last, entry) > 0) this.isInOrder = false;
    this.entries.push(entry);
    this.size += entry.line.length + entry.key.length;
  }

  /** All that waits, sorted; nothing waits any more. */
  take(): Entry[] {
    const { entries } = this;
    if (!this.isInOrder) entries.sort(this.#compare);
    this.entries = [];
    this.size = 0;
    this.isInOrder = true;
    return entries;
  }
}

/** One pass over one list. */
export interface Pass {
  readonly count: number;
  add(key: string, line: string): void;
  /** Writes what is too much for the memory; to be called after each page. */
  settle(): Promise<void>;
  /**
   * The pass came to its end: its lines count.
   * @param name that `onSaved` gets once its lines are on disk
   */
  keep(name?: string): Promise<void>;
  /** The pass does not count. */
  drop(): Promise<void>;
}

export interface Sorted {
  readonly count: number;
  /** The one file that holds everything in order already, if there is one. */
  readonly whole: Run | undefined;
  /** Gives out all lines in order, each without what was met twice. */
  each(take: (key: string, line: Buffer) => void | Promise<void>): Promise<void>;
}

export interface SorterOptions extends MergeOptions {
  /** Folder for runs; must exist. */
  readonly folder: string;
  /** What the runs' names begin with: unique in the folder. */
  readonly name: string;
  /** Called when all lines of some named passes are on disk, with the runs that hold them. */
  readonly onSaved?: (runs: readonly Run[], names: readonly string[]) => Promise<void>;
}

export class Sorter {
  readonly #options: SorterOptions;
  readonly #compare: Compare;
  readonly #pool: Pile;
  readonly #runs: Run[] = [];
  #number = 0;
  /** Runs and names of passes of which `onSaved` was not told yet. */
  #unsaved: { runs: Run[]; names: string[] } = { runs: [], names: [] };

  constructor(options: SorterOptions) {
    this.#options = options;
    this.#compare = comparing(options.order ?? compareText);
    this.#pool = new Pile(this.#compare);
  }

  readonly #newPath = (): string => join(this.#options.folder, `${this.#options.name}.${++this.#number}.run`);

  readonly #remove = async ({ lines, keys }: Pick<Run, 'lines' | 'keys'>): Promise<void> => {
    await rm(lines, { force: true });
    await rm(keys, { force: true });
  };

  async #write(sorted: readonly Entry[]): Promise<Run> {
    const entries = this.#options.unique ? distinct(sorted) : sorted;
    const path = this.#newPath();
    const writer = await RunWriter.open(path);
    try {
      for (const { key, line } of entries) {
        writer.add(key, line);
        if (writer.isFull) await writer.flush();
      }
    } catch (error) {
      await writer.close();
      throw error;
    }
    return writer.end();
  }

  /** Takes over runs that another sorter of the same name has left. */
  adopt(runs: readonly Run[]): void {
    this.#runs.push(...runs);
    for (const { lines } of runs) this.#number = Math.max(this.#number, Number(lines.split('.').at(-2) ?? 0) || 0);
  }

  /** Writes all lines of passes that were kept. */
  async save(): Promise<void> {
    // Taken at once: what is kept meanwhile is of the next call.
    const pooled = this.#pool.take();
    const { runs, names } = this.#unsaved;
    this.#unsaved = { runs: [], names: [] };
    const written = pooled.length > 0 ? [await this.#write(pooled)] : [];
    this.#runs.push(...written);
    if (names.length > 0) await this.#options.onSaved?.([...runs, ...written], names);
  }

  #own(runs: readonly Run[]): void {
    this.#runs.push(...runs);
    this.#unsaved.runs.push(...runs);
  }

  /** Begins a pass; several may be under way at once. */
  pass(): Pass {
    const pile = new Pile(this.#compare);
    const runs: Run[] = [];
    const { unique } = this.#options;
    /** The run that lines go straight to, as long as they come in order. */
    let straight: RunWriter | undefined;
    let last: Entry = { key: '', line: '' };
    let count = 0;

    const endStraight = async (): Promise<void> => {
      const ending = straight;
      straight = undefined;
      if (ending !== undefined) runs.push(await ending.end());
    };
    const goStraight = async (): Promise<void> => {
      straight = await RunWriter.open(this.#newPath());
      for (const { key, line } of pile.take()) {
        straight.add(key, line);
        last = { key, line };
      }
    };
    return {
      get count() {
        return count;
      },
      add: (key, line) => {
        count++;
        if (straight !== undefined && pile.entries.length === 0) {
          const entry = { key, line };
          const place = this.#compare(last, entry);
          // The same line again: a service that gives an item on two pages.
          if (place === 0 && unique && key !== '') return;
          if (place <= 0) {
            straight.add(key, line);
            last = entry;
            return;
          }
        }
        pile.add({ key, line });
      },
      settle: async () => {
        if (straight !== undefined) {
          if (pile.entries.length > 0) await endStraight();
          else if (straight.isFull) await straight.flush();
        } else if (runs.length === 0 && pile.isInOrder && pile.size > WORTH_A_RUN) await goStraight();
        if (pile.size > MOST_IN_MEMORY) runs.push(await this.#write(pile.take()));
      },
      keep: async (name) => {
        await endStraight();
        this.#own(runs);
        for (const entry of pile.take()) this.#pool.add(entry);
        if (name !== undefined) this.#unsaved.names.push(name);
        if (this.#pool.size > MOST_IN_MEMORY) await this.save();
      },
      drop: async () => {
        await endStraight();
        for (const run of runs) await this.#remove(run);
        pile.take();
      },
    };
  }

  /** All that was kept. No pass may be under way. */
  async sorted(): Promise<Sorted> {
    const pooled = this.#pool.take();
    if (pooled.length > 0) this.#runs.push(await this.#write(pooled));
    const runs = [...this.#runs];
    const [only] = runs;
    return {
      count: runs.reduce((sum, run) => sum + run.count, 0),
      whole: runs.length === 1 ? only : undefined,
      each: (take) => merge(runs, this.#options, this.#newPath, this.#remove, take),
    };
  }

  /** Removes all runs. */
  async clear(): Promise<void> {
    for (const run of this.#runs.splice(0)) await this.#remove(run);
  }
}

/** Without what was met twice; the entries are sorted. */
function distinct(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter((entry, index) => {
    const before = entries[index - 1];
    return before === undefined || entry.key === '' || before.key !== entry.key || before.line !== entry.line;
  });
}
