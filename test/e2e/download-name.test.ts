/** The name of a downloaded file if the service gives none: that of the ID, unless a file system cannot use it. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run, temporaryFolder } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';

test.each([
  ['f-17', 'f-17'],
  ['lesson 1.pdf', 'lesson 1.pdf'],
  // A device on Windows, with any extension: what is written to it is lost.
  ['nul', 'download'],
  ['COM1.pdf', 'download'],
  ['f1.', 'f1'],
  // The storage path that a book shows.
  ['/v1/api/file/get/f%2017', 'f 17'],
  ['/v1/api/file/get/f%2017?size=small', 'f 17'],
])('%j: %s', async (file, name) => {
  const path = file.startsWith('/') ? '/v1/api/file/get/f%2017' : `/v1/api/file/get/${encodeURIComponent(file)}`;
  const service = await scriptedService({ [`GET ${path}`]: { body: { a: 1 } } });
  const folder = temporaryFolder();
  expect(await run(['files', 'download', file, '--to', folder], { env: service.env })).toMatchObject({ code: 0 });
  expect(service.sent.map(({ line }) => line)).toEqual([`GET ${path}`]);
  expect(readdirSync(folder)).toEqual([name]);
});

test('a folder that does not exist is an error with the way to create it, before any request', async () => {
  const service = await scriptedService({});
  const to = `${temporaryFolder()}/new folder/a.pdf`;
  const { code, stderr } = await run(['files', 'download', 'f1', '--to', to], { env: service.env });
  expect([code, service.sent]).toEqual([2, []]);
  expect(stderr).toMatch(
    /^Error: Cannot write .*a\.pdf: the folder .*new folder does not exist\.\nHint: Create it: mkdir -p '.*new folder'\n$/,
  );
});
