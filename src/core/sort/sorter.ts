/**
 * Sorts any number of lines in constant memory: lines in order are written to disk directly, others are sorted in runs. A
 * pass over a list is kept as a whole or dropped.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { compareText } from './compare-text.js';
import { type KeyOrder, type MergeOptions, merge } from './merge.js';
import { type Run, type RunWriter, writeItems, writeRun } from './sorted-run.js';

/** UTF-16 units of lines in memory before they are sorted and written. */
const MAX_IN_MEMORY = 2 * 1024 * 1024;
/** UTF-16 units per write of lines that arrive in order. Large, because fewer writes save 4 % of an export. */
const DIRECT_CHUNK = 256 * 1024;
/** Min UTF-16 units of lines in order that are written as a run of their own. */
const MIN_RUN = 256 * 1024;

interface Entry {
  readonly key: string;
  readonly line: string;
}

type Compare = (a: Entry, b: Entry) => number;

const comparing =
  (order: KeyOrder): Compare =>
  (a, b) =>
    a.key === b.key ? compareText(a.line, b.line) : order(a.key, b.key);

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

  take(): Entry[] {
    const { entries } = this;
    if (!this.isInOrder) entries.sort(this.#compare);
    this.entries = [];
    this.size = 0;
    this.isInOrder = true;
    return entries;
  }
}

export type Pass = ReturnType<Sorter['pass']>;

export type Sorted = Awaited<ReturnType<Sorter['sorted']>>;

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
    this.#options = options;
    this.#compare = comparing(options.order ?? compareText);
    this.#pool = new Pile(this.#compare);
  }

  readonly #newPath = (): string => join(this.#options.folder, `${this.#options.name}.${++this.#number}.run`);

  readonly #remove = async ({ lines, keys }: Pick<Run, 'lines' | 'keys'>): Promise<void> => {
    await rm(lines, { force: true });
    await rm(keys, { force: true });
  };

  readonly #write = (sorted: readonly Entry[]): Promise<Run> =>
    writeItems(this.#newPath(), [this.#options.unique ? distinct(sorted) : sorted]);

  /** Adds runs of an earlier sorter with the same name. */
  adopt(runs: readonly Run[]): void {
    this.#runs.push(...runs);
    for (const { lines } of runs) this.#number = Math.max(this.#number, Number(lines.split('.').at(-2) ?? 0) || 0);
  }

  async save(): Promise<void> {
    // Taken synchronously, so that passes kept meanwhile belong to the next call.
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

  /** Begins a pass; several may run concurrently. */
  pass() {
    const pile = new Pile(this.#compare);
    const runs: Run[] = [];
    const { unique } = this.#options;
    /** The run that lines are written to directly while they are in order. */
    let direct: RunWriter | undefined;
    let last: Entry = { key: '', line: '' };
    let count = 0;

    const endDirect = async (): Promise<void> => {
      const ending = direct;
      direct = undefined;
      if (ending !== undefined) runs.push(await ending.end());
    };
    const startDirect = async (): Promise<void> => {
      direct = await writeRun(this.#newPath(), DIRECT_CHUNK);
      for (const { key, line } of pile.take()) {
        direct.add(key, line);
        last = { key, line };
      }
    };
    return {
      get count(): number {
        return count;
      },
      add: (key: string, line: string): void => {
        count++;
        if (direct !== undefined && pile.entries.length === 0) {
          const entry = { key, line };
          const place = this.#compare(last, entry);
          // The service returned an item on two pages.
          if (place === 0 && unique && key !== '') return;
          if (place <= 0) {
            direct.add(key, line);
            last = entry;
            return;
          }
        }
        pile.add({ key, line });
      },
      /** Writes lines to disk if necessary. Must be called after each page. */
      settle: async (): Promise<void> => {
        if (direct !== undefined) {
          if (pile.entries.length > 0) await endDirect();
          else if (direct.isFull()) await direct.flush();
        } else if (runs.length === 0 && pile.isInOrder && pile.size > MIN_RUN) await startDirect();
        if (pile.size > MAX_IN_MEMORY) runs.push(await this.#write(pile.take()));
      },
      /** Keeps the lines of a complete pass. @param name passed to `onSaved` once its lines are on disk */
      keep: async (name?: string): Promise<void> => {
        await endDirect();
        this.#own(runs);
        for (const entry of pile.take()) this.#pool.add(entry);
        if (name !== undefined) this.#unsaved.names.push(name);
        if (this.#pool.size > MAX_IN_MEMORY) await this.save();
      },
      drop: async (): Promise<void> => {
        await endDirect();
        for (const run of runs) await this.#remove(run);
        pile.take();
      },
    };
  }

  /** All kept lines. No pass may be running. */
  async sorted() {
    const pooled = this.#pool.take();
    if (pooled.length > 0) this.#own([await this.#write(pooled)]);
    const [first, ...others] = this.#runs;
    return {
      /** The only run, if it already contains all lines in order. */
      whole: others.length === 0 ? first : undefined,
      /** All lines in order, in batches; repeated ones are dropped if `unique`. */
      batches: () => merge(this.#runs, this.#options, this.#newPath, this.#remove),
    };
  }

  async clear(): Promise<void> {
    for (const run of this.#runs.splice(0)) await this.#remove(run);
  }
}

function distinct(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter((entry, index) => {
    const before = entries[index - 1];
    return before === undefined || entry.key === '' || before.key !== entry.key || before.line !== entry.line;
  });
}
