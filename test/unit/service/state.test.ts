import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readBytes } from '../../../src/core/http.js';
import { personaToken } from '../../../src/service/personas.js';
import { offlineInfo, openOfflineService, openState, resetOffline } from '../../../src/service/state.js';
import { StateError } from '../../../src/service/store/state-error.js';
import { openStore, type Store, stateFile } from '../../../src/service/store/store.js';
import { temporaryFolder } from '../../support/run.js';

const NOW = Date.UTC(2026, 2, 1);
let directory: string;

beforeEach(() => {
  directory = temporaryFolder();
});

const open = () =>
  openOfflineService({
    directory,
    clock: () => NOW,
    random: (count) => new Uint8Array(count).fill(7),
    baseUrl: 'http://offline.invalid',
  });

async function get(path: string): Promise<unknown> {
  const service = await open();
  const headers = { authorization: `Bearer ${personaToken('distributor')}` };
  const response = await service.handle({ method: 'GET', url: `http://offline.invalid${path}`, headers });
  service.close();
  expect(response.status).toBe(200);
  return JSON.parse((await readBytes(response.body, 1e7)).toString());
}

describe('the offline state', () => {
  test('is created with the sample data on first use, and kept', async () => {
    expect(await get('/v1/licenses/00000001')).toMatchObject({ code: 'welcome1', numberOfActivations: 7 });
    const store = await openState(directory, 'demo', NOW);
    store.write(() => {
      const licence = store.licences.get('00000001');
      if (licence !== undefined) store.licences.update({ ...licence, name: 'Changed' });
    });
    store.close();
    expect(await get('/v1/licenses/00000001')).toMatchObject({ name: 'Changed' });
  });

  test('is described without being created', async () => {
    expect(await offlineInfo(directory)).toMatchObject({ folder: directory, seed: null, bytes: 0, licences: 0 });
    expect(readdirSync(directory)).toEqual([]);
    await get('/v1/account');
    const info = await offlineInfo(directory);
    expect(info).toMatchObject({ folder: directory, seed: 'demo', licences: 265, books: 63, organizations: 12 });
    expect(info.bytes).toBeGreaterThan(100_000);
  });

  test('is reset with another seed, which removes uploads', async () => {
    await get('/v1/account');
    const store = await openState(directory, 'demo', NOW);
    store.blobs.put('upload', Buffer.from('x'));
    store.write(() => {
      const file = store.files.all({})[0];
      if (file !== undefined) store.files.insert({ ...file, id: 'new', blob: 'upload' });
    });
    store.close();
    expect(existsSync(join(directory, 'files', 'upload'))).toBe(true);
    await resetOffline(directory, 'empty', NOW);
    expect(await offlineInfo(directory)).toMatchObject({ seed: 'empty', licences: 0, users: 7 });
    expect(readdirSync(join(directory, 'files'))).toEqual([]);
    await resetOffline(directory, 'demo', NOW);
    expect(await offlineInfo(directory)).toMatchObject({ seed: 'demo', licences: 265 });
  });

  test('is not removed by a reset if it cannot be opened', async () => {
    const blocked = join(directory, 'blocked');
    writeFileSync(blocked, 'a file where a folder is needed');
    await expect(resetOffline(join(blocked, 'state'), 'demo', NOW)).rejects.toThrow(StateError);
    expect(existsSync(blocked)).toBe(true);
  });

  test.each([
    ['', 'it is empty'],
    ['this is no database, whatever its name says. '.repeat(100), 'file is not a database'],
  ])('is replaced only by a reset when its file is damaged: %j', async (content, reason) => {
    await get('/v1/account');
    const file = stateFile(directory);
    for (const name of readdirSync(directory)) rmSync(join(directory, name), { recursive: true });
    writeFileSync(file, content);
    const message = expect.stringContaining(`${file} is damaged: ${reason}`);
    for (const use of [open, () => offlineInfo(directory)])
      await expect(use()).rejects.toMatchObject({ message, hint: expect.stringContaining('edu offline reset') });
    expect(readFileSync(file, 'utf8')).toBe(content);
    await resetOffline(directory, 'demo', NOW);
    expect(await get('/v1/licenses/00000001')).toMatchObject({ code: 'welcome1' });
  });

  test('is one state when several processes create it at once', async () => {
    const inside: Store[] = [];
    const fill = (store: Store): void => {
      if (inside.push(store) > 1) return;
      // The other process is done before this one.
      copyFileSync(other, stateFile(directory));
      store.blobs.put('lost', Buffer.from('x'));
    };
    const other = join(directory, 'other.db');
    (await openState(join(directory, 'elsewhere'), 'empty', NOW)).close();
    copyFileSync(stateFile(join(directory, 'elsewhere')), other);
    const store = await openStore({ directory, fill });
    expect(store.read(() => store.users.count({}))).toBe(7);
    store.close();
    expect(readdirSync(join(directory, 'files'))).toEqual([]);
  });
});
