/** Prints the rows of a list as pages arrive, or a single result. */
import type { Field } from '../contract/vocabulary.js';
import { ClosedPipe, type Env, type Io } from '../core/io.js';
import type { FormatTraits } from './formats.js';
import type { OutputSettings } from './output-settings.js';
import type { Waiting } from './progress/progress.js';
import { forPeople, forRecord } from './sanitize.js';
import { collect, inPages, mapped, type Pages } from './select/item-pages.js';
import type { Prepared } from './select/prepare-steps.js';
import type { Paged } from './terminal/pager.js';
import { DEFAULT_WIDTH } from './width.js';
import type { Layout, ListWriter, Text } from './writers/writer.js';

/** Where and how results are printed. */
export interface Output {
  readonly settings: OutputSettings;
  readonly traits: FormatTraits;
  readonly io: Io;
  readonly env: Env;
  /** Registers a cleanup. */
  readonly onEnd?: ((close: () => Promise<void>) => void) | undefined;
}

/** The width is read only for tables, because finding it out takes 3 ms. */
const layoutOf = (title: string, fields: readonly string[] | undefined, { settings, traits, io }: Output): Layout => ({
  ...settings,
  title,
  fields,
  columns: traits.people && io.stdout.isTTY ? (io.stdout.columns ?? DEFAULT_WIDTH) : undefined,
  terminal: io.stdout.isTTY,
});

async function open({ settings, io, env, onEnd }: Output, onPager: () => void): Promise<Paged> {
  if (settings.pager === undefined) return { write: (text) => io.stdout.write(text), end: async () => {} };
  return (await import('./terminal/pager.js')).paged(io.stdout, settings.pager, env, onPager, onEnd);
}

/** Writes each page while the next one is read and formatted. An error of `pages` follows the pages before it. */
async function stream(pages: Pages, writer: ListWriter, waiting: Waiting | undefined, output: Output): Promise<void> {
  const sink = await open(output, () => waiting?.done());
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
    output.io.stdout.drop?.();
    // Prints the pages read so far before the error.
    await writing?.catch(() => {});
    if (!(error instanceof ClosedPipe)) {
      await sink.write(writer.held?.() ?? '').catch(() => {});
      await sink.end().catch(() => {});
    }
    throw error;
  }
}

const inferred = async (rows: readonly unknown[]): Promise<Field> =>
  (await import('./writers/records.js')).shapeOf(rows);

/** Prints the only result: an object as a single item, a plain value on a line, nothing as an empty line. */
export async function printOne(value: unknown, { shape, names }: Prepared, output: Output): Promise<void> {
  const { io, traits, settings } = output;
  const isPlain = typeof value !== 'object' || value === null;
  if (settings.query !== undefined && isPlain && !traits.machine && !traits.binary) {
    if (traits.idsOnly && value === null) return;
    const text = (await import('./writers/records.js')).cellText(value);
    return io.stdout.write(`${traits.escaped ? forRecord(text) : forPeople(text)}\n`);
  }
  const known = traits.columns === true && shape.kind === 'any' ? await inferred([value]) : shape;
  const writer = await traits.load();
  const layout = layoutOf(shape.name ?? 'result', names, output);
  if (writer.item !== undefined) return io.stdout.write(writer.item(value, known, layout));
  const list = writer.list(known, layout);
  for (const text of [list.page([value]), list.end()]) if (text.length > 0) await io.stdout.write(text);
}

/**
 * Prints the rows of a list.
 * @param noun the rows in the plural, for messages
 * @returns the number of columns that did not fit
 */
export async function printRows(
  rows: Pages,
  { shape, names }: Prepared,
  output: Output,
  noun: string,
  waiting?: Waiting,
): Promise<number> {
  const { traits, settings } = output;
  const isUnknown = traits.columns === true && shape.kind === 'any';
  const { asRecord } =
    settings.query !== undefined && traits.columns === true ? await import('./writers/records.js') : {};
  const records = asRecord === undefined ? rows : mapped(rows, (page) => page.map(asRecord));
  const hint = 'Print them with --output ndjson, which needs no columns, or name the columns: [].{id: id}.';
  const all = isUnknown ? await collect(records, `The columns of ${noun} depend on all of them, which`, hint) : [];
  const writer = (await traits.load()).list(isUnknown ? await inferred(all) : shape, layoutOf(noun, names, output));
  await stream(isUnknown ? inPages(all) : records, writer, waiting, output);
  return writer.omitted?.() ?? 0;
}
