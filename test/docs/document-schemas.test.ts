/** The schemas in `docs/schema` describe the documents that `edu` writes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { offline } from '../support/offline.js';
import { home, run, temporaryFolder } from '../support/run.js';

function problemsIn(schema: object, document: unknown): unknown {
  const ajv = new Ajv2020({ allowUnionTypes: true });
  return ajv.validate(schema, document) ? [] : ajv.errors;
}

const problemsOf = (name: string, document: unknown): unknown =>
  problemsIn(JSON.parse(readFileSync(`docs/schema/${name}.schema.json`, 'utf8')), document);

test('export-manifest and export-run', async () => {
  const to = temporaryFolder();
  expect((await run(['--offline', 'export', '--to', to], { env: home() })).code).toBe(0);
  for (const [schema, file] of [
    ['export-manifest', 'manifest.json'],
    ['export-run', 'run.json'],
  ] as const) {
    const document = JSON.parse(readFileSync(join(to, file), 'utf8'));
    expect(problemsOf(schema, document)).toEqual([]);
    expect(problemsOf(schema, { ...document, complete: undefined })).not.toEqual([]);
    expect(problemsOf(schema, { ...document, resources: { teachers: {} } })).not.toEqual([]);
  }
});

test('receipt: each line', async () => {
  const { edu, path, write } = offline();
  const plan = path('a.plan');
  const want = write('schools.csv', 'name,country,city\nNeue Schule,DE,Bonn\n');
  expect(await edu('plan', want, '--out', plan)).toMatchObject({ code: 10 });
  const { hash } = JSON.parse(readFileSync(plan, 'utf8').split('\n')[0] ?? '');
  expect(await edu('apply', plan, '--confirm', hash)).toMatchObject({ code: 0 });
  const lines = readFileSync(`${plan}.receipt`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(problemsOf('receipt', line)).toEqual([]);
  expect(problemsOf('receipt', { ...lines[1], outcome: 'perhaps' })).not.toEqual([]);
});

test('error', async () => {
  const { stderr } = await run(['--offline', 'licenses', 'get', 'nope', '--json', '--debug=json'], { env: home() });
  const document = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
  expect(problemsOf('error', document)).toEqual([]);
  expect(problemsOf('error', { error: { ...document.error, kind: 'odd' } })).not.toEqual([]);
});

test('export: the items under the names of their resources', async () => {
  const { json } = offline();
  const document = { licenses: await json('licenses', 'list'), schools: await json('schools', 'list') };
  const schema = JSON.parse((await run(['export', '--schema'])).stdout);
  expect(problemsIn(schema, document)).toEqual([]);
  const [school] = document.schools;
  expect(problemsIn(schema, { schools: [{ ...school, id: null }] })).not.toEqual([]);
});
