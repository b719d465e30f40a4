/** Fuzzing of settings: files of any content, values of any text. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { milliseconds } from '../../src/core/duration.js';
import { EduError } from '../../src/core/errors.js';
import { faultsOf, parseFaults } from '../../src/service/serve/faults.js';
import { OptionError } from '../../src/service/serve/option-values.js';
import { SETTING_NAMES } from '../../src/settings/keys.js';
import { setSetting } from '../../src/settings/profile-store.js';
import { readSettings, settingsFile } from '../../src/settings/read-settings.js';
import { rememberedOrganization } from '../../src/settings/remembered.js';
import { sharedFolder } from '../support/run.js';
import { fuzz, tryTo } from './fuzz.js';
import { bytes, jsonText, jsonValue, key, spoiled, text } from './hostile.js';

const FOLDER = sharedFolder();
const env = { EDU_CONFIG_DIR: join(FOLDER, 'config'), EDU_STATE_DIR: join(FOLDER, 'state') };
const file = settingsFile(env);
let count = 0;
const machine = { now: () => 1_000, wait: async () => {}, unique: () => `u${count++}` };
const isUsage = (error: Error): boolean => error instanceof EduError && error.kind === 'usage';

mkdirSync(dirname(file), { recursive: true });
mkdirSync(env.EDU_STATE_DIR, { recursive: true });

const names = fc.oneof(fc.constantFrom<string[]>(...SETTING_NAMES), key);
const documents = fc.oneof(
  bytes,
  spoiled(
    fc
      .tuple(key, fc.array(fc.tuple(names, jsonText), { maxLength: 4 }), jsonText)
      .map(
        ([profile, values, chosen]) =>
          `{"profile":${chosen},"profiles":{${JSON.stringify(profile)}:{${values.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}}}`,
      ),
  ),
);

describe('the settings file', () => {
  fuzz(
    'keeps its other settings when one is set',
    fc.record({ name: names, value: text(40), other: key }),
    async ({ name, value, other }) => {
      const before = `{"profiles":{"default":{},${JSON.stringify(`x${other}`)}:{"browser":"none"}},${JSON.stringify(`z${other}`)}:[1]}`;
      writeFileSync(file, before);
      const asked = { flags: {}, env, settings: readSettings(env) };
      const tried = await tryTo(() => setSetting(name, value, asked, machine), isUsage);
      const now = readSettings(env);
      expect(now.profiles.get(`x${other}`)).toEqual({ browser: 'none' });
      expect(now.document[`z${other}`]).toEqual([1]);
      if ('value' in tried && name !== 'profile') expect(now.profiles.get('default')?.[name]).toBe(tried.value.value);
    },
    { share: 0.5 },
  );
});

describe('the remembered organization', () => {
  fuzz('of any content is an organization, or nothing', documents, async (document) => {
    writeFileSync(join(env.EDU_STATE_DIR, 'organizations.json'), document);
    await rememberedOrganization(env, { baseUrl: 'https://a.test', token: 't' }, machine);
  });
});

fuzz(
  'durations are whole milliseconds within the limit of timers, or an error',
  fc.oneof(
    text(15),
    fc.tuple(fc.double(), fc.constantFrom('ms', 's', 'm', 'h', '', ' s')).map((parts) => parts.join('')),
  ),
  (words) => {
    const length = milliseconds(words);
    if (length !== undefined) expect(Number.isInteger(length) && length >= 1 && length < 2 ** 31).toBe(true);
  },
);

describe('faults of the bundled service', () => {
  const isOptionError = (error: Error): boolean => error instanceof OptionError;
  const word = fc.oneof(
    fc.constantFrom(
      'GET',
      '/v1/*',
      '/**',
      '503',
      'reset',
      'when=after',
      'every=2',
      'times=1',
      'body={}',
      'latency=5',
      'retry-after=1',
    ),
    text(15),
  );
  fuzz(
    'of any text are faults, or an error',
    fc.array(word, { maxLength: 6 }).map((words) => words.join(' ')),
    async (line) => {
      await tryTo(() => parseFaults(line), isOptionError);
    },
  );
  fuzz('of any JSON are faults, or an error', jsonValue, async (value) => {
    await tryTo(() => faultsOf(value), isOptionError);
  });
});
