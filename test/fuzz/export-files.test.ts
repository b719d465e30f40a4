/** Fuzzing of the files of exports: manifests and data. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { LANGUAGES, ORGANIZATION_TYPES } from '../../src/contract/shared.js';
import { EXPORTED, keyReader, RESOURCES } from '../../src/export/collect/resources.js';
import { canonicalWriter } from '../../src/export/files/canonical.js';
import { fileFormat } from '../../src/export/files/file-format.js';
import { readDataFile } from '../../src/export/files/read-data-file.js';
import { sharedFolder } from '../support/run.js';
import { fuzz } from './fuzz.js';
import { jsonText, jsonValue, key, text } from './hostile.js';
import { changed, fileOf, sound } from './spoiled-files.js';

const FOLDER = sharedFolder();
const env = { EDU_CONFIG_DIR: join(FOLDER, 'config'), EDU_STATE_DIR: join(FOLDER, 'state') };

describe('exports', () => {
  const a = join(FOLDER, 'a');
  const b = join(FOLDER, 'b');
  for (const folder of [a, b]) mkdirSync(folder, { recursive: true });
  const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
  const ORGANIZATION = { id: 'o', type: 'Distributor' };
  const manifestOf = (resources: unknown, format = 'ndjson') => ({
    kind: 'edu-export',
    version: 1,
    complete: true,
    baseUrl: 'http://x',
    organization: ORGANIZATION,
    organizations: [ORGANIZATION],
    format,
    gzip: false,
    language: 'EN',
    languages: ['EN'],
    since: null,
    resources,
  });
  const factsOf = (file: string, content: Uint8Array, count: number) => ({
    complete: true,
    file,
    count,
    bytes: content.length,
    sha256: sha256(content),
    filters: [],
    schema: 'x',
    restarts: 0,
    notes: [],
  });

  const resource = fc.constantFrom(...RESOURCES);
  const fact = fc.oneof(changed({ ...factsOf('books.ndjson', Buffer.from('{"id":"1"}\n'), 1) }), jsonText);
  const resources = fc
    .array(fc.tuple(fc.oneof(resource, key), fact), { maxLength: 3 })
    .map((all) => JSON.parse(`{${all.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`) as unknown);
  const word = fc.oneof(text(20), key);
  const language = fc.oneof(fc.constantFrom(...LANGUAGES), word);
  const organization = fc.record({ id: word, type: fc.oneof(fc.constantFrom(...ORGANIZATION_TYPES), word) });
  /** Valid in form, so that its content is read. */
  const wellFormed = fc
    .record({
      complete: fc.boolean(),
      baseUrl: word,
      organization: fc.oneof(organization, fc.constant(null)),
      organizations: fc.array(organization, { maxLength: 3 }),
      language,
      languages: fc.array(language, { maxLength: 3 }),
      names: fc.uniqueArray(resource, { maxLength: 4 }),
      notes: fc.array(word, { maxLength: 2 }),
    })
    .map(({ names, notes, ...words }) => {
      const facts = { ...factsOf('books.ndjson', Buffer.from('{"id":"1"}\n'), 1), notes };
      const some = Object.fromEntries(names.map((name) => [name, facts]));
      return Buffer.from(JSON.stringify({ ...manifestOf(some), ...words }));
    });
  const manifests = fc.oneof(
    { weight: 2, arbitrary: resources.chain((some) => fileOf(manifestOf(some))) },
    { weight: 1, arbitrary: wellFormed },
  );

  fuzz(
    'with manifests of any content are verified, compared and loaded, or refused',
    fc.record({ manifest: manifests, other: manifests }),
    async ({ manifest, other }) => {
      for (const folder of [a, b]) writeFileSync(join(folder, 'books.ndjson'), '{"id":"1"}\n');
      writeFileSync(join(a, 'manifest.json'), manifest);
      writeFileSync(join(b, 'manifest.json'), other);
      await sound(env, 'export', '--verify', a);
      await sound(env, 'diff', a, b);
      await sound(env, 'offline', 'import', a);
      expect(
        readdirSync(FOLDER).filter(
          (name) => !['a', 'b', 'state', 'config', 'journal', 'journal-kept', 'lock'].includes(name),
        ),
      ).toEqual([]);
    },
    {
      share: 0.1,
      examples: [{ languages: null }, { languages: 'EN' }, { organization: { ...ORGANIZATION, id: '' } }].map(
        (words) => {
          const facts = factsOf('books.ndjson', Buffer.from('{"id":"1"}\n'), 1);
          const manifest = Buffer.from(JSON.stringify({ ...manifestOf({ subjects: facts, types: facts }), ...words }));
          return { manifest, other: manifest };
        },
      ),
    },
  );

  fuzz(
    'items that are written are read back',
    fc.record({
      name: resource,
      format: fc.constantFrom('ndjson', 'json'),
      items: fc.array(fc.tuple(key, jsonValue), { maxLength: 4 }),
    }),
    async ({ name, format, items }) => {
      const exported = EXPORTED[name];
      const form = fileFormat(format as 'json', exported.shape);
      const whole = items.map(([id, value]) => ({
        [exported.key[0] ?? 'id']: id.toWellFormed(),
        ...(typeof value === 'object' ? value : {}),
      }));
      const body = whole.map((item) => form.line(item).slice(0, -1)).join(`${form.separator}\n`);
      const content = Buffer.from(whole.length === 0 ? form.nothing : `${form.before}${body}${form.after || '\n'}`);
      writeFileSync(join(a, 'data'), content);
      const read: unknown[] = [];
      for await (const entries of readDataFile({
        folder: a,
        facts: { file: 'data', count: whole.length, bytes: content.length, sha256: sha256(content) },
        format: format as 'json',
        keyOf: keyReader(name),
      })) {
        for (const { item } of entries) read.push(item);
      }
      const plain = canonicalWriter(exported.shape);
      expect(read.map(plain)).toEqual(whole.map(plain));
    },
  );
});
