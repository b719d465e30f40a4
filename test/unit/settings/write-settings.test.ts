import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSettings, settingsFile } from '../../../src/settings/read-settings.js';
import { changeProfile } from '../../../src/settings/write-settings.js';
import { temporaryFolder } from '../../support/run.js';
import { emptyEnv, machine } from './support.js';

describe('writing settings', () => {
  test('loses nothing with many writers at once', async () => {
    const env = emptyEnv();
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => changeProfile(env, machine(), `p${index}`, { language: 'NL' })),
    );
    expect(readSettings(env).profiles.size).toBe(20);
    expect(existsSync(`${settingsFile(env)}.lock`)).toBe(false);
  });

  test('keeps a settings file that is a link', async () => {
    const env = emptyEnv();
    const real = join(temporaryFolder(), 'dotfile.json');
    writeFileSync(real, '{}');
    mkdirSync(dirname(settingsFile(env)), { recursive: true });
    symlinkSync(real, settingsFile(env));
    await changeProfile(env, machine(), 'default', { language: 'NL' });
    expect(lstatSync(settingsFile(env)).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(real, 'utf8'))).toEqual({ profiles: { default: { language: 'NL' } } });
  });

  test('names a file in place of the folder', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    await expect(changeProfile({ EDU_CONFIG_DIR: file }, machine(), 'default', {})).rejects.toThrowError(
      expect.objectContaining({ kind: 'usage', message: expect.stringContaining(file) }),
    );
  });
});
