/** Prints a list: every page of one or several collections, in the format asked for. */
import type { Command, Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { Client } from '../../client/request/client.js';
import type { Cut } from '../../output/printer.js';
import { complete } from './prompt-missing.js';
import type { Call, ListSpec } from './spec.js';

interface Walk {
  readonly pages: AsyncIterable<readonly unknown[]>;
  readonly wasCut: () => Cut;
}

/** The items of all collections as one list of pages, at most `limit` items. */
function walk(
  client: Client,
  sources: readonly Call[],
  limit: number | undefined,
  pageSize: number | undefined,
  signal: AbortSignal,
): Walk {
  let cut: Cut = false;
  async function* pages(): AsyncGenerator<readonly unknown[]> {
    let left = limit ?? Number.POSITIVE_INFINITY;
    for (const [index, source] of sources.entries()) {
      const options = {
        signal,
        pageSize,
        ...(limit === undefined
          ? {}
          : {
              limit: left,
              onCut: () => {
                cut = true;
              },
            }),
      };
      for await (const page of client.pages(source.endpoint, source.input, options)) {
        left -= page.length;
        yield page;
      }
      if (left > 0) continue;
      // The other collections are not asked just to know whether they are empty.
      if (!cut && index < sources.length - 1) cut = 'perhaps';
      return;
    }
  }
  return { pages: pages(), wasCut: () => cut };
}

const number = (values: Values, name: string): number | undefined => {
  const value = values[name];
  return typeof value === 'number' ? value : undefined;
};

/** Runs a list command. */
export async function list(command: Command, spec: ListSpec, given: Values, context: Context): Promise<void> {
  const values = await complete(command, context.path, given, context);
  const printer = await context.printer();
  await printer.check(spec.shape);
  const client = await context.client();
  const sources = await spec.sources(values, context);
  // A sorted list is cut by the printer, after it has seen all of it.
  const limit = context.globals.sort === undefined ? number(context.globals, 'limit') : undefined;
  const { pages, wasCut } = walk(client, sources, limit, number(context.globals, 'page-size'), context.signal);
  await printer.list(pages, { shape: spec.shape, noun: spec.noun, wasCut });
}
