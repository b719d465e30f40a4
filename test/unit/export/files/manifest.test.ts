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

/** An object whose conversion to text throws. */
const SPEECHLESS = { toString: 1 };

/** Members of a manifest, and of its facts of a resource, with a value that they cannot have. */
const WRONG: readonly (readonly [string, unknown])[] = [
  ['kind', 'edu-import'],
  ['version', 2],
  ['complete', undefined],
  ['baseUrl', SPEECHLESS],
  ['account', 1],
  ['organizations', [organization, { id: 'd1' }]],
  ['format', 'xml'],
  ['languages', [null]],
  ['resources', { books: null }],
  ['resources', { anything: facts }],
  ['resources', { toString: facts }],
];
const WRONG_FACTS: readonly (readonly [string, unknown])[] = [
  ['file', '../books.ndjson'],
  ['count', 1.5],
  ['bytes', 2 ** 60],
  ['sha256', ['x']],
  ['changes', { added: file, changed: file, removed: file }],
  ['changes', { ...changes, removed: { ...file, file: null } }],
  ['filters', {}],
  ['unseen', [{ list: 's1' }]],
];

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

  test.each(WRONG)('is invalid with %s %j', (name, value) => refused({ ...whole, [name]: value }));

  test.each(WRONG_FACTS)('is invalid with %s %j of a resource', (name, value) =>
    refused({ ...whole, resources: { books: { ...facts, [name]: value } } }),
  );

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
