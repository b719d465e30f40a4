import { offline as machine } from '../support/offline.js';
import { home } from '../support/run.js';
import type { Ended } from './program.js';

/** Runs of one test share their data. */
export function offline(more: Readonly<Record<string, string>> = {}) {
  const { send, ...one } = machine(home(), more);
  return { ...one, edu: send };
}

export const summaryOf = ({ stdout }: Ended) => JSON.parse(stdout);

/** The problems of a refused input, as JSON. */
export const problemsOf = ({ stderr }: Ended): readonly (readonly [string, string])[] =>
  JSON.parse(stderr.split('\n').find((line) => line.startsWith('{')) ?? '{}').error.details.map(
    ({ where, message }: { where: string; message: string }) => [where, message],
  );
