/** Relative dates: in flags, in cells, and over the life of a job. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { home, run } from '../support/run.js';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-03-31T12:00:00Z');

/** The program on a machine whose clock the test sets. */
function person() {
  const env = { ...home(), EDU_OFFLINE: '1' };
  return {
    edu: (argv: readonly string[], days = 0, input = '') =>
      run(argv, { env, input, now: () => NOW + days * DAY_MS, randomBytes }),
  };
}

const BOOKS = ['--name', 'A', '--type', 'Books', '--book', 'B1', '--maximum-activations', '1'];
const UNTIL = ['--fields', 'expiration.date', '-o', 'json'];

describe('a flag', () => {
  test('takes a value that begins with a dash, and warns of a licence that ends in the past', async () => {
    const ran = await person().edu(['licenses', 'create', ...BOOKS, '--until', '-2w', ...UNTIL]);
    expect(JSON.parse(ran.stdout)).toEqual({ expiration: { date: '2026-03-17' } });
    expect(ran.stderr).toContain('The licence ends in the past, on 2026-03-17.');
  });

  test('warns of nothing for a licence that ends today', async () => {
    const ran = await person().edu(['licenses', 'create', ...BOOKS, '--until', 'today']);
    expect(ran.stderr).toBe('');
  });
});

describe('a cell', () => {
  const CSV = `name,type,book,maximum-activations,until\nA,Books,B1,1,+1m\nB,Books,B1,1,-1d\n`;
  const LINE = ['licenses', 'create', '--from', '-', '--yes'];
  const datesOf = async (edu: ReturnType<typeof person>['edu']) => {
    const ran = await edu(['licenses', 'list', '--query', "[?name=='A' || name=='B'].expiration.date", '--json']);
    return (JSON.parse(ran.stdout) as string[]).sort();
  };

  test('keeps its date when the job is resumed later, and creates nothing twice', async () => {
    const { edu } = person();
    expect((await edu([...LINE, '--limit', '1'], 0, CSV)).code).toBe(0);
    const resumed = { code: 0, stderr: expect.stringContaining('The licence ends in the past, on 2026-03-30.') };
    expect(await edu(LINE, 3, CSV)).toMatchObject(resumed);
    expect(await datesOf(edu)).toEqual(['2026-03-30', '2026-04-30']);
    // A file with more rows is another job, whose first rows exist already.
    const grown = await edu([...LINE, '--json'], 5, `${CSV}C,Books,B1,1,+1m\n`);
    expect(JSON.parse(grown.stdout)).toMatchObject({ created: 1, exists: 2 });
  });

  test('gets a new date when a finished job starts again', async () => {
    const { edu } = person();
    const rows = 'licence,until\n00000006,+1m\n';
    const line = ['licenses', 'update', '--reset-license-category', '--yes', '--from', '-'];
    const end = async () => JSON.parse((await edu(['licenses', 'get', '00000006', ...UNTIL])).stdout);
    expect((await edu(line, 0, rows)).code).toBe(0);
    expect(await end()).toEqual({ expiration: { date: '2026-04-30' } });
    await edu(line, 10, rows);
    expect(await end()).toEqual({ expiration: { date: '2026-05-10' } });
  });
});

test('system time that is set back makes no run shorter than nothing', async () => {
  let seconds = NOW / 1000;
  const line = ['licenses', 'create', '--count', '2', '--name', 'A', '--type', 'Teacher', '--maximum-activations', '1'];
  const { stdout, stderr } = await run([...line, '--offline', '--json'], {
    env: home(),
    now: () => 1000 * seconds--,
    randomBytes,
  });
  expect(JSON.parse(stdout).seconds, stderr).toBeGreaterThanOrEqual(0);
});
