/** CREATE TABLE statements from the contract. */
import { expect, test } from 'vitest';
import { ddlOf } from '../../../src/export/files/schema.js';
import { run } from '../../support/run.js';

test('creates nested columns for an engine that no test runs', () => {
  expect(ddlOf('licenses', 'bigquery')).toBe(
    `CREATE TABLE IF NOT EXISTS \`licenses\` (
  \`id\` STRING,
  \`name\` STRING,
  \`code\` STRING,
  \`type\` STRING,
  \`books\` ARRAY<STRUCT<\`id\` STRING, \`ean\` STRING, \`title\` STRING>>,
  \`expiration\` STRUCT<\`type\` STRING, \`days\` FLOAT64, \`date\` DATE>,
  \`maximumActivations\` FLOAT64,
  \`numberOfActivations\` FLOAT64,
  \`organization\` STRUCT<\`id\` STRING, \`type\` STRING>,
  \`licenseCategory\` STRING,
  \`endUsers\` ARRAY<STRUCT<\`id\` STRING, \`email\` STRING, \`firstName\` STRING, \`lastName\` STRING, \`language\` STRING>>,
  PRIMARY KEY (\`id\`) NOT ENFORCED
);
`,
  );
});

test('holds nested values as JSON, and a resource without an ID has no key', async () => {
  expect(ddlOf('classes', 'postgres')).toContain('"usersInClass" jsonb');
  expect(ddlOf('classes', 'sqlite')).toContain(
    '"creationDate" TEXT,\n  "deactivationDate" TEXT,\n  PRIMARY KEY ("classId")',
  );
  const ran = await run(['export', '--schema', 'activations', 'subjects', '--dialect', 'postgres']);
  expect(ran).toEqual({
    code: 0,
    stderr: '',
    stdout: `CREATE TABLE IF NOT EXISTS "activations" (
  "creationDate" timestamp,
  "expirationDate" timestamp,
  "user" text,
  "licenseId" text
);

CREATE TABLE IF NOT EXISTS "subjects" (
  "id" text,
  "translatedName" text,
  "language" text
);
`,
  });
  expect((await run(['export', '--to', 'x', '--dialect', 'postgres'])).stderr).toContain('--dialect needs --schema');
});
