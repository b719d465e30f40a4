/** Prints results in the format asked for, as pages arrive: `--fields`, `--sort`, `--limit` and `--query` included. */
import type { Field } from '../contract/vocabulary.js';
import { EduError } from '../core/errors.js';
import { type Format, type FormatTraits, traitsOfFormat } from '../core/formats.js';
import { ClosedPipe, type Env, type Io } from '../core/io.js';
import { painter } from './color.js';
import { noteText } from './error-report.js';
import type { OutputSettings } from './output-settings.js';
import type { Progress, Waiting } from './progress/progress.js';
import { forPeople, forTerminal } from './sanitize.js';
import { knownField, picker } from './select/fields.js';
import type { Query } from './select/query.js';
import { type Spool, spool } from './spool.js';
import { loadWriter } from './writers/load.js';
import type { Layout, ListWriter } from './writers/writer.js';

/** Columns of a terminal that does not say how wide it is. */
const USUAL_WIDTH = 80;

type Pages = AsyncIterable<readonly unknown[]>;

/** Whether a list was cut by `--limit`; perhaps, where the next page was not requested. */
export type Cut = boolean | 'perhaps';

export interface ListPrinting {
  /** The items' shape: fields, columns, ids. */
  readonly shape: Field;
  /** The plural of what the items are: `licences`. */
  readonly noun: string;
  /** Whether the list was cut by `--limit`, asked when it has ended. */
  readonly wasCut?: (() => Cut) | undefined;
}

export interface Printer {
  readonly format: Format;
  readonly traits: FormatTraits;
  /**
   * Finds out whether what was asked for can be printed of this shape: fields, sorting, query, ids. To be called before
   * anything is sent.
   * @throws usage error
   */
  check(shape: Field): Promise<void>;
  /** Prints items as pages arrive. When the pages end with an error, so does this, and what was printed looks unfinished. */
  list(pages: Pages, printing: ListPrinting): Promise<void>;
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

/** Settings whose fields are spelt as the shape spells them, with the query compiled. */
interface Checked extends Omit<OutputSettings, 'query'> {
  readonly query: Query | undefined;
}

/** @throws usage error for what the shape does not have, and for a query that is none */
async function checked(settings: OutputSettings, shape: Field): Promise<Checked> {
  const fields = settings.fields?.map((name) => knownField(name, shape, '--fields'));
  const sort = settings.sort && (await import('./select/sort.js')).checkSort(settings.sort, shape);
  const { query: expression } = settings;
  const query = expression === undefined ? undefined : (await import('./select/query.js')).compileQuery(expression);
  if (query === undefined) (await loadWriter(settings.format)).check?.(shape);
  return { ...settings, fields: fields && [...new Set(fields)], sort, query };
}

function layoutOf(settings: Omit<OutputSettings, 'query'>, { stdout }: Io): Layout {
  const { format, fields, header, excel, semicolons, wide, color } = settings;
  const terminal = stdout.isTTY;
  // Asked only where it matters: finding out the width costs 3 ms.
  const fits = traitsOfFormat(format).people === true && terminal;
  return {
    delimiter: semicolons ? ';' : ',',
    fields,
    header,
    excel,
    wide,
    columns: fits ? (stdout.columns ?? USUAL_WIDTH) : undefined,
    terminal,
    color,
  };
}

/** The items up to a limit. @param onCut called when there are more */
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

/** All items at once. @throws EduError before the memory is full */
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

/** `1 licence`, `2 licences`: the noun comes as its plural. */
export function amount(count: number, noun: string): string {
  if (count !== 1) return `${count} ${noun}`;
  return `1 ${noun.replace(/(ss)es$/, '$1').replace(/([^s])s$/, '$1')}`;
}

/** The only page of a list that is complete in memory. */
export async function* onePage<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  yield items;
}

export function createPrinter({ settings: given, io: plainIo, env, progress }: PrinterParts): Printer {
  const io = progress?.io ?? plainIo;
  const traits = traitsOfFormat(given.format);

  /** Where a list's text goes: the pager, or stdout through a buffer. */
  async function open(onPager: () => void): Promise<Pick<Spool, 'write' | 'end'>> {
    if (given.pager === undefined) return spool(io.stdout);
    return (await import('./terminal/pager.js')).paged(io.stdout, given.pager, env, onPager);
  }

  async function stream(pages: Pages, writer: ListWriter, waiting: Waiting | undefined): Promise<void> {
    const sink = await open(() => waiting?.done());
    try {
      for await (const page of pages) await sink.write(writer.page(page));
      waiting?.done();
      await sink.write(writer.end());
      await sink.end();
    } catch (error) {
      waiting?.done();
      // What has come so far is shown before the error that ended it.
      if (!(error instanceof ClosedPipe)) await sink.end().catch(() => {});
      throw error;
    }
  }

  /** Says below a list that it was cut; else, to people, how long it is. */
  async function sayEnd(count: number, noun: string, cut: Cut, omitted = 0): Promise<void> {
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

  /** Prints what a query made of the whole data. */
  async function printResult(result: unknown, settings: Checked): Promise<void> {
    const { resultText } = await import('./select/query-result.js');
    const writer = await loadWriter(settings.format);
    const sink = await open(() => {});
    for (const text of resultText(result, traits, writer, { ...layoutOf(settings, io), fields: undefined })) {
      await sink.write(text);
    }
    await sink.end();
  }

  /** Prints what a query makes of a list: of each page as it comes, where the expression works on each item. */
  async function queried(
    pages: Pages,
    settings: Checked,
    query: Query,
    { shape, noun }: ListPrinting,
    waiting: Waiting | undefined,
  ): Promise<void> {
    const pick = settings.fields === undefined ? undefined : picker(settings.fields);
    const items = pick === undefined ? pages : mapped(pages, (page) => page.map(pick));
    const { perItem, rest } = query;
    const results = perItem === undefined ? items : mapped(items, perItem.run);
    const { asRecord } = await import('./select/query-result.js');
    const known =
      traits.columns !== true
        ? ({ kind: 'any', description: '' } as const)
        : rest === undefined && perItem !== undefined && settings.fields === undefined
          ? (await import('./select/result-shape.js')).resultShape(perItem.tree, shape)
          : undefined;
    if (rest === undefined && known !== undefined) {
      const writer = (await loadWriter(settings.format)).list(known, { ...layoutOf(settings, io), fields: undefined });
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
    async check(shape) {
      await checked(given, shape);
    },
    async list(pages, printing) {
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
          if (cut() !== false) await sayEnd(taken, noun, cut());
          return;
        }
        const writer = (await loadWriter(settings.format)).list(shape, layoutOf(settings, io));
        await stream(source, writer, waiting);
        await sayEnd(taken, noun, cut(), writer.omitted?.());
      } finally {
        waiting?.done();
      }
    },
    async item(value, shape) {
      const settings = await checked(given, shape);
      const present = value ?? null;
      if (settings.query !== undefined) {
        const pick = settings.fields === undefined ? undefined : picker(settings.fields);
        return printResult(settings.query.run(pick === undefined ? present : pick(present)), settings);
      }
      const writer = await loadWriter(settings.format);
      await io.stdout.write(writer.item(present, shape, layoutOf(settings, io)));
    },
    text: (text) => io.stdout.write(`${io.stdout.isTTY ? forTerminal(text) : text}\n`),
    raw: (text) => io.stdout.write(io.stdout.isTTY ? forTerminal(text) : text),
  };
}
