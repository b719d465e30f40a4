import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RESOURCES } from '../../src/export/collect/resources.js';
import { home, run, temporaryFolder } from '../support/run.js';
import { type Item, linesIn, type Strange, strangeService } from './strange-service.js';

/** The manifest without the members that only describe the run. */
function filesIn(folder: string): Readonly<Record<string, unknown>> {
  const { resources } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  return Object.fromEntries(RESOURCES.map((name) => [name, resources[name]?.sha256]));
}

const own = { id: 'd1', type: 'Distributor' };
const member = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as Item;

/** One item of each kind that can be written, with null wherever possible, and with unknown members. */
const ODD: Strange = {
  account: { id: 'acc', email: null, firstName: null, roles: [{ id: 'r1', name: null }], permissions: null, ...member },
  lists: new Map<string, readonly Item[]>([
    ['/v1/schools', [{ id: 's1', name: null, country: null, city: null, roles: null, ...member }]],
    [
      '/v1/roles?organization=d1',
      [{ id: 'r1', name: null, permissions: [{ resource: 'Wine', operation: 'Drink' }, 7] }],
    ],
    [
      '/v1/users?organization=d1',
      [
        { id: 'u1', email: 'a@b.example', firstName: null, lastName: null, language: 'SV', roles: null, phone: '1' },
        {
          id: 'u2',
          email: null,
          firstName: 'B',
          lastName: 'C',
          language: null,
          organization: own,
          roles: [],
          phone: '2',
        },
      ],
    ],
    [
      '/v1/books?organization=d1',
      [
        {
          id: 'b1',
          ean: null,
          title: null,
          year: null,
          level: null,
          series: null,
          subject: { id: 'sub1', translatedName: 'Mathe' },
          secondSubject: { id: 'sub2', translatedName: null },
          organization: own,
          coverUrl: null,
          pdfUrl: null,
          type: { name: 'Scroll', translatedName: null },
          active: true,
          settings: null,
          shelf: { row: 1 },
        },
      ],
    ],
    ['/v1/books/subjects', [{ id: 'sub1', translatedName: null, ...member }]],
    ['/v1/books/types', [{ type: 'Magazine', translatedName: 'Heft' }]],
    [
      '/v1/schools/s1/classes',
      [{ classId: 'c1', className: null, classCode: null, subjectId: null, usersInClass: [], schoolId: 's1', room: 7 }],
    ],
    [
      '/v1/licenses?type=BOOKS',
      [
        {
          id: 'l1',
          name: null,
          code: 'code1',
          type: 'Books',
          books: [{ id: 'b1', ean: null, title: 'An earlier title', pages: 9 }],
          expiration: null,
          maximumActivations: null,
          numberOfActivations: null,
          organization: null,
          licenseCategory: 'Gold',
          endUsers: [{ id: 'u1', email: 'a@b.example', firstName: null, lastName: null, phone: '1' }],
          ...member,
        },
        { id: 'l2', name: 'Blank', code: null, type: null, books: null, endUsers: null, organization: own },
      ],
    ],
    [
      '/v1/subscriptions',
      [{ id: 'x1', code: null, maximumActivations: null, expirationDate: null, organization: own }],
    ],
  ]),
  activations: new Map([['l1', [{ creationDate: '03.02.2026', expirationDate: null, user: 'u1', device: 'iPad' }]]]),
};

it('shows what each write changed, and keeps the rest', async () => {
  const service = await strangeService();
  service.hold(ODD);
  const env = { ...home(), EDU_OFFLINE: '1' };
  const [a, b] = [temporaryFolder(), temporaryFolder()];
  const exported = async (to: string, of: Readonly<Record<string, string>>): Promise<void> => {
    expect(await run(['export', '--to', to, '--with', 'activations'], { env: of })).toMatchObject({
      code: 0,
    });
  };
  await exported(a, service.env);
  expect(await run(['offline', 'import', a], { env })).toMatchObject({ code: 0 });
  await exported(b, env);
  expect(linesIn(b)).toBe(linesIn(a));
  expect(({} as Item).polluted).toBeUndefined();

  let last = b;
  /** The differences that a command line causes, as `resource key path: before → after`. */
  const changesBy = async (line: string): Promise<string[]> => {
    const [before, after] = [last, temporaryFolder()];
    last = after;
    const ran = await run([...line.split(' '), '--quiet'], {
      env,
      randomBytes,
      now: () => Date.parse('2026-03-04T05:06:07Z'),
    });
    expect({ line, ...ran }).toMatchObject({ line, code: 0, stderr: '' });
    await exported(after, env);
    const { stdout } = await run(['diff', before, after, '--json']);
    const found = JSON.parse(stdout) as {
      resource: string;
      key: string;
      change: string;
      fields: { path: string; before?: unknown; after?: unknown }[];
    }[];
    return found.flatMap(({ resource, key, change, fields }) => {
      const changed = fields.map((one) => {
        const [was, is] = [JSON.stringify(one.before), JSON.stringify(one.after)];
        return `${resource} ${key} ${one.path}: ${was} → ${is}`;
      });
      return change === 'changed' ? changed : [`${resource} ${key}: ${change}`];
    });
  };
  expect(
    await changesBy('licenses update l1 --name New --maximum-activations 5 --days 30 --reset-license-category'),
  ).toEqual([
    'licenses l1 name: null → "New"',
    'licenses l1 expiration: null → {"type":"Days","days":30,"date":null}',
    'licenses l1 maximumActivations: null → 5',
    'licenses l1 licenseCategory: "Gold" → "01"',
  ]);
  expect(await changesBy('licenses assign l1 u2')).toEqual([
    'licenses l1 numberOfActivations: null → 2',
    'licenses l1 endUsers[u1].phone: "1" → null',
    'licenses l1 endUsers[u1].language: null → "EN"',
    'licenses l1 endUsers[u2]: null → {"id":"u2","email":null,"firstName":"B","lastName":"C","language":"EN"}',
    'activations l1 2026-03-04 05:06:07 u2: added',
  ]);
  expect(await changesBy('users anonymize u2 --yes')).toEqual([
    'users u2 email: null → "u2@anonymized.invalid"',
    'users u2 firstName: "B" → "Anonymous"',
    'users u2 lastName: "C" → "Anonymous"',
    'users u2 language: null → "EN"',
    'users u2 phone: "2" → null',
    'users u2 avatarUrl: null → null',
    'licenses l1 endUsers[u2].email: null → "u2@anonymized.invalid"',
    'licenses l1 endUsers[u2].firstName: "B" → "Anonymous"',
    'licenses l1 endUsers[u2].lastName: "C" → "Anonymous"',
  ]);
  expect(await changesBy('classes assign c1 u1')).toEqual(['classes c1 usersInClass[u1]: null → "u1"']);
  expect(await changesBy('classes delete c1 --yes')).toEqual([
    'classes c1 usersInClass[u1]: "u1" → null',
    'classes c1 deactivationDate: null → "2026-03-04T05:06:07.000"',
  ]);
});

it('can be the --seed of offline reset, like a JSON file', async () => {
  const env = { ...home(), EDU_OFFLINE: '1' };
  const [a, b] = ['a', 'b'].map((name) => join(temporaryFolder(), name)) as [string, string];
  await run(['licenses', 'delete', '00000006', '--yes'], { env });
  expect(await run(['export', '--to', a], { env })).toMatchObject({ code: 0 });
  expect(await run(['offline', 'reset'], { env })).toMatchObject({ code: 0 });
  expect(await run(['licenses', 'get', '00000006', '-o', 'ids'], { env })).toMatchObject({ code: 0 });

  expect(await run(['offline', 'reset', '--seed', a], { env })).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await run(['export', '--to', b], { env })).toMatchObject({ code: 0 });
  expect(filesIn(b)).toEqual(filesIn(a));

  const file = join(temporaryFolder(), 'data.json');
  const licence = {
    id: 'x1',
    name: 'Only',
    code: 'only1',
    type: 'Teacher',
    books: [],
    endUsers: [],
    organization: own,
  };
  writeFileSync(file, JSON.stringify({ organization: own, account: { id: 'u1' }, licenses: [licence] }));
  expect(await run(['offline', 'reset', '--seed', file], { env })).toMatchObject({ code: 0 });
  expect((await run(['licenses', 'list', '-o', 'ids'], { env })).stdout).toBe('x1\n');
});

it.each([
  ['nothing', 'Seed "nothing" cannot be used.'],
  ['./nothing', 'Cannot load ./nothing: there is no such file or folder.'],
  [
    'test/support/no-account.json',
    'Cannot load test/support/no-account.json: there is neither the account nor a user of d1',
  ],
  ['package.json', 'Cannot load package.json: it does not name the organization that it is about'],
])('is refused as the seed %s, and the data is unchanged', async (seed, message) => {
  const env = { ...home(), EDU_OFFLINE: '1' };
  await run(['licenses', 'delete', '00000006', '--yes'], { env });
  const { code, stderr } = await run(['offline', 'reset', '--seed', seed], { env });
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(await run(['licenses', 'get', '00000006'], { env })).toMatchObject({ code: 5 });
});

it('gives activations that an export only counts the end that the licence sets', async () => {
  const service = await strangeService();
  const endUsers = [{ id: 'e1', email: 'a@b.example', firstName: 'A', lastName: 'B', language: 'DE' }];
  const licence = (id: string, type: string, expiration: unknown) => {
    return { id, code: `${id}x`, type, expiration, numberOfActivations: 1, maximumActivations: 2, endUsers };
  };
  const lists = new Map([
    [
      '/v1/licenses?type=BOOKS',
      [
        licence('days', 'Books', { type: 'Days', days: 30, date: null }),
        licence('date', 'Books', { type: 'Date', days: null, date: '2027-08-31' }),
      ],
    ],
    ['/v1/licenses?type=TEACHER', [licence('teacher', 'Teacher', { type: 'Days', days: 30, date: null })]],
  ]);
  service.hold({ account: { id: 'acc' }, lists, activations: new Map() });
  const to = temporaryFolder();
  expect((await run(['export', '--to', to], { env: service.env })).code).toBe(0);
  const options = { env: { ...home(), EDU_OFFLINE: '1' }, now: () => Date.parse('2026-03-04T05:06:07Z') };
  expect((await run(['offline', 'import', to], options)).code).toBe(0);
  for (const [id, end] of [
    ['days', '2026-04-03 05:06:07'],
    ['date', '2027-08-31 23:59:59'],
    ['teacher', '9999-12-31 23:59:59'],
  ] as const) {
    const { stdout } = await run(['licenses', 'activations', id, '--json', '--query', '[].expirationDate'], options);
    expect([id, JSON.parse(stdout)]).toEqual([id, [end]]);
  }
});
