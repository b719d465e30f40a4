import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { EduError } from '../../../../src/core/errors.js';
import { readManifest, writeManifest } from '../../../../src/export/files/manifest.js';
import { home, run, temporaryFolder } from '../../../support/run.js';

const organization = { id: 'd1', type: 'Distributor' };
const file = { file: 'books.ndjson', count: 1, bytes: 11, sha256: 'x' };
const facts = {
  complete: true,
  ...file,
  filters: ['/v1/books'],
  schema: 'books.schema.json',
  schemaSha256: 'y',
  restarts: 0,
  unseen: [{ list: 'School s1', reason: 'not allowed (403)' }],
  notes: [],
};
const changes = { added: file, changed: file, removed: file, not_visible: file };
const whole = {
  kind: 'edu-export',
  version: 1,
  complete: true,
  baseUrl: 'https://content.example',
  account: 'u1',
  organization,
  organizations: [organization],
  format: 'ndjson',
  gzip: false,
  language: 'EN',
  languages: ['EN', 'DE'],
  since: null,
  resources: { books: facts },
};

function folderWith(manifest: unknown): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  return folder;
}

const ABSENT = undefined;
/** An object whose conversion to text throws. */
const SPEECHLESS = { toString: 1 };
const NO_TEXT = [ABSENT, null, 1, ['x'], SPEECHLESS];
const NEITHER_TEXT_NOR_NULL = [ABSENT, 1, ['x'], SPEECHLESS];
const NO_TEXTS = [ABSENT, null, 5, 'EN', {}, [1], [null], [SPEECHLESS]];
const NO_COUNT = [ABSENT, null, '1', -1, 1.5, 2 ** 60, SPEECHLESS];
const NO_TRUTH = [ABSENT, null, 1, 'true', SPEECHLESS];
const NO_FILE_NAME = [ABSENT, 1, '', '../books.ndjson', SPEECHLESS];
const NO_FILE_FACTS = {
  file: [...NO_FILE_NAME, null],
  count: NO_COUNT,
  bytes: NO_COUNT,
  sha256: NO_TEXT,
};
const NO_ORGANIZATION = [
  ABSENT,
  1,
  'd1',
  {},
  { id: 'd1' },
  { ...organization, id: 1 },
  { ...organization, type: SPEECHLESS },
];

/** A value that is none of a field's values. */
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  kind: NO_TEXT,
  version: [...NO_COUNT, 2],
  complete: NO_TRUTH,
  baseUrl: NO_TEXT,
  account: NEITHER_TEXT_NOR_NULL,
  organization: NO_ORGANIZATION,
  organizations: [ABSENT, null, organization, ...NO_ORGANIZATION.map((one) => [organization, one])],
  format: [...NO_TEXT, 'xml'],
  gzip: NO_TRUTH,
  language: NO_TEXT,
  languages: NO_TEXTS,
  since: NEITHER_TEXT_NOR_NULL,
  resources: [ABSENT, null, 1, { books: null }, { anything: facts }, { toString: facts }],
};
const WRONG_FACTS: Readonly<Record<string, readonly unknown[]>> = {
  complete: NO_TRUTH,
  file: NO_FILE_NAME,
  count: NO_COUNT,
  bytes: NO_COUNT,
  sha256: NEITHER_TEXT_NOR_NULL,
  changes: [
    null,
    1,
    [],
    { added: file, changed: file, removed: file },
    ...Object.entries(NO_FILE_FACTS).flatMap(([name, values]) =>
      values.map((value) => ({ ...changes, removed: { ...file, [name]: value } })),
    ),
  ],
  filters: NO_TEXTS,
  schema: NO_TEXT,
  schemaSha256: NO_TEXT,
  restarts: NO_COUNT,
  unseen: [ABSENT, null, {}, 'x', [1], [{ list: 's1' }], [{ list: 1, reason: 'x' }]],
  notes: NO_TEXTS,
};

async function refused(manifest: unknown): Promise<void> {
  const folder = folderWith(manifest);
  const error = await readManifest(folder).catch((thrown: unknown) => thrown);
  expect({ manifest, error }).toEqual({ manifest, error: expect.any(EduError) });
  expect((error as EduError).kind).toBe('usage');
}

describe('a manifest', () => {
  it('is read as it was written', async () => {
    const folder = temporaryFolder();
    const { kind, version, ...rest } = whole;
    const manifests = [
      { ...rest, format: 'ndjson' as const, resources: { books: facts } },
      { ...rest, format: 'csv' as const, organization: null, organizations: [], languages: [], resources: {} },
      {
        ...rest,
        format: 'json' as const,
        since: 'x',
        resources: { books: { ...facts, file: null, sha256: null, changes } },
      },
    ];
    for (const manifest of manifests) {
      await writeManifest(folder, manifest);
      const { manifest: read, text } = await readManifest(folder);
      expect(read).toEqual({ kind, version, ...manifest });
      expect(text).toBe(readFileSync(join(folder, 'manifest.json'), 'utf8'));
    }
  });

  test.each([...Object.keys(whole)])('is invalid with a wrong %s', async (name) => {
    for (const value of WRONG[name] ?? []) await refused({ ...whole, [name]: value });
  });

  test.each([...Object.keys(facts), 'changes'])('is invalid with a wrong %s of a resource', async (name) => {
    for (const value of WRONG_FACTS[name] ?? []) {
      await refused({ ...whole, resources: { books: { ...facts, [name]: value } } });
    }
  });

  it('is refused by every reader if it is invalid, and nothing is loaded', async () => {
    const env = home();
    const resources = { books: { ...facts, bytes: SPEECHLESS }, subjects: facts };
    for (const manifest of [
      { ...whole, resources },
      { ...whole, languages: null, resources: { subjects: facts } },
    ]) {
      const folder = folderWith(manifest);
      for (const line of [
        ['export', '--verify', folder],
        ['diff', folder, folder],
        ['offline', 'import', folder],
      ]) {
        const { code, stderr } = await run(line, { env });
        expect({ code, stderr }).toEqual({
          code: 2,
          stderr: expect.stringContaining('is not the manifest of an export'),
        });
      }
    }
  });
});
