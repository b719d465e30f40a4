import { expect, test } from 'vitest';
import type { Context } from '../../../../src/cli/context.js';
import { printDone } from '../../../../src/commands/kinds/print-result.js';
import { EduError } from '../../../../src/core/errors.js';

const DONE = 'Created licence a1 (ID 7)';
const NOT_AGAIN = 'It was carried out: do not run it again.';
const HINT = `${DONE}. ${NOT_AGAIN}`;

/**
 * Runs it with this result of printing.
 * @returns the error, and the hint of an interruption meanwhile
 */
async function printing(print: () => Promise<void>) {
  const risks: string[] = [];
  const atRisk: Context['atRisk'] = (hint, work) => {
    risks.push(hint);
    return work;
  };
  const thrown: unknown = await printDone(DONE, print, { atRisk } as Context).catch((error: unknown) => error);
  return { thrown, risks };
}

test('changes nothing when printing succeeds; reports what was carried out when it is interrupted', async () => {
  expect(await printing(async () => {})).toEqual({ thrown: undefined, risks: [HINT] });
});

test.each([
  [new EduError('invalid_response', 'it does not fit', { hint: 'Print it with --json.' }), 'internal'],
  [new EduError('unreachable', 'the connection broke'), 'internal'],
  [new EduError('usage', 'no such field'), 'internal'],
  [new TypeError('of null'), 'internal'],
])('%s: reports what was carried out, and does not suggest a retry', async (error, kind) => {
  const { thrown } = await printing(() => Promise.reject(error));
  expect(thrown).toMatchObject({
    kind,
    exitCode: 1,
    message: `${DONE}, but the result cannot be printed: ${error.message}`,
    hint: NOT_AGAIN,
    cause: error,
  });
});

test('passes an interruption on', async () => {
  const { thrown } = await printing(() => Promise.reject(new EduError('terminated', 'Terminated.')));
  expect(thrown).toMatchObject({ kind: 'terminated', message: 'Terminated.', hint: HINT });
});
