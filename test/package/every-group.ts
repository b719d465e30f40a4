/**
 * A read and a write of every command group on the sample data, for any installation of the program, given as a
 * function from words to its output.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface World {
  /** Runs the program with EDU_OFFLINE=1 in `folder`, to its end. */
  readonly edu: (argv: readonly string[], input?: string) => Promise<Ran>;
  /** The current folder, empty at first. */
  readonly folder: string;
}

const PDF = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';

/** Stdout of a command that must succeed. */
async function ok({ edu }: World, argv: readonly string[], input?: string): Promise<string> {
  const ran = await edu(argv, input);
  expect({ argv, code: ran.code, stderr: ran.code === 0 ? '' : ran.stderr }).toEqual({ argv, code: 0, stderr: '' });
  return ran.stdout;
}

const json = async <T>(world: World, argv: readonly string[]): Promise<T> =>
  JSON.parse(await ok(world, [...argv, '--json'])) as T;

type Named = Readonly<Record<string, unknown>>;

/** Creates an item with `create`, then finds it with `get` by the printed ID. */
async function made(world: World, group: string, create: readonly string[], shows: Named): Promise<string> {
  const id = (await ok(world, [group, 'create', ...create, '-o', 'ids'])).trim();
  expect(await json(world, [group, 'get', id])).toMatchObject({ id, ...shows });
  return id;
}

const listed = async (world: World, argv: readonly string[]): Promise<readonly Named[]> => {
  const list = await json<readonly Named[]>(world, argv);
  expect(list.length).toBeGreaterThan(0);
  return list;
};

function pdf({ folder }: World): string {
  const file = join(folder, 'fractions.pdf');
  writeFileSync(file, PDF);
  return file;
}

const PERSON = ['--first-name', 'Mia', '--last-name', 'Brandt'];
const MATERIAL = ['--title', 'Fractions', '--subject', '0001', '--content-language', 'DE'];

/** Top-level commands → what is tested of each. */
export const EVERY_GROUP: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  async account(world) {
    expect(await json(world, ['account', 'show'])).toMatchObject({ id: 'u1', email: 'distributor@example.org' });
  },
  async version(world) {
    expect(await ok(world, ['version'])).toMatch(/^\d+\.\d+\.\d+\n$/);
  },

  async whoami(world) {
    expect(await ok(world, ['whoami', '--query', 'organization.type', '-o', 'json'])).toBe('"Distributor"\n');
  },
  async books(world) {
    await listed(world, ['books', 'list']);
    expect(await listed(world, ['books', 'subjects'])).toContainEqual(expect.objectContaining({ id: '0001' }));
    const book = ['--ean', '9783000000017', '--year', '7', '--level', '1', '--type', 'Coursebook'];
    const created = [...book, ...MATERIAL, '--layout-type', 'PAGES', '--pdf', pdf(world)];
    await made(world, 'books', created, { title: 'Fractions', ean: '9783000000017' });
  },
  async readers(world) {
    await listed(world, ['readers', 'list']);
    await made(world, 'readers', [...MATERIAL, '--pdf', pdf(world)], {
      title: 'Fractions',
    });
  },
  async files(world) {
    const id = (await ok(world, ['files', 'upload', pdf(world), '-o', 'ids'])).trim();
    await ok(world, ['files', 'download', id, '--to', join(world.folder, 'back.pdf')]);
    expect(readFileSync(join(world.folder, 'back.pdf'), 'utf8')).toBe(PDF);
  },
  async licenses(world) {
    expect((await listed(world, ['licenses', 'list', '--type', 'BOOKS'])).length).toBeGreaterThan(100);
    const licence = ['--name', 'Autumn', '--type', 'Teacher', '--maximum-activations', '5', '--code', 'autumn9'];
    const id = await made(world, 'licenses', licence, { code: 'autumn9', maximumActivations: 5 });
    expect((await world.edu(['licenses', 'delete', id])).code).toBe(2);
    await ok(world, ['licenses', 'delete', id, '--yes']);
    expect((await world.edu(['licenses', 'get', 'code:autumn9'])).code).toBe(5);
  },
  async subscriptions(world) {
    await listed(world, ['subscriptions', 'list']);
    const until = `${new Date().getFullYear() + 2}-07-31`;
    await made(world, 'subscriptions', ['--maximum-activations', '5', '--expiration-date', until], {
      maximumActivations: 5,
    });
  },
  async classes(world) {
    await listed(world, ['classes', 'list', '--school', 's1']);
    const create = ['classes', 'create', '--name', '7x', '--school-id', 's1', '--subject-id', '0001', '-o', 'ids'];
    const id = (await ok(world, create)).trim();
    expect(await json(world, ['classes', 'get', id])).toMatchObject({ className: '7x' });
  },
  async schools(world) {
    await listed(world, ['schools', 'list']);
    const city = { name: 'Lyceum North', city: 'Utrecht' };
    await made(world, 'schools', ['--name', city.name, '--country', 'NL', '--city', city.city], city);
  },
  async publishers(world) {
    await listed(world, ['publishers', 'list']);
    await made(world, 'publishers', ['--name', 'Meridian Press'], { name: 'Meridian Press' });
  },
  async users(world) {
    await listed(world, ['users', 'list']);
    const user = ['--email', 'mia@example.org', '--role', 's1-teacher'];
    const at = ['--organization', 's1', '--organization-type', 'School'];
    await made(world, 'users', [...PERSON, ...user, ...at], { email: 'mia@example.org' });
  },
  async 'end-users'(world) {
    const created = await json<Named>(world, ['end-users', 'create', ...PERSON, '--email', 'mia@example.org']);
    expect(created).toMatchObject({ firstName: 'Mia', lastName: 'Brandt' });
    await ok(world, ['end-users', 'update', String(created.id), '--first-name', 'Maja', '--last-name', 'Brandt']);
  },
  async roles(world) {
    expect(await listed(world, ['roles', 'list'])).toContainEqual(expect.objectContaining({ name: 'Administrator' }));
  },
  async api(world) {
    expect(JSON.parse(await ok(world, ['api', '/v1/account']))).toMatchObject({ id: 'u1' });
    const school = ['-f', 'name=Lyceum East', '-f', 'country=NL', '-f', 'city=Zwolle'];
    expect(JSON.parse(await ok(world, ['api', '/v1/schools', ...school]))).toMatchObject({ name: 'Lyceum East' });
  },
  async jobs(world) {
    const rows = Array.from({ length: 40 }, (_, index) => `Class ${index},Teacher,3`).join('\n');
    const create = ['licenses', 'create', '--from', '-', '--results', 'results.csv'];
    await ok(world, create, `name,type,maximum-activations\n${rows}\n`);
    const results = readFileSync(join(world.folder, 'results.csv'), 'utf8').trimEnd().split('\n');
    expect(results).toHaveLength(41);
    const [job] = await listed(world, ['jobs', 'list']);
    await ok(world, ['jobs', 'remove', String(job?.id), '--yes']);
    expect(await json(world, ['jobs', 'list'])).toEqual([]);
  },
  async export(world) {
    await ok(world, ['export', '--to', 'monday']);
    const manifest = JSON.parse(readFileSync(join(world.folder, 'monday', 'manifest.json'), 'utf8')) as unknown;
    expect(manifest).toBeTypeOf('object');
    expect(readdirSync(join(world.folder, 'monday')).filter((name) => name.endsWith('.ndjson')).length).toBeGreaterThan(
      5,
    );
  },
  async diff(world) {
    await ok(world, ['export', 'schools', '--to', 'monday']);
    await ok(world, ['schools', 'create', '--name', 'New', '--country', 'NL', '--city', 'Delft']);
    await ok(world, ['export', 'schools', '--to', 'tuesday']);
    expect(await ok(world, ['diff', 'monday', 'monday'])).toBe('No differences.\n');
    const changed = await world.edu(['diff', 'monday', 'tuesday']);
    expect(changed).toMatchObject({ code: 1, stdout: expect.stringContaining('1 added') });
  },
  async plan(world) {
    await ok(world, ['export', '--as-plan', '--to', 'want']);
    expect(await ok(world, ['plan', 'want'])).toMatch(/^Nothing to do/);
  },
  async apply(world) {
    expect((await world.edu(['apply', 'missing.plan'])).code).toBe(2);
  },
  async roster(world) {
    expect((await world.edu(['roster', 'check', 'missing'])).code).toBe(2);
  },
  async undo(world) {
    expect((await world.edu(['undo', 'missing.receipt'])).code).toBe(2);
  },
  async offline(world) {
    expect(await json(world, ['offline', 'info'])).toBeTypeOf('object');
    await ok(world, ['schools', 'create', '--name', 'New', '--country', 'NL', '--city', 'Delft']);
    await ok(world, ['offline', 'reset', '--yes']);
    expect(await ok(world, ['schools', 'list'])).not.toContain('Delft');
  },
  async auth(world) {
    expect((await world.edu(['auth', 'login'])).code).toBe(2);
    expect(await json(world, ['auth', 'status'])).toBeTypeOf('object');
  },
  async login(world) {
    expect((await world.edu(['login'])).code).toBe(2);
  },
  async logout(world) {
    // With EDU_OFFLINE=1 nobody is logged in; `overTheNetwork` tests login and logout.
    expect(await world.edu(['logout'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--offline') });
  },
  async config(world) {
    await ok(world, ['config', 'set', 'language', 'NL']);
    expect(await ok(world, ['config', 'get', 'language'])).toBe('NL\n');
  },
  async profiles(world) {
    await ok(world, ['config', 'set', 'language', 'NL', '--profile', 'acceptance']);
    expect(await ok(world, ['profiles', 'list'])).toContain('acceptance');
    await ok(world, ['profiles', 'remove', 'acceptance', '--yes']);
    expect(await ok(world, ['profiles', 'list'])).not.toContain('acceptance');
  },
  async alias(world) {
    await ok(world, ['alias', 'set', 'ours', 'users list --limit 1']);
    expect(await ok(world, ['ours'])).toBe(await ok(world, ['users', 'list', '--limit', '1']));
    await ok(world, ['alias', 'remove', 'ours']);
  },
  async doctor(world) {
    expect(await ok(world, ['doctor'])).toContain('edu');
  },
  async mcp(world) {
    expect(await ok(world, ['mcp', 'log'])).toBe('');
  },
  async completion(world) {
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      expect(await ok(world, ['completion', shell])).toContain('__complete');
    }
    expect(await ok(world, ['__complete', 'licenses', 'cre'])).toContain('create');
  },
  async help(world) {
    for (const topic of ['environment', 'formatting', 'exit-codes', 'bulk', 'offline'])
      await ok(world, ['help', topic]);
    expect(await ok(world, ['licenses', 'create', '--help'])).toContain('--maximum-activations');
  },
};

/** The address that the browser was given, if any. */
function opened({ folder }: World): string {
  const file = join(folder, '..', 'opened');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/**
 * Logs in to a local service, sends a read and a file, opens an editor, logs out.
 * @param world without EDU_OFFLINE
 */
export async function overTheNetwork(world: World, baseUrl: string): Promise<void> {
  await ok(world, ['login', '--with-token', '--base-url', baseUrl], 'edu-offline-distributor\n');
  expect(await json(world, ['whoami'])).toMatchObject({ id: 'u1' });
  expect((await listed(world, ['licenses', 'list', '--page-size', '50'])).length).toBeGreaterThan(100);
  await ok(world, ['files', 'upload', pdf(world)]);
  await ok(world, ['books', 'edit', 'B1']);
  await expect.poll(() => opened(world), { timeout: 20_000 }).toMatch(new RegExp(`^${baseUrl}/.*B1`));
  await ok(world, ['logout']);
  expect((await world.edu(['whoami'])).code).toBe(4);
}

/** The program in a new folder in `parent`. */
export function world(
  parent: string,
  run: (argv: readonly string[], cwd: string, input?: string) => Promise<Ran>,
): World {
  const folder = join(parent, 'work');
  mkdirSync(folder, { recursive: true });
  return { folder, edu: (argv, input) => run(argv, folder, input) };
}
