/**
 * Each write, sync, rename and opening of a file fails once, in nine commands: the error names file, reason and next
 * step, nothing is lost, and the same command then does the rest exactly once.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Door, faultyDoor } from '../faults/faulty-door.js';
import { type Exit, edu } from '../support/spawned.js';
import {
  type Counted,
  counted,
  type Fault,
  failing,
  faultsOf,
  inPairs,
  leftIn,
  unclear,
  WAYS,
  type Way,
} from './failing.js';

/** A folder for one fault, and what is in it. */
interface Place {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly door: Door;
  readonly argv: readonly string[];
}

interface Deed {
  /** Creates what the command needs, and returns the command. */
  readonly prepare: (place: Omit<Place, 'argv'>) => Promise<readonly string[]> | readonly string[];
  /** The problems after a run that failed. */
  readonly broken: (place: Place, exit: Exit) => Promise<readonly string[]> | readonly string[];
  /** The problems after the same command has run again, without a fault. */
  readonly wrong: (place: Place, exit: Exit) => Promise<readonly string[]> | readonly string[];
  /** Expected exit codes of a run without a fault (default: 0). */
  readonly codes?: readonly number[];
}

const root = mkdtempSync(join(tmpdir(), 'edu-disk-'));
beforeAll(() => mkdirSync(root, { recursive: true }));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function inPlace<T>(deed: Deed, work: (place: Place) => Promise<T>): Promise<T> {
  const home = mkdtempSync(join(root, 'home-'));
  const door = await faultyDoor();
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: '/nonexistent',
    TMPDIR: root,
    EDU_CONFIG_DIR: join(home, 'config'),
    EDU_STATE_DIR: join(home, 'state'),
    EDU_NO_INPUT: '1',
    EDU_MAX_WAIT: '4s',
    ...door.env,
  };
  const bare = { home, env, door };
  try {
    const argv = await deed.prepare(bare);
    door.set();
    return await work({ ...bare, argv });
  } finally {
    await door.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** The problems that one fault causes. */
const problemsOf = (deed: Deed, fault: Fault): Promise<readonly string[]> =>
  inPlace(deed, async (place) => {
    const { home, env, argv } = place;
    const first = await failing(argv, env, home, fault);
    const hit = first.calls.find((call) => call.endsWith(' !'));
    const found: string[] = [];
    const { codes = [0] } = deed;
    const isFine = codes.includes(first.code ?? -1);
    if (hit === undefined) return found;
    if (first.signal !== null) found.push(`ended by ${first.signal}`);
    if (fault.way === 'one short write' && !isFine) found.push('fails over a write that was only short');
    if (!isFine) found.push(...unclear(first, home), ...(await deed.broken(place, first)));
    else found.push(...(await deed.wrong(place, first)).map((one) => `with exit code ${first.code}, ${one}`));
    const again = await edu(argv, { env });
    if (!codes.includes(again.code ?? -1)) found.push(`run again: ${again.code}: ${again.stderr}`);
    found.push(...(await deed.wrong(place, again)).map((one) => `run again, ${one}`));
    found.push(...leftIn(home).map((path) => `${path} is left`));
    const where = `${fault.way}, ${fault.call} ${fault.at} (${hit.replace(home, '').replaceAll(/[0-9a-f]{8,}/g, '…')})`;
    return found.length === 0
      ? []
      : [`${where}: ${found.join('; ')}\n  ${first.code} ${first.stderr.replaceAll(home, '~').trim()}`];
  });

/** Counts the calls of the command, and fails each. */
async function broken(deed: Deed, way: Way): Promise<readonly string[]> {
  const { calls } = await inPlace(deed, async ({ argv, env, home }) => {
    const run: Counted = await counted(argv, env, home);
    expect(deed.codes ?? [0], run.stderr).toContain(run.code);
    return run;
  });
  const faults = faultsOf(calls, way);
  expect(calls.length).toBeGreaterThan(2);
  return (await inPairs(faults, (fault) => problemsOf(deed, fault))).flat();
}

const lines = (file: string): readonly string[] => readFileSync(file, 'utf8').trimEnd().split('\n');
const ROWS = 20;

const made = (door: Door, count: number): readonly string[] =>
  door.created() === count ? [] : [`the service created ${door.created()} of ${count}`];
const tooMany = (door: Door, count: number): readonly string[] =>
  door.created() <= count ? [] : [`the service created ${door.created()} of ${count}`];

/** @param hasKey whether a row whose outcome was lost can be looked up; otherwise it may stay unknown */
const createMany = (resource: readonly string[], hasKey: boolean): Deed => ({
  prepare: ({ home }) => [...resource, ...['--count', `${ROWS}`, '--results', join(home, 'results.csv'), '--quiet']],
  broken: ({ door }) => tooMany(door, ROWS),
  wrong: ({ door, home }) => {
    const results = join(home, 'results.csv');
    const rows = existsSync(results) ? lines(results).slice(1) : [];
    const known = rows.filter((row) => /,(created|exists),/.test(row)).length;
    const bad = rows.filter((row) => !(hasKey ? /,(created|exists),/ : /,(created|exists|unknown),/).test(row));
    return [
      ...tooMany(door, ROWS),
      ...(door.created() >= known ? [] : [`${known} rows are created, and the service has ${door.created()}`]),
      ...(rows.length === ROWS ? [] : [`there are ${rows.length} results`]),
      ...bad.map((row) => `a row says ${row}`),
    ];
  },
  codes: hasKey ? [0] : [0, 3],
});

const DEEDS: Readonly<Record<string, Deed>> = {
  'a job of licences': createMany(
    ['licenses', 'create', '--name', 'A', '--type', 'Teacher', '--maximum-activations', '1'],
    true,
  ),

  'a job of subscriptions, which have no key': createMany(
    ['subscriptions', 'create', '--maximum-activations', '1', '--expiration-date', '+90d'],
    false,
  ),

  'an export': {
    prepare: ({ home }) => ['export', '--to', join(home, 'out')],
    broken: ({ home }) => incomplete(join(home, 'out')),
    wrong: ({ home }) => {
      const out = join(home, 'out');
      return [
        ...(existsSync(join(out, 'manifest.json')) ? [] : ['there is no manifest']),
        ...incomplete(out),
        ...(existsSync(join(out, '.edu-export')) ? ['the working folder is left'] : []),
      ];
    },
  },

  'a change of settings': {
    prepare: async ({ env }) => {
      await edu(['config', 'set', 'language', 'FR'], { env });
      return ['config', 'set', 'language', 'NL'];
    },
    broken: ({ env }) => isLanguage(env, 'FR'),
    wrong: ({ env }) => isLanguage(env, 'NL'),
  },

  'an apply': {
    prepare: async ({ home, env }) => {
      const want = join(home, 'want');
      mkdirSync(want);
      const write = (name: string, rows: readonly object[]) =>
        writeFileSync(join(want, `${name}.ndjson`), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      write('users', [{ email: 'new@s1.example', firstName: 'A', lastName: 'B', organization: 's1' }]);
      write('classes', [{ name: '9z', school: 's1', subject: '0011', users: ['new@s1.example'] }]);
      write('licenses', [{ code: 'disk1', name: 'L', type: 'Teacher', maximumActivations: 5 }]);
      const plan = join(home, 'a.plan');
      const planned = await edu(['plan', want, '--out', plan], { env });
      expect(planned.code, planned.stderr).toBe(10);
      const { hash } = JSON.parse(lines(plan)[0] ?? '') as { readonly hash: string };
      return ['apply', plan, '--confirm', hash];
    },
    broken: ({ door }) => tooMany(door, 3),
    wrong: async ({ door, home, env }) => {
      const left = await edu(['plan', join(home, 'want')], { env });
      const receipt = join(home, 'a.plan.receipt');
      return [
        ...made(door, 3),
        ...(left.code === 0 ? [] : [`a new plan says ${left.code}: ${left.stdout}`]),
        ...(existsSync(receipt) ? [] : ['there is no receipt']),
      ];
    },
  },

  'a plan': {
    prepare: ({ home }) => {
      mkdirSync(join(home, 'want'));
      writeFileSync(join(home, 'want/schools.ndjson'), '{"name":"New school","country":"DE","city":"Bonn"}\n');
      return ['plan', join(home, 'want'), '--out', join(home, 'a.plan')];
    },
    broken: ({ home }) => (existsSync(join(home, 'a.plan')) ? ['there is a plan'] : []),
    wrong: ({ home }) => [
      ...incomplete(home),
      ...(lines(join(home, 'a.plan')).length === 2 ? [] : ['the plan is not whole']),
    ],
    codes: [10],
  },

  'an undo of a job': {
    prepare: async ({ env }) => {
      const create = ['licenses', 'create', '--name', 'A', '--type', 'Teacher', '--maximum-activations', '1'];
      const ran = await edu([...create, '--count', '10', '--job', 'undone'], { env });
      expect(ran.code, ran.stderr).toBe(0);
      return ['jobs', 'undo', 'undone', '--yes'];
    },
    broken: () => [],
    wrong: async ({ door }) => {
      const { json } = await door.ask('GET', '/v1/licenses?type=TEACHER&limit=100');
      const left = (json as { readonly licenses: readonly { readonly name: string }[] }).licenses;
      return left.filter(({ name }) => name === 'A').map(() => 'a licence is left');
    },
  },

  'a download': {
    prepare: async ({ env, home }) => {
      writeFileSync(join(home, 'a.png'), Buffer.alloc(200_000, 7));
      const { stdout } = await edu(['files', 'upload', join(home, 'a.png'), '-o', 'ids'], { env });
      return ['files', 'download', stdout.trim(), '--to', join(home, 'b.png'), '--force'];
    },
    broken: ({ home }) => (existsSync(join(home, 'b.png')) ? wholeCopy(home) : []),
    wrong: ({ home }) => (existsSync(join(home, 'b.png')) ? wholeCopy(home) : ['there is no file']),
  },

  'offline data': {
    prepare: async ({ env, home }) => {
      const made = await edu(['--offline', 'whoami'], { env });
      expect(made.code, made.stderr).toBe(0);
      const { argv } = { argv: ['--offline', 'licenses', 'create', '--name', 'A', '--type', 'Teacher'] };
      return [...argv, '--maximum-activations', '1', '--count', '3', '--results', join(home, 'results.csv'), '--quiet'];
    },
    broken: async ({ env }) => {
      const count = await offlineCount(env);
      return count <= 253 && count >= 250 ? [] : [`there are ${count} licences`];
    },
    wrong: async ({ env }) => {
      const count = await offlineCount(env);
      return count === 253 ? [] : [`there are ${count} licences`];
    },
  },
};

const wholeCopy = (home: string): readonly string[] =>
  readFileSync(join(home, 'a.png')).equals(readFileSync(join(home, 'b.png'))) ? [] : ['the file is not whole'];

async function offlineCount(env: Place['env']): Promise<number> {
  const { stdout } = await edu(['--offline', 'licenses', 'list', '-o', 'ids'], { env });
  return stdout.split('\n').length - 1;
}

async function isLanguage(env: Place['env'], expected: string): Promise<readonly string[]> {
  const { stdout, stderr } = await edu(['config', 'get', 'language'], { env });
  return stdout.trim() === expected ? [] : [`the language is ${stdout}${stderr}`];
}

/** Incomplete files of an export under their final names: every file must end with a line of JSON. */
function incomplete(folder: string): readonly string[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(ndjson|plan)$/.test(name)) : [];
  return names.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    try {
      for (const line of text === '' ? [] : text.trimEnd().split('\n')) JSON.parse(line);
      return text === '' || text.endsWith('\n') ? [] : [`${name} is not whole`];
    } catch {
      return [`${name} is not whole`];
    }
  });
}

describe.each(Object.entries(DEEDS))('%s whose calls fail', (_, deed) => {
  test.each(Object.keys(WAYS) as Way[])('%s', async (way) => {
    const found = await broken(deed, way);
    expect(found, found.join('\n')).toEqual([]);
  });
});
