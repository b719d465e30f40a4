/** The end of a licence in updates: extensions, and ends that move earlier. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Journal } from '../../src/bulk/job/journal.js';
import { loseResponses } from '../support/lost-responses.js';
import { type Recorded, type Reply, recordingServer } from '../support/recording-server.js';
import { home, type Ran, run } from '../support/run.js';

const NOW = Date.UTC(2026, 10, 26);
const UPDATE = 'licenses update';
const CALLER = {
  '/v1/account': { id: 'u1', email: 'a@b.example', roles: [] },
  '/v1/users/u1': { id: 'u1', organization: { id: 'd1', type: 'Distributor' } },
};
let env: Record<string, string>;
let isDown: boolean;
let licences: Record<string, Record<string, unknown>>;

const licence = (id: string, expiration: Readonly<Record<string, unknown>>) => ({
  id,
  code: id,
  name: 'L',
  type: 'Books',
  books: [{ id: 'B1', ean: '1', title: 'A' }],
  maximumActivations: 1,
  numberOfActivations: 0,
  licenseCategory: null,
  expiration: { days: null, date: null, ...expiration },
});

function answer({ method, url, body }: Recorded): Reply {
  const id = /^\/v1\/licenses\/(?:code\/)?(\w+)/.exec(url)?.[1] ?? '';
  const caller = CALLER[url.split('?')[0] as keyof typeof CALLER];
  if (caller !== undefined) return { body: caller };
  const found = licences[id];
  if (found === undefined) return { status: 404, body: {} };
  if (method === 'PUT' && isDown) return { status: 503, body: {} };
  if (method === 'PUT') {
    const { books: _, ...changed } = JSON.parse(body.toString()) as Record<string, unknown>;
    Object.assign(found, changed);
  }
  return { body: found };
}

const edu = (line: string): Promise<Ran> => run(line.split(' '), { env, now: () => NOW });

/** The end of a licence, or its days. */
const termOf = (id: string): unknown => {
  const { date, days } = Object(licences[id]?.expiration);
  return date ?? days;
};

beforeEach(async () => {
  isDown = false;
  licences = {
    a1: licence('a1', { type: 'Date', date: '2028-02-29' }),
    b1: licence('b1', { type: 'Date', date: '2027-01-31' }),
    c1: licence('c1', { type: 'Days', days: 365 }),
    d1: licence('d1', { type: 'Date', date: '2028-02-29T00:00:00+0000' }),
    e1: { ...licence('e1', { type: 'Date', date: '2027-01-31' }), numberOfActivations: 1 },
  };
  const server = await recordingServer(answer);
  onTestFinished(() => server.close());
  env = { ...home(), EDU_BASE_URL: server.origin, EDU_TOKEN: 'token-of-the-tests' };
});

describe('--extend', () => {
  test.each([
    ['1y', '2029-02-28'],
    ['30d', '2028-03-30'],
    ['2w', '2028-03-14'],
    ['6m', '2028-08-29'],
  ])("adds %s to the licence's own end, not to today", async (length, end) => {
    expect(await edu(`${UPDATE} code:a1 --extend ${length}`)).toMatchObject({ code: 0 });
    expect(termOf('a1')).toBe(end);
  });

  test('counts from a date that the service returns with a time', async () => {
    expect(await edu(`${UPDATE} code:d1 --extend 1y`)).toMatchObject({ code: 0 });
    expect(termOf('d1')).toBe('2029-02-28');
  });

  test('that the service returns with a time is no change in a list, and a day in an edited one', async () => {
    const from = join(env.EDU_STATE_DIR ?? '', '..', 'list.csv');
    const line = `${UPDATE} --from ${from} --reset-license-category`;
    const list = 'id,name,expiration.type,expiration.days,expiration.date\nd1,L,Date,,2028-02-29T00:00:00+0000\n';
    writeFileSync(from, list);
    expect((await edu(line)).stderr).toContain('Nothing to do: the row is unchanged.');
    writeFileSync(from, list.replace('L,', 'New,'));
    expect(await edu(line)).toMatchObject({ code: 0 });
    expect([licences.d1?.name, termOf('d1')]).toEqual(['New', '2028-02-29']);
  });

  test('extends several licences, each from its own end', async () => {
    const ran = await edu(`${UPDATE} code:a1 code:b1 --extend 1y -o csv --fields code,expiration.date`);
    expect(ran).toMatchObject({ code: 0, stdout: 'code,expiration.date\na1,2029-02-28\nb1,2028-01-31\n' });
  });

  test('refuses a licence whose term is in days, and changes none', async () => {
    const ran = await edu(`${UPDATE} code:a1 code:c1 --extend 1y`);
    expect([ran.code, ran.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^Error: Cannot extend licence L \(c1\) by 1y: its term is 365 days from its activation\.\n/,
      ),
    ]);
    expect([termOf('a1'), termOf('c1')]).toEqual(['2028-02-29', 365]);
  });

  test('is not repeated as it is after an unknown outcome: the hint has the end', async () => {
    isDown = true;
    const { code, stderr } = await edu(`${UPDATE} code:a1 --extend 1y --retries 0`);
    expect([code, stderr]).toEqual([
      7,
      expect.stringContaining('Run it again with --until 2029-02-28 instead of --extend'),
    ]);
  });
});

describe('an end that moves earlier', () => {
  test.each([
    ['a1', '--until +1y', 'move the end of licence L (a1) from 2028-02-29 back to 2027-11-26'],
    ['b1', '--until yesterday', 'move the end of licence L (b1) from 2027-01-31 to 2026-11-25 (in the past)'],
    ['c1', '--days 30', 'shorten the term of licence L (c1) from 365 to 30 days'],
    ['a1', '--days 30', 'move the end of licence L (a1) from 2028-02-29 back to 30 days after each activation'],
    [
      'c1',
      '--until 2027-01-31',
      'move the end of licence L (c1) from 365 days after each activation back to 2027-01-31',
    ],
    // Who activated it long ago.
    ['e1', '--days 365', 'move the end of licence L (e1) from 2027-01-31 back to 365 days after each activation'],
  ])('of %s with %s needs --yes in a script; a dry run warns', async (code, flags, action) => {
    const before = termOf(code);
    const line = `${UPDATE} code:${code} ${flags}`;
    const refused = await edu(line);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(`Error: Refusing to ${action} without confirmation; nothing was sent.`);
    expect(refused.stderr).toContain(`Pass --yes to confirm: edu ${line}`);
    expect((await edu(`${line} --dry-run`)).stderr).toContain(`Warning: This would ${action}.`);
    expect(termOf(code)).toBe(before);
    expect(await edu(`${line} --yes`)).toMatchObject({ code: 0 });
    expect(termOf(code)).not.toBe(before);
  });

  test('is not asked about when the end stays, or the licence was over before', async () => {
    licences.b1 = licence('b1', { type: 'Date', date: '2026-01-01' });
    expect(await edu(`${UPDATE} code:b1 --name Other`)).toMatchObject({ code: 0 });
    expect(await edu(`${UPDATE} code:b1 --until 2026-01-01`)).toMatchObject({ code: 0 });
    expect(await edu(`${UPDATE} code:a1 --until 2028-02-29`)).toMatchObject({ code: 0 });
    expect(await edu(`${UPDATE} code:c1 --until +1y`)).toMatchObject({ code: 0 });
    expect(await edu(`${UPDATE} code:d1 --days 820`)).toMatchObject({ code: 0 });
  });
});

describe('a bulk job with extensions', () => {
  const file = (): string => join(env.EDU_STATE_DIR ?? '', '..', 'rows.csv');
  const job = (): Promise<Ran> => edu(`${UPDATE} --from ${file()}`);

  test('extends each licence once, however often it is interrupted, and again when it is finished', async () => {
    writeFileSync(file(), 'id,extend\ncode:a1,1y\ncode:b1,30d\n');
    expect(await job()).toMatchObject({ code: 0 });
    expect([termOf('a1'), termOf('b1')]).toEqual(['2029-02-28', '2027-03-02']);
    const jobs = join(env.EDU_STATE_DIR ?? '', 'jobs');
    const [own = ''] = readdirSync(jobs, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('journal.ndjson'),
    );
    loseResponses(join(jobs, own));
    expect(await job()).toMatchObject({ code: 0 });
    expect([termOf('a1'), termOf('b1')]).toEqual(['2029-02-28', '2027-03-02']);
    expect(await job()).toMatchObject({ code: 0 });
    expect([termOf('a1'), termOf('b1')]).toEqual(['2030-02-28', '2027-04-01']);
    loseResponses(join(jobs, own));
    expect(await job()).toMatchObject({ code: 0 });
    expect([termOf('a1'), termOf('b1')]).toEqual(['2030-02-28', '2027-04-01']);
  });

  test('counts from the new ends, also if it is killed as soon as it starts again', async () => {
    writeFileSync(file(), 'id,extend\ncode:a1,1y\n');
    expect(await job()).toMatchObject({ code: 0 });
    const restart = Journal.prototype.restart;
    vi.spyOn(Journal.prototype, 'restart').mockImplementationOnce(function (this: Journal) {
      restart.call(this);
      throw new Error('killed');
    });
    expect((await job()).code).not.toBe(0);
    expect(await job()).toMatchObject({ code: 0 });
    expect(termOf('a1')).toBe('2030-02-28');
  });

  test('that runs again is refused when a licence has no end any more, or without it extends the others', async () => {
    writeFileSync(file(), 'id,extend\ncode:a1,1y\ncode:b1,1y\n');
    expect(await job()).toMatchObject({ code: 0 });
    licences.a1 = licence('a1', { type: 'Days', days: 365 });
    const refused = await job();
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('line 2: Cannot extend licence a1 by')]);
    expect([termOf('a1'), termOf('b1')]).toEqual([365, '2028-01-31']);
    const skipped = await edu(`${UPDATE} --from ${file()} --skip-invalid`);
    expect([skipped.code, skipped.stderr]).toEqual([3, expect.stringContaining('rejected: Cannot extend licence a1')]);
    expect([termOf('a1'), termOf('b1')]).toEqual([365, '2029-01-31']);
  });

  test('is refused before anything is sent when a licence has no end', async () => {
    writeFileSync(file(), 'id,extend\ncode:a1,1y\ncode:c1,1y\n');
    const ran = await job();
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(/line 3: Cannot extend licence \w+ by 1y/)]);
    expect(termOf('a1')).toBe('2028-02-29');
  });
});

describe('a bulk job with ends that move earlier, or into the past', () => {
  const file = (text: string): string => {
    const path = join(env.EDU_STATE_DIR ?? '', '..', 'rows.csv');
    writeFileSync(path, text);
    return path;
  };
  const ends = () => [termOf('a1'), termOf('b1')];

  test('asks once, with the number of rows: without a terminal it needs --yes', async () => {
    const job = `${UPDATE} --from ${file('id,until\ncode:a1,2027-01-01\ncode:b1,2020-01-01\n')}`;
    const refused = await edu(job);
    expect([refused.code, ends()]).toEqual([2, ['2028-02-29', '2027-01-31']]);
    expect(refused.stderr).toMatch(
      /Refusing to move the end of licence \w+ from 2028-02-29 back to 2027-01-01 \(line 2\), and the same for 1 more without/,
    );
    expect(refused.stderr).toMatch(/Pass --yes to confirm: edu licenses update --from .* --yes/);
    expect((await edu(`${job} --dry-run`)).stderr).toContain('This would move the end');
    expect(ends()).toEqual(['2028-02-29', '2027-01-31']);
    expect(await edu(`${job} --yes`)).toMatchObject({ code: 0 });
    expect(ends()).toEqual(['2027-01-01', '2020-01-01']);
    licences.a1 = licence('a1', { type: 'Date', date: '2028-02-29' });
    expect((await edu(job)).stderr).toContain('back to 2027-01-01 (line 2) without confirmation; nothing was sent');
    expect(ends()).toEqual(['2028-02-29', '2020-01-01']);
    expect(await edu(`${job} --yes`)).toMatchObject({ code: 0 });
    expect(ends()).toEqual(['2027-01-01', '2020-01-01']);
  });

  test('asks for no row whose end moves later', async () => {
    const job = `${UPDATE} --from ${file('id,until\ncode:a1,2029-01-01\ncode:b1,2028-01-01\n')}`;
    expect(await edu(job)).toMatchObject({ code: 0 });
  });

  test('creates no licence that ends in the past without a confirmation', async () => {
    const rows = file('name,until\nA,2020-01-01\nB,2030-01-01\nC,2021-01-01\n');
    const job = `licenses create --type Teacher --maximum-activations 1 --from ${rows}`;
    const refused = await edu(job);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(
        'create a licence that ends in the past, on 2020-01-01 (line 2), and the same for 1 more',
      ),
    ]);
  });

  test('treats a subscription that ends in the past like a licence', async () => {
    const create = 'subscriptions create --maximum-activations 1';
    const dry = await edu(`${create} --until 2020-01-01 --dry-run`);
    expect(dry).toMatchObject({ code: 0, stderr: 'Warning: The subscription ends in the past, on 2020-01-01.\n' });
    const refused = await edu(`${create} --from ${file('until\n2030-01-01\n2020-01-01\n')}`);
    const action = 'create a subscription that ends in the past, on 2020-01-01 (line 3)';
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(action) });
  });
});

test('an update sends days as a number, also if the service returns a text', async () => {
  licences.c1 = licence('c1', { type: 'Days', days: '365' });
  expect(await edu(`${UPDATE} code:c1 --name M`)).toMatchObject({ code: 0 });
  expect(termOf('c1')).toBe(365);
});

test('an update sends the end of a licence as a date, without the time that the service returns', async () => {
  expect(await edu(`${UPDATE} code:d1 --name M`)).toMatchObject({ code: 0 });
  expect(termOf('d1')).toBe('2028-02-29');
});
