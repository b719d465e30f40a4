import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkStateFolder, configFolder, stateFolder } from '../../../src/settings/folders.js';

describe('folders of settings and state', () => {
  test.each([
    ['EDU_CONFIG_DIR wins', { EDU_CONFIG_DIR: '/c', XDG_CONFIG_HOME: '/x', HOME: '/h' }, 'linux', '/c'],
    ['XDG_CONFIG_HOME', { XDG_CONFIG_HOME: '/x', HOME: '/h' }, 'linux', '/x/edu'],
    ['a relative XDG folder is ignored', { XDG_CONFIG_HOME: 'x', HOME: '/h' }, 'linux', '/h/.config/edu'],
    ['home', { HOME: '/h' }, 'linux', '/h/.config/edu'],
    ['no HOME', {}, 'linux', `${homedir()}/.config/edu`],
    ['an empty EDU_CONFIG_DIR is not set', { EDU_CONFIG_DIR: '', HOME: '/h' }, 'linux', '/h/.config/edu'],
    ['macOS', { HOME: '/h' }, 'darwin', '/h/Library/Application Support/edu'],
    ['macOS with XDG', { HOME: '/h', XDG_CONFIG_HOME: '/x' }, 'darwin', '/x/edu'],
    ['Windows', { APPDATA: '/roaming', USERPROFILE: '/u' }, 'win32', '/roaming/edu'],
  ] as const)('settings: %s', (_, env, platform, folder) => {
    expect(configFolder(env, platform)).toBe(folder);
  });

  test.each([
    ['EDU_STATE_DIR wins', { EDU_STATE_DIR: '/s', XDG_STATE_HOME: '/x', HOME: '/h' }, 'linux', '/s'],
    ['XDG_STATE_HOME', { XDG_STATE_HOME: '/x', HOME: '/h' }, 'linux', '/x/edu'],
    ['home', { HOME: '/h' }, 'linux', '/h/.local/state/edu'],
    ['macOS', { HOME: '/h' }, 'darwin', '/h/Library/Application Support/edu/State'],
    ['Windows', { LOCALAPPDATA: '/local', USERPROFILE: '/u' }, 'win32', '/local/edu/State'],
  ] as const)('state: %s', (_, env, platform, folder) => {
    expect(stateFolder(env, platform)).toBe(folder);
  });
});

test('a state folder below a file is a usage error', () => {
  const folder = join(import.meta.filename, 'x');
  expect(() => checkStateFolder({ EDU_STATE_DIR: folder })).toThrow(
    expect.objectContaining({
      kind: 'usage',
      message: `Cannot use ${folder}: part of the path is not a folder (ENOTDIR).`,
    }),
  );
});
