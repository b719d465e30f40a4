/**
 * Prints results: loads the format's file when something is printed, follows `--fields`, `--sort` and `--query`, and
 * writes as pages arrive. Knows the formats by name only.
 */
import type { Field } from '../contract/vocabulary.js';
import type { Format } from '../core/formats.js';
import { ClosedPipe, type Env, type Io } from '../core/io.js';
import { painter } from './color.js';
import { warningText } from './error-report.js';
import type { OutputSettings } from './output-settings.js';
import type { Progress } from './progress/progress.js';
import { forPeople, forTerminal } from './sanitize.js';
import { knownField, picker } from './select/fields.js';
import { type Spool, spool } from './spool.js';
import type { Layout, ListWriter, Writer } from './writers/writer.js';

const WRITERS: Readonly<Record<Format, () => Promise<Writer>>> = {
  table: async () => (await import('./table/table.js')).table,
  tsv: async () => (await import('./writers/tsv.js')).tsv,
  json: async () => (await import('./writers/json.js')).json,
  ndjson: async () => (await import('./writers/json.js')).ndjson,
  csv: async () => (await import('./writers/csv.js')).csv,
  ids: async () => (await import('./writers/ids.js')).ids,
};

/** Items of a list in memory that are made into text at a time. */
const ITEMS_AT_ONCE = 1000;

/** Columns of a terminal that does not say how wide it is. */
const USUAL_WIDTH = 80;

/** Whether a list was cut by `--limit`; perhaps, where nobody asked whether there is more. */
export type Cut = boolean | 'perhaps';

export interface ListPrinting {
  /** The items' shape: fields, columns, ids. */
  readonly shape: Field;
  /** What the items are called in talk: `licences`. */
  readonly noun: string;
  /** Whether the list was cut by `--limit`, asked when it has ended. */
  readonly wasCut?: (() => Cut) | undefined;
}

export interface Printer {
  readonly format: Format;
  /**
   * Finds out whether what was asked for can be printed of this shape: fields, sorting, query, ids. To be called before
   * anything is sent.
   * @throws usage error
   */
  check(shape: Field): Promise<void>;
  /** Prints items as pages arrive. When the pages end with an error, so does this, and what was printed looks unfinished. */
  list(pages: AsyncIterable<readonly unknown[]>, printing: ListPrinting): Promise<void>;
  /** Prints one object. */
  item(value: unknown, shape: Field): Promise<void>;
  /** Prints text that is the result itself, followed by a line break. */
  text(text: string): Promise<void>;
  /** Prints a piece of text that was laid out elsewhere: as it is, and on a terminal without what could drive it. */
  raw(text: string): Promise<void>;
}

export interface PrinterParts {
  readonly settings: OutputSettings;
  readonly io: Io;
  readonly env: Env;
  /** Shown while a list is fetched; its streams are used instead of `io`. */
  readonly progress?: Progress | undefined;
}

/** The settings with fields as the shape spells them. @throws usage error for what it does not have */
async function checked(settings: OutputSettings, shape: Field): Promise<OutputSettings> {
  const fields = settings.fields?.map((name) => knownField(name, shape, '--fields'));
  const sort = settings.sort && (await import('./select/sort.js')).checkSort(settings.sort, shape);
  if (settings.query !== undefined) (await import('./select/query.js')).compileQuery(settings.query);
  else if (settings.format === 'ids') (await import('./writers/ids.js')).checkIds(shape);
  return { ...settings, fields: fields && [...new Set(fields)], sort };
}

function layoutOf({ format, fields, header, excel, wide, color }: OutputSettings, { stdout }: Io): Layout {
  const terminal = stdout.isTTY;
  // Asked only where it matters: finding out the width costs 3 ms.
  const columns = format === 'table' && terminal ? (stdout.columns ?? USUAL_WIDTH) : undefined;
  return { fields, header, excel, wide, columns, terminal, color };
}

async function* inMemory(items: readonly unknown[]): AsyncGenerator<readonly unknown[]> {
  for (let start = 0; start < items.length; start += ITEMS_AT_ONCE) yield items.slice(start, start + ITEMS_AT_ONCE);
}

/** The items up to a limit. @param onCut called when there are more */
async function* upTo(
  limit: number,
  pages: AsyncIterable<readonly unknown[]>,
  onCut: () => void,
): AsyncGenerator<readonly unknown[]> {
  let left = limit;
  for await (const page of pages) {
    if (left > 0) yield page.slice(0, left);
    left -= page.length;
    if (left >= 0) continue;
    onCut();
    return;
  }
}

async function collect(pages: AsyncIterable<readonly unknown[]>, onPage: (count: number) => void): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const page of pages) {
    for (const item of page) all.push(item);
    onPage(all.length);
  }
  return all;
}

/** `1 licence`, `2 licences`: the noun comes as its plural. */
export function amount(count: number, noun: string): string {
  if (count !== 1) return `${count} ${noun}`;
  return `1 ${noun.replace(/(ss)es$/, '$1').replace(/([^s])s$/, '$1')}`;
}

export function createPrinter({ settings: given, io: plainIo, env, progress }: PrinterParts): Printer {
  const io = progress?.io ?? plainIo;
  const isTable = given.format === 'table' && io.stdout.isTTY;

  /** Where a list's text goes: the pager, or stdout through a buffer. */
  async function open(onPager: () => void): Promise<Pick<Spool, 'write' | 'end'>> {
    if (given.pager === undefined) return spool(io.stdout);
    return (await import('./terminal/pager.js')).paged(io.stdout, given.pager, env, onPager);
  }

  async function stream(pages: AsyncIterable<readonly unknown[]>, writer: ListWriter, noun: string): Promise<number> {
    const waiting = progress?.wait(`Fetching ${noun}`);
    const sink = await open(() => waiting?.done());
    let count = 0;
    try {
      for await (const page of pages) {
        count += page.length;
        await sink.write(writer.page(page));
        waiting?.update(`Fetching ${noun}: ${count} so far`);
      }
      waiting?.done();
      await sink.write(writer.end());
      await sink.end();
    } catch (error) {
      waiting?.done();
      // What has come so far is shown before the error that ended it.
      if (!(error instanceof ClosedPipe)) await sink.end().catch(() => {});
      throw error;
    }
    return count;
  }

  /** What `--sort` and `--query` need: the whole list. */
  async function whole(pages: AsyncIterable<readonly unknown[]>, noun: string): Promise<unknown[]> {
    const waiting = progress?.wait(`Fetching ${noun}`);
    try {
      return await collect(pages, (count) => waiting?.update(`Fetching ${noun}: ${count} so far`));
    } finally {
      waiting?.done();
    }
  }

  /** What is said below a list: that it was cut, to everybody; else, to people, how long it is. */
  async function sayEnd(count: number, noun: string, cut: Cut, omitted = 0): Promise<void> {
    const items = amount(count, forPeople(noun));
    const columns = omitted === 0 ? '' : `${amount(omitted, 'columns')} not shown (--wide)`;
    if (cut !== false) {
      const color = given.color && io.stderr.isTTY;
      await io.stderr.write(
        warningText(`cut by --limit after ${items}; there ${cut === 'perhaps' ? 'may be' : 'are'} more`, color),
      );
    }
    if (!isTable || given.quiet) return;
    const facts = [cut === false ? items : '', columns].filter(Boolean).join(' · ');
    if (facts !== '') await io.stderr.write(`${painter(given.color)('dim', facts)}\n`);
  }

  /** Prints what a query made of the data. */
  async function queried(data: unknown, settings: OutputSettings, query: string): Promise<void> {
    const pick = settings.fields === undefined ? undefined : picker(settings.fields);
    const { compileQuery, runQuery } = await import('./select/query.js');
    const { resultText } = await import('./select/query-result.js');
    const result = runQuery(pick === undefined ? data : pick(data), compileQuery(query));
    const layout = { ...layoutOf(settings, io), fields: undefined };
    const writer = await WRITERS[settings.format]();
    const sink = await open(() => {});
    await sink.write(resultText(result, settings.format, writer, layout));
    await sink.end();
  }

  return {
    format: given.format,
    async check(shape) {
      await checked(given, shape);
    },
    async list(pages, { shape, noun, wasCut }) {
      const settings = await checked(given, shape);
      const { sort, query, limit } = settings;
      let isCut = false;
      const onCut = (): void => {
        isCut = true;
      };
      let source = limit === undefined || sort !== undefined ? pages : upTo(limit, pages, onCut);
      if (sort !== undefined || query !== undefined) {
        const all = await whole(pages, noun);
        const ordered = sort === undefined ? all : (await import('./select/sort.js')).sorted(all, sort);
        const items = limit === undefined ? ordered : ordered.slice(0, limit);
        isCut ||= items.length < ordered.length;
        if (query !== undefined) {
          await queried(items, settings, query);
          const cut = isCut || (wasCut?.() ?? false);
          if (cut !== false) await sayEnd(items.length, noun, cut);
          return;
        }
        source = inMemory(items);
      }
      const writer = (await WRITERS[settings.format]()).list(shape, layoutOf(settings, io));
      const count = await stream(source, writer, noun);
      await sayEnd(count, noun, isCut || (wasCut?.() ?? false), writer.omitted?.());
    },
    async item(value, shape) {
      const settings = await checked(given, shape);
      const present = value ?? null;
      if (settings.query !== undefined) return queried(present, settings, settings.query);
      const writer = await WRITERS[settings.format]();
      await io.stdout.write(writer.item(present, shape, layoutOf(settings, io)));
    },
    text: (text) => io.stdout.write(`${io.stdout.isTTY ? forTerminal(text) : text}\n`),
    raw: (text) => io.stdout.write(io.stdout.isTTY ? forTerminal(text) : text),
  };
}
