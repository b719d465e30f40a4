/** Licences for an owned school: the creator may not read them, so a derived code identifies them. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { skipWaits } from '../support/skip-waits.js';
import { type LicenceServerOptions, licenceServer } from './licence-server.js';
import { manyLicences, program } from './program.js';

skipWaits();

const SECRET = { EDU_CODE_SECRET: 'a secret of the build server' };

async function served(options: LicenceServerOptions = {}) {
  const server = await licenceServer({ hidden: 'everywhere', ...options });
  onTestFinished(() => server.close());
  const edu = program(server.origin, SECRET);
  const file = (name: string): string => join(edu.env.EDU_STATE_DIR ?? '', '..', name);
  return { server, edu, file };
}

const rowsOf = (file: string): readonly Readonly<Record<string, unknown>>[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const ONE = 'name,type,maximum-activations,code\nA,Teacher,1,mine1\n';
const fromStdin = ['licenses', 'create', '--from', '-', '--json'];

describe('a derived code that the service does not show', () => {
  test('is created if the response was lost, and exists if the state folder was lost', async () => {
    const { server, edu, file } = await served({
      fate: (index) => (index % 2 === 0 && index < 6 ? { reset: 'after' } : 'ok'),
    });
    const line = [...manyLicences(6), '--json', '--results', file('results.ndjson')];
    const first = await edu.run(line);
    expect([first.code, JSON.parse(first.stdout)]).toMatchObject([0, { created: 6, conflict: 0, unknown: 0 }]);
    expect(rowsOf(file('results.ndjson')).every(({ edu_code: code }) => typeof code === 'string')).toBe(true);
    rmSync(edu.env.EDU_STATE_DIR ?? '', { recursive: true });
    const again = await edu.run(line);
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { created: 0, exists: 6, conflict: 0 }]);
    expect(rowsOf(file('results.ndjson')).map(({ edu_id: id }) => id)).toEqual(Array(6).fill(null));
    expect(server.created).toHaveLength(6);
  });

  test('has its ID if the list of licences shows it', async () => {
    const { edu, file, server } = await served({ hidden: 'listed', fate: () => ({ reset: 'after' }) });
    const { code } = await edu.run([...manyLicences(3), '--results', file('results.ndjson')]);
    expect(code).toBe(0);
    const shown = rowsOf(file('results.ndjson')).map((row) => [row.edu_status, row.edu_id, row.edu_code]);
    expect(shown.sort()).toEqual(server.created.map(({ id, code: made }) => ['created', id, made]).sort());
  });
});

describe("a user's own code that the service does not show", () => {
  test('exists if the list of licences shows it', async () => {
    const { edu, file } = await served({ hidden: 'listed' });
    await edu.run(fromStdin, ONE);
    rmSync(edu.env.EDU_STATE_DIR ?? '', { recursive: true });
    writeFileSync(file('a.csv'), ONE);
    const again = await edu.run(['licenses', 'create', '--from', file('a.csv'), '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ exists: 1, conflict: 0 });
  });
});
