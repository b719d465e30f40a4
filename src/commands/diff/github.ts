/** Writes differences for GitHub Actions: an annotation per resource, and the job's step summary. */
import { open } from 'node:fs/promises';
import type { Tally } from './tally.js';
import { countText } from './tally.js';

/** GitHub's limit is 1 MiB per step; the rest is left to other commands of the step. */
const MAX_SUMMARY_BYTES = 900 * 1024;

/** https://docs.github.com/actions/reference/workflow-commands-for-github-actions */
const escaped = (text: string): string =>
  text
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replaceAll(':', '%3A')
    .replaceAll(',', '%2C');

/** Workflow commands, which GitHub shows as annotations. */
export function annotations({ byResource, hidden }: Tally): string {
  const differences = [...byResource].flatMap(([resource, count]) => {
    const words = countText(count);
    return words === '' ? [] : [`::notice title=${escaped(`edu diff ${resource}`)}::${escaped(words)}\n`];
  });
  const warnings = hidden.map((text) => `::warning title=edu diff::${escaped(text)}\n`);
  return [...differences, ...warnings].join('');
}

export async function appendSummary(path: string, pieces: AsyncIterable<string>): Promise<void> {
  const file = await open(path, 'a');
  let size = 0;
  try {
    await file.write('## Differences\n\n');
    for await (const text of pieces) {
      const isFull = size > MAX_SUMMARY_BYTES;
      size += Buffer.byteLength(text);
      if (size <= MAX_SUMMARY_BYTES) await file.write(text);
      else if (!isFull) await file.write('\n… and more than a step summary can hold.\n');
    }
  } finally {
    await file.close();
  }
}
