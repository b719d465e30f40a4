import { type Ended, program } from './program.js';

/** Runs of one test share their data. The program is a process, because its IDs need real randomness. */
export function offline(more: Readonly<Record<string, string>> = {}) {
  const { run } = program('http://127.0.0.1:9', { EDU_OFFLINE: '1', ...more });
  return {
    edu: run,
    async json(...argv: readonly string[]) {
      const { stdout } = await run([...argv, '--json']);
      return JSON.parse(stdout);
    },
  };
}

export const summaryOf = ({ stdout }: Ended) => JSON.parse(stdout);

/** The problems of a refused input, as JSON. */
export const problemsOf = ({ stderr }: Ended): readonly (readonly [string, string])[] =>
  JSON.parse(stderr.split('\n').find((line) => line.startsWith('{')) ?? '{}').error.details.map(
    ({ where, message }: { where: string; message: string }) => [where, message],
  );
