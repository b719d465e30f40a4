/** Writes the requests of a dry run as they are planned, in the chosen format. */
import type { Context } from '../../../cli/context.js';
import type { PreparedRequest } from '../../../client/request/client.js';
import { asHttp } from '../dry-run.js';
import type { RowPlan } from './plan-row.js';

/** UTF-16 units of requests that are written at a time, unless a person watches. */
const BLOCK = 64 * 1024;

/** Writes each row's requests; `ids` has none. */
export async function planWriter(context: Context) {
  const { stdout } = context.io;
  const printer = await context.printer();
  const { machine, oneDocument, idsOnly } = printer.traits;
  const { safeJson } = await import('../../../output/sanitize.js');
  let count = 0;
  let waiting = '';
  async function flush(): Promise<void> {
    const text = waiting;
    waiting = '';
    await (machine ? stdout.write(safeJson(text)) : printer.raw(text));
  }
  return {
    async row({ row, requests }: RowPlan): Promise<void> {
      if (idsOnly) return;
      for (const { method, url, headers, body } of requests()) {
        const isFirst = count++ === 0;
        const json = (): string => JSON.stringify({ row, method, url, headers, body: body ?? null });
        if (oneDocument) waiting += `${isFirst ? '{"requests":[' : ','}\n${json()}`;
        else if (machine) waiting += `${json()}\n`;
        else waiting += `${isFirst ? '' : '\n'}${asHttp({ method, url, headers, body } as PreparedRequest)}\n`;
      }
      if (waiting.length >= BLOCK || (waiting !== '' && stdout.isTTY)) await flush();
    },
    async end(summary: Readonly<Record<string, unknown>>): Promise<void> {
      if (oneDocument) waiting += `${count === 0 ? '{"requests":[' : '\n'}],${JSON.stringify(summary).slice(1)}\n`;
      if (waiting !== '') await flush();
    },
  };
}
