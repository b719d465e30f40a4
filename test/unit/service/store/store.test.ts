import { execFile } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Licence, User } from '../../../../src/service/store/records.js';
import { loadSqlite } from '../../../../src/service/store/sqlite.js';
import { StateError } from '../../../../src/service/store/state-error.js';
import { openStore, type Store, type StoreOptions, stateFile } from '../../../../src/service/store/store.js';

const stores: Store[] = [];
const folders: string[] = [];

const open = async (options: StoreOptions): Promise<Store> => {
  const store = await openStore(options);
  stores.push(store);
  return store;
};
const close = (store: Store): void => {
  stores.splice(stores.indexOf(store), 1);
  store.close();
};
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'edu-store-'));
  folders.push(made);
  return made;
};

afterEach(() => {
  for (const store of stores.splice(0)) store.close();
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
});

const licence = (id: string, more: Partial<Licence> = {}): Licence => ({
  id,
  name: `Licence ${id}`,
  code: `code${id}`,
  type: 'Books',
  bookIds: ['b1'],
  expiration: null,
  maximumActivations: 1,
  numberOfActivations: 0,
  ownerId: 'o1',
  creatorId: 'o1',
  categoryId: '01',
  cancelled: false,
  ...more,
});

const user = (id: string, email: string | null): User => ({
  id,
  kind: 'user',
  email,
  verified: true,
  firstName: 'A',
  lastName: 'B',
  language: 'EN',
  avatarUrl: null,
  organizationId: 'o1',
  creatorId: 'o1',
  roleIds: [],
  anonymized: false,
});

const numbered = (count: number, more: Partial<Licence> = {}): Licence[] =>
  Array.from({ length: count }, (_, index) => licence(String(index).padStart(5, '0'), more));

describe.each(['in memory', 'on disk'])('store %s', (where) => {
  const fresh = (): Promise<Store> => open(where === 'on disk' ? { directory: folder() } : { memory: true });

  it('returns records unchanged', async () => {
    const store = await fresh();
    const record = licence('007', { name: 'a\u0000b \ud800 \u202e "x" 😀 \u2028', bookIds: [] });
    store.write(() => store.licences.insert(record));
    expect(store.read(() => store.licences.get('007'))).toEqual(record);
    expect(store.read(() => store.licences.get('7'))).toBeUndefined();
    expect(store.read(() => store.licences.first({ code: 'code007' }))).toEqual(record);
  });

  it('finds text that is not well formed, and distinguishes it from similar text', async () => {
    const store = await fresh();
    const organization = { type: 'School', ownerId: null, country: null, city: null } as const;
    const names = ['lone \ud800', 'lone \udc00', 'nul \0 a', 'nul \0 b', 'nul ', 'lone \ufffd'];
    store.write(() =>
      store.organizations.insertMany(names.map((name, at) => ({ id: String(at), name, ...organization }))),
    );
    for (const [at, name] of names.entries()) {
      expect(store.read(() => store.organizations.first({ type: 'School', name }))?.id, JSON.stringify(name)).toBe(
        String(at),
      );
    }
  });

  it('pages in the order of insertion', async () => {
    const store = await fresh();
    const mixed = numbered(25).map((one, index) => ({ ...one, creatorId: index % 5 === 0 ? 'other' : 'o1' }));
    store.write(() => store.licences.insertMany(mixed.reverse()));
    const seen: string[] = [];
    let after: number | undefined = 0;
    let pages = 0;
    while (after !== undefined) {
      const from: number = after;
      const page = store.read(() => store.licences.page({ creatorId: 'o1', type: 'Books' }, from, 7));
      seen.push(...page.items.map(({ id }) => id));
      after = page.next;
      pages++;
    }
    expect(seen).toEqual(mixed.filter(({ creatorId }) => creatorId === 'o1').map(({ id }) => id));
    expect(pages).toBe(3);
  });

  it('reports no next page when a page ends exactly at the end', async () => {
    const store = await fresh();
    store.write(() => store.licences.insertMany(numbered(4)));
    expect(store.read(() => store.licences.page({}, 0, 4)).next).toBeUndefined();
    expect(store.read(() => store.licences.page({}, 0, 3)).next).toBe(3);
    expect(store.read(() => store.licences.page({ creatorId: 'nobody' }, 0, 3))).toEqual({
      items: [],
      next: undefined,
    });
  });

  it('enforces uniqueness, ignoring the case of e-mail addresses', async () => {
    const store = await fresh();
    store.write(() => store.licences.insert(licence('1')));
    expect(() => store.write(() => store.licences.insert(licence('1', { code: 'x' })))).toThrow(/UNIQUE/);
    expect(() => store.write(() => store.licences.insert(licence('2', { code: 'code1' })))).toThrow(/UNIQUE/);
    store.write(() => store.users.insertMany([user('u1', 'A@x.org'), user('u2', null), user('u3', null)]));
    expect(store.read(() => store.users.first({ email: 'a@X.ORG' }))?.id).toBe('u1');
    expect(() => store.write(() => store.users.insert(user('u4', 'a@x.org')))).toThrow(/UNIQUE/);
  });

  it('applies all of a write or nothing', async () => {
    const store = await fresh();
    store.write(() => store.licences.insert(licence('1')));
    expect(() =>
      store.write(() => {
        store.licences.update(licence('1', { name: 'changed' }));
        store.licences.insert(licence('2', { bookIds: ['b2'] }));
        throw new Error('changed my mind');
      }),
    ).toThrow('changed my mind');
    expect(store.read(() => store.licences.get('1'))?.name).toBe('Licence 1');
    expect(store.read(() => store.licences.count({}))).toBe(1);
    expect(store.read(() => store.licencesOfBook('b2', 'o1', 0, 9)).items).toEqual([]);
    store.write(() => store.licences.insert(licence('3')));
    expect(store.read(() => store.licences.count({}))).toBe(2);
  });

  it('keeps the licences of a book up to date through every change', async () => {
    const store = await fresh();
    const ofBook = (book: string, owner = 'o1') =>
      store.read(() => store.licencesOfBook(book, owner, 0, 10).items.map(({ id }) => id));
    store.write(() => {
      store.licences.insertMany([licence('1', { bookIds: ['b1', 'b2'] }), licence('2', { ownerId: 'o2' })]);
      store.licences.insert(licence('3', { bookIds: ['b2', 'b1'] }));
    });
    expect([ofBook('b1'), ofBook('b2'), ofBook('b1', 'o2'), ofBook('b9')]).toEqual([['1', '3'], ['1', '3'], ['2'], []]);
    store.write(() => store.licences.update(licence('1', { bookIds: ['b9'] })));
    expect([ofBook('b1'), ofBook('b2'), ofBook('b9')]).toEqual([['3'], ['3'], ['1']]);
    store.write(() => store.licences.remove('3'));
    expect([ofBook('b1'), ofBook('b2')]).toEqual([[], []]);
    const page = store.read(() => store.licencesOfBook('b9', 'o1', 0, 1));
    expect([page.items.length, page.next]).toEqual([1, undefined]);
  });

  it('counts removals by collection, and only when something was removed', async () => {
    const store = await fresh();
    store.write(() => {
      store.licences.insertMany(numbered(3));
      store.users.insert(user('u1', null));
    });
    expect(store.read(() => store.removals('licences'))).toBe(0);
    store.write(() => store.licences.remove('00001'));
    store.write(() => store.classMembers.removeAll({ classId: 'none' }));
    expect(
      store.read(() => [store.removals('licences'), store.removals('users'), store.removals('classMembers')]),
    ).toEqual([1, 0, 0]);
  });

  it('looks up many at once', async () => {
    const store = await fresh();
    store.write(() => store.licences.insertMany(numbered(2500)));
    expect(store.read(() => store.licences.count({ type: 'Books' }))).toBe(2500);
    const found = store.read(() => store.licences.many(['02499', 'none', '00000', '00000']));
    expect([...found.keys()].sort()).toEqual(['00000', '02499']);
    expect(store.read(() => store.licences.many([])).size).toBe(0);
    expect(store.read(() => store.licences.allIn('code', ['code01234', 'code00002'])).map(({ id }) => id)).toEqual([
      '00002',
      '01234',
    ]);
  });

  it('is filled again, and restored from a copy', async () => {
    const store = await fresh();
    const copy = join(folder(), 'copy.db');
    store.write(() => {
      store.setSetting('secret', 's');
      store.licences.insertMany(numbered(3));
    });
    store.copyTo(copy);
    store.refill((it) => it.licences.insert(licence('new', { bookIds: ['b7'] })));
    expect(store.read(() => store.licences.all({}).map(({ id }) => id))).toEqual(['new']);
    expect(store.read(() => store.licencesOfBook('b1', 'o1', 0, 9).items)).toEqual([]);
    const removals = store.read(() => store.removals('licences'));
    expect(removals).toBeGreaterThan(0);
    store.restoreFrom(copy);
    expect(store.read(() => store.licences.all({}).map(({ id }) => id))).toEqual(['00000', '00001', '00002']);
    expect(store.read(() => store.licencesOfBook('b1', 'o1', 0, 9).items)).toHaveLength(3);
    expect(store.read(() => store.removals('licences'))).toBeGreaterThan(removals);
    expect(store.read(() => store.setting('secret'))).toBe('s');
  });
});

describe('a state on disk', () => {
  it('is filled once, by the first process that opens it', async () => {
    const directory = folder();
    let fills = 0;
    const fill = (store: Store): void => {
      fills++;
      store.licences.insert(licence('1'));
    };
    close(await open({ directory, fill }));
    const again = await open({ directory, fill });
    expect(fills).toBe(1);
    expect(again.read(() => again.licences.count({}))).toBe(1);
  });

  it('does not exist if filling fails', async () => {
    const directory = folder();
    const fill = (): never => {
      throw new Error('no samples');
    };
    await expect(open({ directory, fill })).rejects.toThrow('no samples');
    const store = await open({ directory, fill: (it) => it.licences.insert(licence('1')) });
    expect(store.read(() => store.licences.count({}))).toBe(1);
  });

  it('is readable only by its owner', async () => {
    const directory = join(folder(), 'deep', 'state');
    await open({ directory });
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it('is shared between processes without lost writes', async () => {
    const directory = folder();
    const one = await open({ directory });
    const other = await open({ directory });
    one.write(() => one.licences.insert(licence('1')));
    expect(other.read(() => other.licences.get('1'))?.id).toBe('1');
    for (let round = 0; round < 50; round++) {
      for (const store of [one, other]) {
        store.write(() => {
          const found = store.licences.get('1') as Licence;
          store.licences.update({ ...found, numberOfActivations: found.numberOfActivations + 1 });
        });
      }
    }
    expect(one.read(() => one.licences.get('1'))?.numberOfActivations).toBe(100);
    one.write(() => one.licences.insert(licence('2')));
    expect(other.read(() => other.licences.get('2'))?.id).toBe('2');
  });

  it('reads from one snapshot while another process writes', async () => {
    const directory = folder();
    const [one, other] = [await open({ directory }), await open({ directory })];
    one.read(() => {
      expect(one.licences.count({})).toBe(0);
      other.write(() => other.licences.insert(licence('1')));
      expect(one.licences.count({})).toBe(0);
    });
    expect(one.read(() => one.licences.count({}))).toBe(1);
  });

  it('keeps what another process wrote before it was killed', async () => {
    const directory = folder();
    close(await open({ directory }));
    // The child writes through the driver only, and is killed in the middle of its next transaction.
    const script = `
      const file = ${JSON.stringify(stateFile(directory))};
      const { major } = { major: Number(process.versions.node.split('.')[0]) };
      const db = major >= 23 ? new (require('node:sqlite').DatabaseSync)(file) : new (require('libsql'))(file);
      db.exec("INSERT INTO licences (doc) VALUES ('" + JSON.stringify({ id: 'kept', code: 'kept', bookIds: [] }) + "')");
      db.exec('BEGIN IMMEDIATE');
      db.exec("INSERT INTO licences (doc) VALUES ('" + JSON.stringify({ id: 'lost', code: 'lost', bookIds: [] }) + "')");
      process.kill(process.pid, 'SIGKILL');`;
    await new Promise<void>((resolve) => {
      execFile(process.execPath, ['-e', script], { cwd: process.cwd() }, (error) => {
        expect(error?.signal).toBe('SIGKILL');
        resolve();
      });
    });
    const store = await open({ directory });
    expect(store.read(() => store.licences.all({}).map(({ id }) => id))).toEqual(['kept']);
  });

  const expectStateError = async (directory: string, ...parts: readonly string[]): Promise<void> => {
    const error = await open({ directory }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StateError);
    const { message, hint } = error as StateError;
    for (const part of [stateFile(directory), ...parts]) expect(`${message} ${hint}`).toContain(part);
  };

  it('is refused by name if it is of another version, and left unchanged', async () => {
    const directory = folder();
    close(await open({ directory }));
    const database = (await loadSqlite())(stateFile(directory));
    database.exec('PRAGMA user_version = 999');
    database.close();
    const bytes = readFileSync(stateFile(directory));
    await expectStateError(directory, 'version 999', 'edu offline reset');
    expect(readFileSync(stateFile(directory)).equals(bytes)).toBe(true);
  });

  it('is refused if it is no database, and left unchanged', async () => {
    const directory = folder();
    const file = stateFile(directory);
    writeFileSync(file, 'This is a letter, and not a database at all.\n'.repeat(100));
    await expectStateError(directory, 'damaged', 'edu offline reset');
    expect(readFileSync(file, 'utf8')).toMatch(/^This is a letter/);
  });

  it('is refused if it is the database of another program', async () => {
    const directory = folder();
    const database = (await loadSqlite())(stateFile(directory));
    database.exec('CREATE TABLE theirs (x)');
    database.close();
    await expectStateError(directory, 'not one with offline data of edu', 'edu offline reset');
  });

  /** A state with all its data in the one file. */
  const settled = async (directory: string): Promise<string> => {
    const file = stateFile(directory);
    close(await open({ directory, fill: (store) => store.licences.insertMany(numbered(5000)) }));
    const database = (await loadSqlite())(file);
    database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    database.close();
    return file;
  };

  /** The outcome of opening the state and reading all of it. */
  const damageMet = async (directory: string): Promise<unknown> => {
    try {
      const store = await open({ directory });
      return store.read(() => store.licences.all({}));
    } catch (error) {
      return error;
    }
  };

  it('is reported as damaged if it was truncated or overwritten', async () => {
    const directory = folder();
    const file = await settled(directory);
    const { size } = statSync(file);
    truncateSync(file, size - Math.floor(size / 2 / 4096) * 4096);
    const met = await damageMet(directory);
    expect(met).toBeInstanceOf(StateError);
    expect((met as StateError).message).toContain(file);
    expect((met as StateError).hint).toContain('edu offline reset');
  });

  it('is reported as damaged if a page is garbled', async () => {
    const directory = folder();
    const file = await settled(directory);
    const handle = openSync(file, 'r+');
    for (let page = 30; page < 120; page++) writeSync(handle, Buffer.alloc(4096, 0xaa), 0, 4096, page * 4096);
    closeSync(handle);
    expect(await damageMet(directory)).toBeInstanceOf(StateError);
  });

  it('is refused with the reason if its path is unusable', async () => {
    const directory = folder();
    writeFileSync(join(directory, 'file'), '');
    await expect(open({ directory: join(directory, 'file', 'state') })).rejects.toThrow(StateError);
  });
});

describe('blobs', () => {
  it('of a store in memory are removed with it', async () => {
    const store = await open({ memory: true });
    store.blobs.put('b1', Buffer.from('bytes'));
    const path = store.blobs.path('b1');
    expect(readFileSync(path, 'utf8')).toBe('bytes');
    close(store);
    expect(existsSync(path)).toBe(false);
  });

  it('are kept with a state on disk, and their names cannot lead elsewhere', async () => {
    const directory = folder();
    const store = await open({ directory });
    store.blobs.put('b1', Buffer.from('bytes'));
    close(store);
    expect(readFileSync(join(directory, 'files', 'b1'), 'utf8')).toBe('bytes');
    expect(() => store.blobs.path('../service.db')).toThrow('../service.db');
  });
});
