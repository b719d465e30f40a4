/** Output on a Windows console, as far as it can be simulated: a terminal that reads bytes by a code page. */
import { resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { serve } from '../../src/service/serve/serve.js';
import { openTerminal } from './terminal.js';

const CONSOLE = `node --require ${resolve('test/support/windows-console.cjs')}`;
const EDU = `${CONSOLE} ${resolve('bin/edu.js')}`;

it('the simulated console misreads bytes beyond ASCII', async () => {
  const terminal = await openTerminal();
  const bytes = `${CONSOLE} -e "require('node:fs').writeSync(1, 'é…\\n')"`;
  expect((await terminal.runs(bytes)).output).toMatch(/^\?{5}$/m);
});

it('tables, help pages, errors and warnings are shown correctly', async () => {
  // Over HTTP, because on Node 20 the SQLite of this platform is not found under the name of the other.
  const { facts, stop } = await serve({ port: 0, clock: Date.now });
  onTestFinished(() => stop());
  const env = { EDU_OFFLINE: '0', EDU_BASE_URL: facts.baseUrl, EDU_TOKEN: facts.personas.distributor ?? '' };
  const terminal = await openTerminal({ columns: 100, env });
  const table = await terminal.runs(`${EDU} whoami`);
  expect(table).toMatchObject({ code: 0, output: expect.stringContaining('Noémie') });
  expect(table.output).not.toContain('??');

  const help = await terminal.runs(`${EDU} licenses --help`);
  expect(help).toMatchObject({ code: 0, output: expect.stringContaining('USER…') });

  const wrong = await terminal.runs(`${EDU} licenses get Zürich`);
  expect(wrong).toMatchObject({ code: 5, output: expect.stringContaining('Zürich') });
});
