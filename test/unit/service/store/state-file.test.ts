import { execFile } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Licence } from '../../../../src/service/store/records.js';
import { loadSqlite } from '../../../../src/service/store/sqlite.js';
import { StateError } from '../../../../src/service/store/state-error.js';
import { type Store, stateFile } from '../../../../src/service/store/store.js';
import { close, folder, licence, numbered, open } from './open-store.js';

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

  it.each([
    ['UTF-8', 0xff],
    ['JSON', 0x22],
  ])('is damaged if a record is not %s', async (what, byte) => {
    const directory = folder();
    close(await open({ directory, fill: (store) => store.licences.insert({ ...licence('1'), name: 'Spoiled' }) }));
    const bytes = readFileSync(stateFile(directory));
    bytes[bytes.indexOf('Spoiled')] = byte;
    writeFileSync(stateFile(directory), bytes);
    const store = await open({ directory });
    expect(() => store.read(() => store.licences.all({}))).toThrow(
      `the offline data in ${stateFile(directory)} is damaged: a record is not ${what}`,
    );
    close(store);
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
