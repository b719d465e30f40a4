import { readFileSync, writeFileSync } from 'node:fs';

/** Removes the outcomes from the journal of a job, as if it had been killed before the responses arrived. */
export function loseResponses(journal: string): void {
  const sent = readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => /"state":"sending"|^\{"list"/.test(line));
  writeFileSync(journal, `${sent.join('\n')}\n`);
}

/** Removes the end of the last run from a journal, as if it had been killed before it reported its results. */
export function loseEnd(journal: string): void {
  const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
  writeFileSync(journal, `${lines.slice(0, -1).join('\n')}\n`);
}
