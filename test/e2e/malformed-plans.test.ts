/** Malformed plans and receipts: errors that name the file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readReceipt } from '../../src/plan/apply/receipt.js';
import { readPlan } from '../../src/plan/plan-file.js';
import { type Door, faultyDoor } from '../faults/faulty-door.js';
import { type Json, planned, record } from '../support/plan-witness.js';
import { run, temporaryFolder } from '../support/run.js';

let door: Door;
beforeAll(async () => {
  door = await faultyDoor();
});
afterAll(() => door.close());

/** Stands for a value that is nested so deeply that no recursion can follow it. */
const DEEP = '<deep>';

describe('a malformed plan or receipt', () => {
  const value: fc.Arbitrary<unknown> = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      1,
      -1,
      1e21,
      '',
      '..',
      [],
      {},
      true,
      DEEP,
      { toString: 1 },
      JSON.parse('{"__proto__":{}}'),
    ),
    fc.jsonValue(),
  );
  const change = fc.record({
    line: fc.nat(20),
    name: fc.nat(12),
    value,
    how: fc.constantFrom('set', 'inner', 'cut', 'key', 'drop'),
  });

  test('is refused by an error that names the file, never by a stack trace', async () => {
    const { env, file, plan } = await planned(door);
    record(door);
    await run(['apply', file, '--confirm', plan.header.hash], { env });
    const kinds = [
      ['a plan', readFileSync(file, 'utf8'), readPlan],
      ['a receipt', readFileSync(`${file}.receipt`, 'utf8'), readReceipt],
    ] as const;
    const path = join(temporaryFolder(), 'malformed');
    fc.assert(
      fc.property(fc.constantFrom(...kinds), change, ([, text, read], { line, name, value: to, how }) => {
        const lines = text.trimEnd().split('\n');
        const index = line % lines.length;
        const json = JSON.parse(lines[index] ?? '') as Json;
        const key = Object.keys(json)[name % Object.keys(json).length] ?? '';
        if (how === 'drop') delete json[key];
        else if (how === 'key') json.unknown = to;
        else if (how === 'inner' && typeof json[key] === 'object' && json[key] !== null) {
          const inner = json[key] as Json;
          inner[Object.keys(inner)[0] ?? 'x'] = to;
        } else json[key] = to;
        lines[index] = how === 'cut' ? (lines[index] ?? '').slice(0, name * 7) : JSON.stringify(json);
        writeFileSync(
          path,
          `${lines.join('\n').replaceAll(JSON.stringify(DEEP), '['.repeat(20_000) + ']'.repeat(20_000))}\n`,
        );
        try {
          read(path);
        } catch (error) {
          expect(error).toMatchObject({ kind: 'usage', message: expect.stringContaining(`Cannot use ${path}: `) });
          expect((error as { hint?: string }).hint).toBeDefined();
        }
      }),
      {
        numRuns: 150,
        // The number of steps is no number.
        examples: [
          [kinds[0], { line: 0, name: 4, value: { toString: 1 }, how: 'set' }],
          [kinds[1], { line: 0, name: 7, value: DEEP, how: 'set' }],
        ],
      },
    );
  }, 60_000);
});
