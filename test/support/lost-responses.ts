import { readFileSync, writeFileSync } from 'node:fs';

/** Removes the outcomes from the journal of a job, as if it had been killed before the responses arrived. */
export function loseResponses(journal: string): void {
  const sent = readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"sending"'));
  writeFileSync(journal, `${sent.join('\n')}\n`);
}
