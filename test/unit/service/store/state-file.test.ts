import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSqlite } from '../../../../src/service/store/sqlite.js';
import { StateError, unreachableState } from '../../../../src/service/store/state-error.js';
import { stateFile } from '../../../../src/service/store/store.js';
import { close, folder, licence, open } from './open-store.js';

describe('a state on disk', () => {
  it('does not exist if filling fails', async () => {
    const directory = folder();
    const fill = (): never => {
      throw new Error('no samples');
    };
    await expect(open({ directory, fill })).rejects.toThrow('no samples');
    const store = await open({ directory, fill: (it) => it.licences.insert(licence('1')) });
    expect(store.read(() => store.licences.count({}))).toBe(1);
  });

  const expectStateError = async (directory: string, ...parts: readonly string[]): Promise<void> => {
    const error = await open({ directory }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StateError);
    // `edu offline reset` may replace it.
    expect(error).toHaveProperty('replaceable', true);
    const { message, hint } = error as StateError;
    for (const part of [stateFile(directory), ...parts]) expect(`${message} ${hint}`).toContain(part);
  };

  it.each([
    ['ENOSPC', 'Make room on the disk'],
    ['EACCES', 'Check that you may read and write this file'],
  ])('has a hint for %s', (code, hint) => {
    const cause = Object.assign(new Error(code), { code });
    expect(unreachableState('f', cause)).toMatchObject({ hint: expect.stringContaining(hint), cause });
  });

  it('is refused by name if it is of another version, and left unchanged', async () => {
    const directory = folder();
    close(await open({ directory }));
    const database = (await loadSqlite())(stateFile(directory));
    database.exec('PRAGMA user_version = 999');
    database.close();
    const bytes = readFileSync(stateFile(directory));
    await expectStateError(directory, 'version 999', 'Use the newer edu that wrote it. Or: ');
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

  it('is refused if it is the database of another program', async () => {
    const directory = folder();
    const database = (await loadSqlite())(stateFile(directory));
    database.exec('CREATE TABLE theirs (x)');
    database.close();
    await expectStateError(directory, 'not one with offline data of edu', 'edu offline reset');
  });
});

describe('blobs', () => {
  it('of a store in memory are removed with it', async () => {
    const store = await open({});
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
