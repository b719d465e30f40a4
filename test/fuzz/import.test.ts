/** An export of any conforming service, loaded into the bundled one, is exported again byte for byte. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect } from 'vitest';
import { linesIn, strange, strangeService } from '../export/strange-service.js';
import { home, run, temporaryFolder } from '../support/run.js';
import { fuzz } from './fuzz.js';

/** Shared by all cases; created in the test, which cleans up. */
const setUp = async () => ({
  ...(await strangeService()),
  offline: { ...home(), EDU_OFFLINE: '1' },
  folders: temporaryFolder(),
});
let shared: ReturnType<typeof setUp> | undefined;

fuzz(
  'an import returns everything that a conforming service showed',
  fc.tuple(strange, fc.constantFrom<string[]>([], ['--languages', 'all'])),
  async ([data, languages]) => {
    shared ??= setUp();
    const { hold, env, offline, folders } = await shared;
    hold(data);
    const [a, b] = ['a', 'b'].map((name) => join(folders, `${randomUUID()}${name}`)) as [string, string];
    const flags = ['--with', 'activations', ...languages];
    expect(await run(['export', '--to', a, ...flags], { env })).toMatchObject({ code: 0 });
    expect(await run(['offline', 'import', a], { env: offline })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await run(['export', '--to', b, ...flags], { env: offline })).toMatchObject({ code: 0 });
    expect(linesIn(b)).toBe(linesIn(a));
    expect(await run(['diff', a, b, '--force'])).toMatchObject({ code: 0, stdout: 'No differences.\n' });
  },
  { share: 0.08 },
);
