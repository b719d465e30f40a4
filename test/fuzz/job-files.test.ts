/** Fuzzing of the files of jobs: manifests, journals, locks. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { type Manifest, sealOf } from '../../src/bulk/job/job-manifest.js';
import { Journal } from '../../src/bulk/job/journal.js';
import { lockOwner } from '../../src/core/fs/lock.js';
import { sharedFolder } from '../support/run.js';
import { JOB } from './coverage/samples.js';
import { fuzz } from './fuzz.js';
import { bytes, deep, jsonText, jsonValue, spoiled, text } from './hostile.js';
import { fileOf, sound } from './spoiled-files.js';

const FOLDER = sharedFolder();
const env = { EDU_CONFIG_DIR: join(FOLDER, 'config'), EDU_STATE_DIR: join(FOLDER, 'state') };

describe('bulk jobs', () => {
  const whole = { ...JOB, checksums: {} };
  // With its seal, the journal of an unspoiled manifest is read.
  const job = { ...whole, seal: sealOf(whole as unknown as Manifest) };
  const entry = fc.oneof(
    fc
      .record({
        row: fc.oneof(fc.integer({ min: -1, max: 4 }), fc.double(), fc.constant('1')),
        state: fc.constantFrom('sending', 'created', 'rejected', 'unknown', 'planned', 'x', '__proto__'),
        id: fc.oneof(fc.constant('a'), jsonValue),
        error: fc.oneof(fc.constant('e'), jsonValue),
      })
      .map((one) => JSON.stringify(one)),
    jsonText,
  );
  const journals = fc.oneof(
    spoiled(fc.array(entry, { maxLength: 5 }).map((lines) => lines.map((line) => `${line}\n`).join(''))),
    bytes,
  );

  fuzz(
    'of any content are listed, shown and resumed, or refused',
    fc.record({
      manifest: fileOf(job),
      journal: journals,
      lock: fileOf({ pid: 999_999_999, host: 'x', born: null, unique: 'u' }),
    }),
    async ({ manifest, journal, lock }) => {
      const folder = join(env.EDU_STATE_DIR, 'jobs', job.id);
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      for (const [name, content] of Object.entries({
        'manifest.json': manifest,
        'journal.ndjson': journal,
        lock,
      }))
        writeFileSync(join(folder, name), content);
      await sound(env, 'jobs', 'list');
      await sound(env, 'jobs', 'show', job.id);
      await sound(env, 'jobs', 'resume', job.id, '--offline');
      await sound(env, 'jobs', 'remove', job.id, '--yes');
    },
    {
      share: 0.1,
      examples: [
        'null',
        '[]',
        '1',
        '{"version":1}',
        `{"version":1,"id":1,"name":{}}`,
        `{"version":1,"values":${deep(5_000)}}`,
      ].map((one) => ({
        manifest: Buffer.from(one),
        journal: Buffer.from(`${one}\n`),
        lock: Buffer.from(one),
      })),
    },
  );

  fuzz(
    'locks of any content name a process or none',
    fileOf({ process: '1-x-00000000', host: 'x', unique: 'u' }),
    (lock) => {
      const file = join(FOLDER, 'lock');
      writeFileSync(file, lock);
      const owner = lockOwner(file, Date.now());
      if (owner !== undefined) expect(owner).toMatch(/^process .* on /s);
    },
  );

  fuzz(
    'journals return what was recorded',
    fc.array(fc.record({ row: fc.integer({ min: 1, max: 3 }), id: text(10), error: text(20) }), { maxLength: 6 }),
    async (entries) => {
      const file = join(FOLDER, 'journal-kept');
      rmSync(file, { force: true });
      const journal = await Journal.open(file, 3);
      for (const { row, id, error } of entries) journal.settled(row, { state: 'rejected', id, error });
      await journal.flush();
      await journal.close();
      const again = await Journal.open(file, 3);
      for (const { row, id, error } of new Map(entries.map((one) => [one.row, one])).values()) {
        expect(again.outcome(row)).toEqual({ state: 'rejected', id, error });
      }
      await again.close();
    },
    { share: 0.5 },
  );
});
