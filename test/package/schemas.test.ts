/** The JSON Schemas become TypeScript that says more than `unknown`: json-schema-to-typescript writes it, tsc reads it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { expect, inject, test } from 'vitest';
import { installed } from '../support/installed.js';
import { temporaryFolder } from '../support/run.js';

const { compile } = createRequire(join(installed('json-schema-to-typescript@16.0.0'), 'x'))(
  'json-schema-to-typescript',
);
const packed = join(inject('project'), 'node_modules/edu-cli');

/** @returns the problems that tsc finds in a program with these types */
async function problems(schema: string, program: string): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'types.ts'), await compile(JSON.parse(schema), 'Schema', {}));
  writeFileSync(join(folder, 'program.ts'), `import type * as all from './types.js';\n${program}\n`);
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--types', ''];
  const tsc = [resolve('node_modules/typescript/bin/tsc'), ...flags, join(folder, 'program.ts')];
  return spawnSync(process.execPath, tsc, { cwd: folder, encoding: 'utf8' }).stdout;
}

test('of an export: each resource, its fields, and IDs that are not null', async () => {
  const schema = execFileSync(join(packed, 'bin/edu.js'), ['export', '--schema'], { encoding: 'utf8' });
  const program = `
    export const lists = (one: all.Export): readonly string[] | undefined => one.schools?.map(({ id }) => id);
    export const ids = (one: all.Licence, user: all.User, role: all.Role): string[] => [one.id, user.id, role.id];
    export const code = (one: all.Licence): string | null => one.code;
    export const seats = (one: all.Licence): number | null => one.maximumActivations;
    export const title = (one: all.Licence): string | null | undefined => one.books?.[0]?.title;
    export const member = (one: all.Class): string => one.classId;
    // @ts-expect-error
    export const wrong = (one: all.Licence): number => one.id;`;
  expect(await problems(schema, program)).toBe('');
});

test.each([
  [
    'error',
    'ErrorDocument',
    "(one: Type): string | null => (one.error.kind === 'usage' ? one.error.message : one.error.requestId)",
  ],
  ['export-run', 'ExportRun', '(one: Type): number | undefined => one.resources.licenses?.retries'],
  [
    'export-manifest',
    'ExportManifest',
    '(one: Type): readonly (string | undefined)[] => [one.resources.users?.schema, one.copy?.files[0]?.file]',
  ],
  ['receipt', 'ReceiptLine', '(one: Extract<Type, { receipt: 1 }>): string => one.plan'],
])('of %s', async (name, type, use) => {
  const schema = readFileSync(join(packed, 'docs/schema', `${name}.schema.json`), 'utf8');
  const program = `type Type = all.${type};\nexport const use = ${use};\n// @ts-expect-error\nexport const wrong: Type = {};`;
  expect(await problems(schema, program)).toBe('');
});

test('all of them', () => {
  const documents = readdirSync(join(packed, 'docs/schema')).filter((name) => /^(error|receipt|export-)/.test(name));
  expect(documents).toEqual(['error', 'export-manifest', 'export-run', 'receipt'].map((name) => `${name}.schema.json`));
});
