/** Data of an older edu must be recognised: every change of the tables or records has its own version. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withoutComments } from '../../../../scripts/imports.mjs';
import { SCHEMA, SCHEMA_VERSION } from '../../../../src/service/store/schema.js';

/** The version, and the digest of its tables and records. */
const KNOWN = '7 90c8d22768bc2933';

test('the version of the schema changes with the tables and the records', () => {
  const records = withoutComments(readFileSync('src/service/store/records.ts', 'utf8')).replace(/\s+/g, '');
  const digest = createHash('sha256').update(SCHEMA).update(records).digest('hex').slice(0, 16);
  expect(
    `${SCHEMA_VERSION} ${digest}`,
    'the tables or the records have changed: increase SCHEMA_VERSION in schema.ts if older data no longer fits, and enter the new digest as KNOWN',
  ).toBe(KNOWN);
});
