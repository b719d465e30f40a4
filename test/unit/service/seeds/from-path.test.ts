/** Initial data from a JSON file or from the folder of an export, in a service in memory. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createService } from '../../../../src/service/index.js';
import { temporaryFolder } from '../../../support/run.js';

const organization = { id: 'o1', type: 'Distributor' };
const account = {
  id: 'u9',
  email: 'a@b.test',
  firstName: 'A',
  lastName: 'B',
  avatar: null,
  roles: [],
  permissions: [],
};
const licence = (id: string) => ({ id, name: `Licence ${id}`, code: `code${id}`, type: 'Teacher', books: [] });

/** The path of a JSON file with this data. */
function fileWith(data: object | string): string {
  const path = join(temporaryFolder(), 'data.json');
  writeFileSync(path, typeof data === 'string' ? data : JSON.stringify(data));
  return path;
}

interface Export {
  readonly facts?: object;
  readonly file?: string;
  readonly content?: string | Uint8Array;
}

/** The folder of an export of one account and one licence. */
function exportWith({ facts = {}, file = 'licenses.ndjson', content }: Export): string {
  const folder = join(temporaryFolder(), 'exported');
  mkdirSync(folder);
  const resources = {
    account: { file: 'account.ndjson', complete: true },
    licenses: { file, complete: true },
  };
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ format: 'ndjson', organization, resources, ...facts }));
  writeFileSync(join(folder, 'account.ndjson'), `${JSON.stringify(account)}\n`);
  if (!file.includes('/')) writeFileSync(join(folder, file), content ?? `${JSON.stringify(licence('7'))}\n`);
  return folder;
}

async function opened(seed: string) {
  const service = await createService({ seed });
  onTestFinished(() => service.close());
  const headers = { authorization: `Bearer ${service.personas.distributor}` };
  const codes = async () => {
    const answer = await service.fetch('/v1/licenses?type=TEACHER', { headers });
    return ((await answer.json()) as { licenses: { code: string }[] }).licenses.map(({ code }) => code);
  };
  return { service, codes };
}

describe('a seed at a path', () => {
  test('may be a JSON file, which reset() reads again', async () => {
    const seed = fileWith({ organization, account, licenses: [licence('7')] });
    const { service, codes } = await opened(seed);
    expect(await codes()).toEqual(['code7']);
    writeFileSync(seed, JSON.stringify({ organization, account, licenses: [licence('8')] }));
    await service.reset();
    expect(await codes()).toEqual(['code8']);
    await service.reset({ seed: fileWith({ organization, account, licenses: [licence('9')] }) });
    expect(await codes()).toEqual(['code9']);
    rmSync(seed);
    await expect(service.reset()).rejects.toThrow(`cannot load ${seed}: there is no such file or folder`);
    expect(await codes()).toEqual(['code9']);
    await service.reset({ seed: 'empty' });
    expect(await codes()).toEqual([]);
  });

  test('is restored from a snapshot with its own subjects', async () => {
    const subjects = [{ id: 'x1', translatedName: 'Runes' }];
    const { service } = await opened(fileWith({ organization, account, subjects }));
    const headers = { authorization: `Bearer ${service.personas.distributor}` };
    const listed = async () => (await service.fetch('/v1/books/subjects?language=EN', { headers })).json();
    const restore = service.snapshot();
    await service.reset({ seed: 'demo' });
    expect(await listed()).not.toEqual({ subjects });
    restore();
    expect(await listed()).toEqual({ subjects });
  });

  test.each([
    ['ndjson', {}],
    ['json', { facts: { format: 'json' }, content: JSON.stringify([licence('7')]) }],
    ['packed', { file: 'licenses.ndjson.gz', content: gzipSync(`${JSON.stringify(licence('7'))}\n`) }],
  ])('may be the folder of an export in the form %s', async (_, given: Export) => {
    const folder = exportWith(given);
    if (given.facts !== undefined) writeFileSync(join(folder, 'account.ndjson'), JSON.stringify([account]));
    const { codes } = await opened(folder);
    expect(await codes()).toEqual(['code7']);
  });

  const facts = (given: object) => exportWith({ facts: given });
  test.each([
    ['changes only', () => facts({ since: 'abc' }), 'it contains only changes'],
    ['one shard', () => facts({ shard: { index: 1, count: 2 } }), 'it is one shard of an export'],
    ['csv', () => facts({ format: 'csv' }), 'it is csv, which has no nesting'],
    ['no organization', () => facts({ organization: null }), 'it does not name the organization that it is about'],
    [
      'an incomplete list',
      () => facts({ resources: { licenses: { file: null, complete: false } } }),
      'it is not complete: licenses',
    ],
    ['an unknown member', () => fileWith({ organization, account, licences: [] }), 'unknown member "licences"'],
    ['a file elsewhere', () => exportWith({ file: '../licenses.ndjson' }), 'it names a file outside of its folder'],
    [
      'another file than the manifest describes',
      () => facts({ resources: { licenses: { file: 'licenses.ndjson', sha256: '0'.repeat(64) } } }),
      'licenses.ndjson: it is not the file that the manifest describes',
    ],
    ['a damaged line', () => exportWith({ content: '{"id":' }), 'licenses.ndjson is not valid JSON'],
    ['a damaged archive', () => exportWith({ file: 'licenses.ndjson.gz', content: 'plain' }), 'cannot read'],
    ['a list', () => fileWith([]), 'it is not a JSON object with organization and lists of resources'],
    ['not JSON', () => fileWith('{'), 'is not valid JSON'],
    ['no account', () => fileWith({ organization }), 'there is neither the account nor a user of o1'],
    [
      'one id twice',
      () => fileWith({ organization, account, licenses: [licence('7'), licence('7')] }),
      'two items share a unique value',
    ],
  ])('is refused with %s', async (_, path, reason) => {
    const seed = path();
    const error = await createService({ seed }).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ name: 'OptionError', message: expect.stringContaining(`cannot load ${seed}: `) });
    expect(error).toMatchObject({ message: expect.stringContaining(reason), hint: expect.stringMatching(/\S/) });
  });
});
