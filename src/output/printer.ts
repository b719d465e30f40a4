/** Prints results in the requested format as pages arrive, with `--fields`, `--sort`, `--limit` and `--query`. */
import type { Field } from '../contract/vocabulary.js';
import { EduError } from '../core/errors.js';
import { ClosedPipe, type Env, type Io } from '../core/io.js';
import { painter } from './color.js';
import { noteText } from './error-report.js';
import { traitsOfFormat } from './formats.js';
import type { OutputSettings } from './output-settings.js';
import type { Progress, Waiting } from './progress/progress.js';
import { forPeople, forTerminal } from './sanitize.js';
import { knownField, picker } from './select/fields.js';
import type { Query } from './select/query.js';
import type { Paged } from './terminal/pager.js';
import type { Layout, ListWriter, Text } from './writers/writer.js';

/** For terminals that do not report their width. */
const DEFAULT_WIDTH = 80;

type Pages = AsyncIterable<readonly unknown[]>;

/** Whether `--limit` cut a list; `perhaps` if the next page was not requested. */
export type Cut = boolean | 'perhaps';

export interface ListPrinting {
  readonly shape: Field;
  /** The plural of the items: `licences`. */
  readonly noun: string;
  readonly wasCut?: (() => Cut) | undefined;
}

export type Printer = ReturnType<typeof createPrinter>;

export interface PrinterParts {
  readonly settings: OutputSettings;
  readonly io: Io;
  readonly env: Env;
  /** Its streams are used instead of `io`, so that output does not collide with what it draws. */
  readonly progress?: Progress | undefined;
}

/** Settings with field names as in the shape, and the compiled query. */
interface Checked extends Omit<OutputSettings, 'query'> {
  readonly query: Query | undefined;
}

async function checked(settings: OutputSettings, shape: Field): Promise<Checked> {
  const fields = settings.fields?.map((name) => knownField(name, shape, '--fields'));
  const sort = settings.sort && (await import('./select/sort.js')).checkSort(settings.sort, shape);
  const { query: expression } = settings;
  const query = expression === undefined ? undefined : (await import('./select/query.js')).compileQuery(expression);
  if (query === undefined) (await traitsOfFormat(settings.format).load()).check?.(shape);
  else if (settings.format === 'ids') {
    (await import('./writers/ids.js')).checkNames((await import('./select/result-shape.js')).resultNames(query.tree));
  }
  return { ...settings, fields: fields && [...new Set(fields)], sort, query };
}

/** The width is read only for tables, because finding it out takes 3 ms. */
const layoutOf = ({ query, ...settings }: Checked, { stdout }: Io): Layout => ({
  ...settings,
  columns: traitsOfFormat(settings.format).people && stdout.isTTY ? (stdout.columns ?? DEFAULT_WIDTH) : undefined,
  terminal: stdout.isTTY,
});

/** @param onCut called if there are more than `limit` items */
async function* upTo(limit: number, pages: Pages, onCut: () => void): AsyncGenerator<readonly unknown[]> {
  let left = limit;
  for await (const page of pages) {
    if (left > 0) yield page.slice(0, left);
    left -= page.length;
    if (left >= 0) continue;
    onCut();
    return;
  }
}

async function* mapped(pages: Pages, change: (page: readonly unknown[]) => readonly unknown[]): Pages {
  for await (const page of pages) yield change(page);
}

async function collect(pages: Pages, what: string, hint: string): Promise<unknown[]> {
  const { heapRoom } = await import('../core/heap-room.js');
  const hasRoom = heapRoom();
  const all: unknown[] = [];
  for await (const page of pages) {
    for (const item of page) all.push(item);
    if (!hasRoom()) throw new EduError('internal', `${what} needs more memory than available.`, { hint });
  }
  return all;
}

/** `1 licence`, `2 licences`. @param noun in the plural */
export function amount(count: number, noun: string): string {
  if (count !== 1) return `${count} ${noun}`;
  return `1 ${noun.replace(/(ss)es$/, '$1').replace(/([^s])s$/, '$1')}`;
}

/** The only page of a list that is complete in memory. */
export async function* onePage<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  yield items;
}

export function createPrinter({ settings: given, io: plainIo, env, progress }: PrinterParts) {
  const io = progress?.io ?? plainIo;
  const traits = traitsOfFormat(given.format);

  /** Prints formatted text unchanged; on a terminal, control characters are escaped. */
  const raw = (text: string): Promise<void> => io.stdout.write(io.stdout.isTTY ? forTerminal(text) : text);

  async function open(onPager: () => void): Promise<Paged> {
    if (given.pager === undefined) return { write: (text) => io.stdout.write(text), end: async () => {} };
    return (await import('./terminal/pager.js')).paged(io.stdout, given.pager, env, onPager);
  }

  async function stream(pages: Pages, writer: ListWriter, waiting: Waiting | undefined): Promise<void> {
    const sink = await open(() => waiting?.done());
    // The next page is read and formatted during a write.
    let writing: Promise<void> | undefined;
    const write = async (text: Text): Promise<void> => {
      await writing;
      if (text.length === 0) return;
      writing = sink.write(text);
      // Thrown by the next call.
      writing.catch(() => {});
    };
    try {
      for await (const page of pages) await write(writer.page(page));
      waiting?.done();
      await write(writer.end());
      await writing;
      await sink.end();
    } catch (error) {
      waiting?.done();
      // Prints the pages read so far before the error.
      await writing?.catch(() => {});
      if (!(error instanceof ClosedPipe)) await sink.end().catch(() => {});
      throw error;
    }
  }

  /** Reports on stderr that the list was cut; otherwise, for a table, its length. */
  async function reportEnd(count: number, noun: string, cut: Cut, omitted = 0): Promise<void> {
    const items = amount(count, forPeople(noun));
    const columns = omitted === 0 ? '' : `${amount(omitted, 'columns')} not shown (--wide)`;
    if (cut !== false) {
      const color = given.color && io.stderr.isTTY;
      await io.stderr.write(
        noteText(`cut by --limit after ${items}; there ${cut === 'perhaps' ? 'may be' : 'are'} more`, color),
      );
    }
    if (traits.people !== true || !io.stdout.isTTY || given.quiet) return;
    const facts = [cut === false ? items : '', columns].filter(Boolean).join(' · ');
    if (facts !== '') await io.stderr.write(`${painter(given.color)('dim', facts)}\n`);
  }

  async function printResult(result: unknown, settings: Checked): Promise<void> {
    const { resultText } = await import('./select/query-result.js');
    const writer = await traits.load();
    const sink = await open(() => {});
    for (const text of resultText(result, traits, writer, { ...layoutOf(settings, io), fields: undefined })) {
      await sink.write(text);
    }
    await sink.end();
  }

  /** Applies a query to each page, if it works item by item; otherwise to the whole list. */
  async function queried(
    pages: Pages,
    settings: Checked,
    query: Query,
    { shape, noun }: ListPrinting,
    waiting: Waiting | undefined,
  ): Promise<void> {
    const { perItem, rest } = query;
    const pick = picker(settings.fields);
    const items = mapped(pages, (page) => page.map(pick));
    const results = perItem === undefined ? items : mapped(items, perItem.run);
    const { asRecord } = await import('./select/query-result.js');
    const known =
      traits.columns !== true
        ? ({ kind: 'any', description: '' } as const)
        : rest === undefined && perItem !== undefined && settings.fields === undefined
          ? (await import('./select/result-shape.js')).resultShape(perItem.tree, shape)
          : undefined;
    if (rest === undefined && known !== undefined) {
      const writer = (await traits.load()).list(known, { ...layoutOf(settings, io), fields: undefined });
      await stream(traits.columns === true ? mapped(results, (page) => page.map(asRecord)) : results, writer, waiting);
      return;
    }
    const hint =
      'Expressions that work on each item are not limited: [?…], [].name, [?…].{…}. More memory: NODE_OPTIONS=--max-old-space-size=8192';
    const all = await collect(results, `--query: "${query.expression}" reads all ${noun}, which`, hint);
    waiting?.done();
    await printResult(rest === undefined ? all : rest(all), settings);
  }

  return {
    format: given.format,
    traits,
    /** Whether `list` prints items unchanged, so that they may be `JsonText`. */
    copies: traits.compact === true && [given.fields, given.query, given.sort].every((one) => one === undefined),
    /**
     * Checks fields, sorting, query and IDs against a shape. To be called before any request is sent.
     * @throws EduError `usage`
     */
    async check(shape: Field): Promise<void> {
      await checked(given, shape);
    },
    /** Prints items as pages arrive. An error of `pages` leaves the output visibly incomplete, and is thrown again. */
    async list(pages: Pages, printing: ListPrinting): Promise<void> {
      const { shape, noun, wasCut } = printing;
      const settings = await checked(given, shape);
      const { sort, query, limit } = settings;
      let isCut = false;
      let taken = 0;
      const waiting = progress?.wait(`Fetching ${noun}`);
      const tell = (count: number): void => waiting?.update(`Fetching ${noun}: ${count} so far`);
      const all = sort === undefined ? pages : (await import('./select/sort-list.js')).sortedPages(pages, sort, tell);
      const onCut = (): void => {
        isCut = true;
      };
      const source = mapped(limit === undefined ? all : upTo(limit, all, onCut), (page) => {
        taken += page.length;
        if (sort === undefined) tell(taken);
        return page;
      });
      const cut = (): Cut => isCut || (wasCut?.() ?? false);
      try {
        if (query !== undefined) {
          await queried(source, settings, query, printing, waiting);
          if (cut() !== false) await reportEnd(taken, noun, cut());
          return;
        }
        const writer = (await traits.load()).list(shape, layoutOf(settings, io));
        await stream(source, writer, waiting);
        await reportEnd(taken, noun, cut(), writer.omitted?.());
      } finally {
        waiting?.done();
      }
    },
    async item(value: unknown, shape: Field): Promise<void> {
      const settings = await checked(given, shape);
      const present = value ?? null;
      if (settings.query !== undefined)
        return printResult(settings.query.run(picker(settings.fields)(present)), settings);
      const writer = await traits.load();
      await io.stdout.write(writer.item(present, shape, layoutOf(settings, io)));
    },
    text: (text: string) => raw(`${text}\n`),
    raw,
  };
}
