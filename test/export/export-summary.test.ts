/** What `edu export` prints on stdout. */
import { expect, it } from 'vitest';
import { EXPORTABLE } from '../../src/contract/index.js';
import { home, run, temporaryFolder } from '../support/run.js';

it('--to - is refused, and --fields selects from the summary', async () => {
  const env = { ...home(), EDU_OFFLINE: '1' };
  const refused = await run(['export', '--to', '-'], { env });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--to must be a folder, not "-"')]);
  const words = ['export', 'books', '--to', temporaryFolder()];
  expect((await run([...words, '--json', '--fields', 'complete'], { env })).stdout).toBe('{\n  "complete": true\n}\n');
  const tsv = await run([...words, '-o', 'tsv', '--header', '--fields', 'resource,complete'], { env });
  expect(tsv.stdout).toBe('resource\tcomplete\nbooks\ttrue\n');
});

it('--json names the resources in their order, whichever were read first', async () => {
  const env = { ...home(), EDU_OFFLINE: '1' };
  const { stdout } = await run(['export', '--to', temporaryFolder(), '--json'], { env });
  const names = Object.keys((JSON.parse(stdout) as { resources: object }).resources);
  expect(names).toEqual(EXPORTABLE.filter((name) => name !== 'activations'));
});
