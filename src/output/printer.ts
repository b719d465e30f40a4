/** Prints results in the requested format as pages arrive, after the steps of `select/pipeline.ts`. */
import type { Field } from '../contract/vocabulary.js';
import { traitsOfFormat } from './formats.js';
import { reportEnd } from './list-end.js';
import { type Output, printOne, printRows } from './print-rows.js';
import type { Progress } from './progress/progress.js';
import { forPeople, forTerminal } from './sanitize.js';
import { followed, mapped, onePage, type Pages } from './select/item-pages.js';
import { type Cut, picked, resultRows, type Steps, select } from './select/pipeline.js';
import { type Prepared, prepareSteps } from './select/prepare-steps.js';
import type { Text } from './writers/writer.js';

export interface ListPrinting {
  readonly shape: Field;
  /** The plural of the items: `licences`. */
  readonly noun: string;
  /** The first step: the filters of the command. */
  readonly filter?: Steps['filter'];
  /** The last row of a table of several whole items, for people. */
  readonly total?: unknown;
  /** True if the source itself left out items, because it knows `readLimit`. */
  readonly wasCut?: (() => Cut) | undefined;
  /** True if `--limit` counts something else, such as the rows of a job. */
  readonly ignoresLimit?: boolean;
  /** What was searched, if not everything: `in your organization d1 only; --organization looks elsewhere`. */
  readonly scope?: string | undefined;
}

export type Printer = ReturnType<typeof createPrinter>;

export interface PrinterParts extends Omit<Output, 'traits'> {
  readonly warn: (text: string) => Promise<void>;
  /** Its streams are used instead of `io`, so that output does not collide with what it draws. */
  readonly progress?: Progress | undefined;
}

export function createPrinter({ io: plainIo, warn, progress, ...parts }: PrinterParts) {
  const { settings } = parts;
  const io = progress?.io ?? plainIo;
  const traits = traitsOfFormat(settings.format);
  const output: Output = { ...parts, traits, io };

  const prepared = (shape: Field, isList: boolean): Promise<Prepared> =>
    prepareSteps(settings, shape, { isList, idsOnly: traits.idsOnly === true });

  async function warned(shape: Field, isList: boolean): Promise<Prepared> {
    const plan = await prepared(shape, isList);
    for (const warning of plan.warnings) await warn(warning);
    return plan;
  }

  /** Prints formatted text unchanged; on a terminal, control characters are escaped. */
  const raw = (text: Text): Promise<void> =>
    io.stdout.write(io.stdout.isTTY && typeof text === 'string' ? forTerminal(text) : text);

  return {
    format: settings.format,
    traits,
    /** True if `list` prints items unchanged, so that they may be `JsonText`. */
    copies:
      traits.compact === true && [settings.fields, settings.query, settings.sort].every((one) => one === undefined),
    /** The number of items that are printed at most, if no step but filters can change it; undefined for all. */
    readLimit: settings.sort === undefined && settings.query === undefined ? settings.limit : undefined,
    /**
     * Checks fields, sorting, query and IDs against a shape. To be called before any request is sent.
     * @throws EduError `usage`
     */
    async check(shape: Field, prints: 'list' | 'item'): Promise<void> {
      await prepared(shape, prints === 'list');
    },
    /** Prints items, as pages arrive. An error of `pages` leaves the output visibly incomplete, and is thrown again. */
    async list(pages: Pages | readonly unknown[], printing: ListPrinting): Promise<void> {
      const { noun, filter, wasCut, total } = printing;
      const plan = await warned(printing.shape, true);
      const limit = printing.ignoresLimit ? undefined : plan.steps.limit;
      const waiting = progress?.wait(`Fetching ${noun}`);
      let read = 0;
      const source = mapped(Symbol.asyncIterator in pages ? pages : onePage(pages), (page) => {
        read += page.length;
        waiting?.update(`Fetching ${noun}: ${read} so far`);
        return page;
      });
      try {
        const selected = await select(source, { ...plan.steps, filter, limit }, noun);
        let count = 0;
        const counted = mapped(selected.rows, (page) => {
          count += page.length;
          return page;
        });
        const isWhole = settings.query === undefined && settings.fields === undefined;
        const isTotalled = total !== undefined && traits.people === true && isWhole;
        const rows = isTotalled ? followed(counted, () => (count > 1 ? [total] : [])) : counted;
        if (!selected.isList) {
          waiting?.done();
          for await (const [value] of rows) await printOne(value, plan, output);
          return;
        }
        const omitted = await printRows(rows, plan, output, noun, waiting);
        const cut = selected.wasCut() || (wasCut?.() ?? false);
        await reportEnd({ count, cut, omitted, noun, scope: printing.scope }, output);
      } finally {
        waiting?.done();
      }
    },
    async item(value: unknown, shape: Field): Promise<void> {
      const plan = await warned(shape, false);
      const { query } = plan.steps;
      const present = value ?? null;
      const { rows, isList } =
        query === undefined ? { rows: onePage([present]), isList: false } : resultRows(query.run(present));
      const selected = picked(rows, plan.steps);
      if (isList) await printRows(selected, plan, output, 'results');
      else for await (const [only] of selected) await printOne(only, plan, output);
    },
    /** Prints one value as it is; on a terminal, all that it would obey or hide is escaped. */
    text: (value: string) => raw(`${io.stdout.isTTY ? forPeople(value) : value}\n`),
    raw,
  };
}
