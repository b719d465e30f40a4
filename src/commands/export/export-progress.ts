/** The progress of an export: a spinner on a terminal, a line every 30 s elsewhere. */
import type { Context } from '../../cli/context.js';
import type { ExportParts } from '../../export/collect/export-job.js';
import type { Resource } from '../../export/collect/resources.js';
import { counted, sized } from '../../output/progress/meter.js';

const FRAME_MS = 100;
const LINE_MS = 30_000;

type Watch = Pick<Required<ExportParts>, 'onItems' | 'onDone' | 'onContinue'>;

/** Prints a line on stderr even if it is no terminal, unless a program reads stderr as JSON. */
async function printLine(context: Context, text: string): Promise<void> {
  if (context.io.stderr.isTTY) return context.say(text);
  const { traits } = await context.printer();
  if (!context.quiet && traits.machine !== true) await context.io.stderr.write(`${text}\n`);
}

/** @returns the callbacks of an export, and a function that ends the display */
export async function watchExport(context: Context): Promise<Watch & { readonly end: () => void }> {
  const counts = new Map<Resource, number>();
  const { isTTY } = context.io.stderr;
  const waiting = isTTY && !context.quiet ? (await context.progress()).wait('Exporting') : undefined;
  const label = (): string => {
    const parts = [...counts].map(([name, items]) => `${name} ${counted(items)}`);
    return `Exporting: ${parts.join(', ') || 'waiting for the service'}`;
  };
  // A timer, because no page may arrive for minutes while the service is unavailable.
  const lines = isTTY ? undefined : setInterval(() => void printLine(context, label()).catch(() => {}), LINE_MS);
  lines?.unref();
  let shownAt = 0;
  return {
    onItems(resource, count) {
      counts.set(resource, count);
      const now = context.now();
      if (now - shownAt < FRAME_MS) return;
      shownAt = now;
      waiting?.update(label());
    },
    onDone(resource, facts) {
      counts.delete(resource);
      const what = facts.complete ? `${counted(facts.count)} ${facts.count === 1 ? 'item' : 'items'}` : 'not complete';
      void context.say(`${resource}: ${what}${facts.file === null ? '' : `, ${sized(facts.bytes)}`}`);
    },
    onContinue(kept) {
      const names = [...kept].map(([name, at]) => `${name} (${at})`);
      void printLine(context, `Kept from an earlier run: ${names.join(', ')}. --fresh reads everything again.`);
    },
    end() {
      clearInterval(lines);
      waiting?.done();
    },
  };
}
