/** Prints results in the requested format as pages arrive, after the steps of `select/pipeline.ts`. */
import type { Field } from '../contract/vocabulary.js';
import { ClosedPipe, type Env, type Io } from '../core/io.js';
import { JsonText } from '../core/json-text.js';
import { painter } from './color.js';
import { noteText } from './error-report.js';
import { traitsOfFormat } from './formats.js';
import type { OutputSettings } from './output-settings.js';
import type { Progress, Waiting } from './progress/progress.js';
import { forPeople, forRecord, forTerminal } from './sanitize.js';
import { collect, inPages, mapped, onePage, type Pages } from './select/item-pages.js';
import { type Cut, picked, resultRows, type Steps, select } from './select/pipeline.js';
import { type Prepared, prepareSteps } from './select/prepare-steps.js';
import type { Paged } from './terminal/pager.js';
import type { Layout, ListWriter, Text } from './writers/writer.js';

/** For terminals that do not report their width. */
const DEFAULT_WIDTH = 80;

export interface ListPrinting {
  readonly shape: Field;
  /** The plural of the items: `licences`. */
  readonly noun: string;
  /** The first step: the filters of the command. */
  readonly filter?: Steps['filter'];
  /** Whether the source itself left out items, because it knows `readLimit`. */
  readonly wasCut?: (() => Cut) | undefined;
  /** Where was looked, if not everywhere: `in your organization d1 only; --organization looks elsewhere`. */
  readonly scope?: string | undefined;
}

export type Printer = ReturnType<typeof createPrinter>;

export interface PrinterParts {
  readonly settings: OutputSettings;
  readonly io: Io;
  readonly env: Env;
  /** Its streams are used instead of `io`, so that output does not collide with what it draws. */
  readonly progress?: Progress | undefined;
}

/** `1 licence`, `2 licences`. @param noun in the plural */
export function amount(count: number, noun: string): string {
  if (count !== 1) return `${count} ${noun}`;
  return `1 ${noun.replace(/(ss)es$/, '$1').replace(/([^s])s$/, '$1')}`;
}

export function createPrinter({ settings, io: plainIo, env, progress }: PrinterParts) {
  const io = progress?.io ?? plainIo;
  const traits = traitsOfFormat(settings.format);
  const hasQuery = settings.query !== undefined;

  const prepared = (shape: Field, isList: boolean): Promise<Prepared> =>
    prepareSteps(settings, shape, { isList, idsOnly: traits.idsOnly === true });

  /** The width is read only for tables, because finding it out takes 3 ms. */
  const layoutOf = (fields: readonly string[] | undefined): Layout => ({
    ...settings,
    fields,
    columns: traits.people && io.stdout.isTTY ? (io.stdout.columns ?? DEFAULT_WIDTH) : undefined,
    terminal: io.stdout.isTTY,
  });

  /** Prints formatted text unchanged; on a terminal, control characters are escaped. */
  const raw = (text: string): Promise<void> => io.stdout.write(io.stdout.isTTY ? forTerminal(text) : text);

  async function open(onPager: () => void): Promise<Paged> {
    if (settings.pager === undefined) return { write: (text) => io.stdout.write(text), end: async () => {} };
    return (await import('./terminal/pager.js')).paged(io.stdout, settings.pager, env, onPager);
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

  /** Reports on stderr that the list was cut, or where an empty one was looked for; below a table, also its length. */
  async function reportEnd(count: number, cut: Cut, omitted: number, { noun, scope }: ListPrinting): Promise<void> {
    const rows = amount(count, hasQuery ? 'rows' : forPeople(noun));
    if (cut !== false) {
      const more = `cut by --limit after ${rows}; there ${cut === 'perhaps' ? 'may be' : 'are'} more`;
      await io.stderr.write(noteText(more, settings.color && io.stderr.isTTY));
    }
    if (settings.quiet) return;
    const where = scope === undefined ? '' : ` ${forPeople(scope)}`;
    if (traits.people === true && io.stdout.isTTY) {
      const columns = omitted === 0 ? '' : `${amount(omitted, 'columns')} not shown (--wide)`;
      const facts = [cut === false ? `${rows}${where}` : where.trim(), columns].filter(Boolean).join(' · ');
      if (facts !== '') await io.stderr.write(`${painter(settings.color)('dim', facts)}\n`);
    } else if (count === 0 && where !== '') {
      await io.stderr.write(noteText(`${rows}${where}`, settings.color && io.stderr.isTTY));
    }
  }

  /** Prints the only result: an object as a single item, a plain value on a line, nothing as an empty line. */
  async function printOne(value: unknown, { shape, names }: Prepared): Promise<void> {
    const isPlain = typeof value !== 'object' || value === null || value instanceof JsonText;
    if (hasQuery && isPlain && traits.machine !== true) {
      if (traits.idsOnly && value === null) return;
      const text = (await import('./writers/records.js')).cellText(value);
      return io.stdout.write(`${traits.escaped ? forRecord(text) : forPeople(text)}\n`);
    }
    const known = traits.columns === true && shape.kind === 'any' ? await inferred([value]) : shape;
    await io.stdout.write((await traits.load()).item(value, known, layoutOf(names)));
  }

  const inferred = async (rows: readonly unknown[]): Promise<Field> =>
    (await import('./writers/records.js')).shapeOf(rows);

  /** @returns the number of columns that did not fit */
  async function printRows(rows: Pages, { shape, names }: Prepared, noun: string, waiting?: Waiting): Promise<number> {
    const isUnknown = traits.columns === true && shape.kind === 'any';
    const { asRecord } = hasQuery && traits.columns === true ? await import('./writers/records.js') : {};
    const records = asRecord === undefined ? rows : mapped(rows, (page) => page.map(asRecord));
    const hint = 'Print them with --output ndjson, which needs no columns, or name the columns: [].{id: id}.';
    const all = isUnknown ? await collect(records, `The columns of ${noun} depend on all of them, which`, hint) : [];
    const writer = (await traits.load()).list(isUnknown ? await inferred(all) : shape, layoutOf(names));
    await stream(isUnknown ? inPages(all) : records, writer, waiting);
    return writer.omitted?.() ?? 0;
  }

  return {
    format: settings.format,
    traits,
    /** Whether `list` prints items unchanged, so that they may be `JsonText`. */
    copies:
      traits.compact === true && [settings.fields, settings.query, settings.sort].every((one) => one === undefined),
    /** The number of items that are printed at most, if no step but filters can change it; undefined for all. */
    readLimit: settings.sort === undefined && !hasQuery ? settings.limit : undefined,
    /**
     * Checks fields, sorting, query and IDs against a shape. To be called before any request is sent.
     * @throws EduError `usage`
     */
    async check(shape: Field, prints: 'list' | 'item'): Promise<void> {
      await prepared(shape, prints === 'list');
    },
    /** Prints items as pages arrive. An error of `pages` leaves the output visibly incomplete, and is thrown again. */
    async list(pages: Pages, printing: ListPrinting): Promise<void> {
      const { noun, filter, wasCut } = printing;
      const plan = await prepared(printing.shape, true);
      const waiting = progress?.wait(`Fetching ${noun}`);
      let read = 0;
      const source = mapped(pages, (page) => {
        read += page.length;
        waiting?.update(`Fetching ${noun}: ${read} so far`);
        return page;
      });
      try {
        const selected = await select(source, { ...plan.steps, filter }, noun);
        let count = 0;
        const rows = mapped(selected.rows, (page) => {
          count += page.length;
          return page;
        });
        if (!selected.isList) {
          waiting?.done();
          for await (const [value] of rows) await printOne(value, plan);
          return;
        }
        const omitted = await printRows(rows, plan, noun, waiting);
        await reportEnd(count, selected.wasCut() || (wasCut?.() ?? false), omitted, printing);
      } finally {
        waiting?.done();
      }
    },
    async item(value: unknown, shape: Field): Promise<void> {
      const plan = await prepared(shape, false);
      const { query, fields } = plan.steps;
      const present = value ?? null;
      const { rows, isList } =
        query === undefined ? { rows: onePage([present]), isList: false } : resultRows(query.run(present));
      const selected = picked(rows, fields, query === undefined && shape.kind !== 'any');
      if (isList) await printRows(selected, plan, 'results');
      else for await (const [only] of selected) await printOne(only, plan);
    },
    text: (text: string) => raw(`${text}\n`),
    raw,
  };
}
