/** The name of a downloaded file if the service gives none: that of the ID, unless a file system cannot use it. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run, temporaryFolder } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';

test.each([
  ['f-17', 'f-17'],
  ['lesson 1.pdf', 'lesson_1.pdf'],
  // A device on Windows, with any extension: what is written to it is lost.
  ['nul', 'download'],
  ['COM1.pdf', 'download'],
  ['f1.', 'f1'],
])('%j: %s', async (id, name) => {
  const service = await scriptedService({ [`GET /v1/api/file/get/${encodeURIComponent(id)}`]: { body: { a: 1 } } });
  const folder = temporaryFolder();
  expect(await run(['files', 'download', id, '--to', folder], { env: service.env })).toMatchObject({ code: 0 });
  expect(readdirSync(folder)).toEqual([name]);
});
