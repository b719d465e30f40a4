import { userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { checkStateFolder, configFolder, stateFolder } from '../../../src/settings/folders.js';

describe('folders of settings and state', () => {
  test.each([
    ['EDU_CONFIG_DIR wins', { EDU_CONFIG_DIR: '/c', XDG_CONFIG_HOME: '/x', HOME: '/h' }, 'linux', '/c'],
    ['XDG_CONFIG_HOME', { XDG_CONFIG_HOME: '/x', HOME: '/h' }, 'linux', '/x/edu'],
    ['a relative XDG folder is ignored', { XDG_CONFIG_HOME: 'x', HOME: '/h' }, 'linux', '/h/.config/edu'],
    ['home', { HOME: '/h' }, 'linux', '/h/.config/edu'],
    ['no HOME', {}, 'linux', `${userInfo().homedir}/.config/edu`],
    ['an empty HOME, not the current folder', { HOME: '' }, 'linux', `${userInfo().homedir}/.config/edu`],
    ['a relative HOME, not the current folder', { HOME: '.' }, 'linux', `${userInfo().homedir}/.config/edu`],
    ['an empty EDU_CONFIG_DIR is not set', { EDU_CONFIG_DIR: '', HOME: '/h' }, 'linux', '/h/.config/edu'],
    ['the home folder in EDU_CONFIG_DIR', { EDU_CONFIG_DIR: '~', HOME: '/h' }, 'linux', '/h'],
    ['a name that begins with ~', { EDU_CONFIG_DIR: '/a/~/~b', HOME: '/h' }, 'linux', '/a/~/~b'],
    ['macOS', { HOME: '/h' }, 'darwin', '/h/Library/Application Support/edu'],
    ['macOS with XDG', { HOME: '/h', XDG_CONFIG_HOME: '/x' }, 'darwin', '/x/edu'],
    ['Windows', { APPDATA: '/roaming', USERPROFILE: '/u' }, 'win32', '/roaming/edu'],
    ['a relative APPDATA', { APPDATA: 'x', USERPROFILE: '/u' }, 'win32', '/u/AppData/Roaming/edu'],
  ] as const)('settings: %s', (_, env, platform, folder) => {
    expect(configFolder(env, platform)).toBe(folder);
  });

  test.each([
    ['EDU_STATE_DIR wins', { EDU_STATE_DIR: '/s', XDG_STATE_HOME: '/x', HOME: '/h' }, 'linux', '/s'],
    ['a folder in the home folder in EDU_STATE_DIR', { EDU_STATE_DIR: '~/s', HOME: '/h' }, 'linux', '/h/s'],
    ['XDG_STATE_HOME', { XDG_STATE_HOME: '/x', HOME: '/h' }, 'linux', '/x/edu'],
    ['home', { HOME: '/h' }, 'linux', '/h/.local/state/edu'],
    ['macOS', { HOME: '/h' }, 'darwin', '/h/Library/Application Support/edu/State'],
    ['Windows', { LOCALAPPDATA: '/local', USERPROFILE: '/u' }, 'win32', '/local/edu/State'],
    ['a relative LOCALAPPDATA', { LOCALAPPDATA: '.', USERPROFILE: '/u' }, 'win32', '/u/AppData/Local/edu/State'],
  ] as const)('state: %s', (_, env, platform, folder) => {
    expect(stateFolder(env, platform)).toBe(folder);
  });
});

test('an unknown home folder is a usage error with a way out', () => {
  vi.spyOn(process.getBuiltinModule('node:os'), 'userInfo').mockImplementation(() => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  });
  const error = {
    kind: 'usage',
    message: 'Cannot find your home folder: HOME is not set to an absolute path.',
    hint: 'Set HOME, or both EDU_CONFIG_DIR and EDU_STATE_DIR.',
  };
  expect(() => configFolder({ HOME: '' })).toThrow(expect.objectContaining(error));
  expect(() => stateFolder({})).toThrow(expect.objectContaining(error));
  expect(configFolder({ XDG_CONFIG_HOME: '/x' }, 'linux')).toBe('/x/edu');
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
