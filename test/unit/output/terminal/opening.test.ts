/** Opening addresses on other systems. */
import { describe, expect, test } from 'vitest';
import { noBrowserReason, openAddress } from '../../../../src/output/terminal/browser.js';

const ADDRESS = 'https://content.example/editor?book=1&token=a%20b"c^d';

describe('detecting a browser', () => {
  test.each([
    ['linux', {}, 'no display'],
    ['linux', { DISPLAY: ':0' }, undefined],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, undefined],
    ['linux', { WSL_DISTRO_NAME: 'Debian' }, undefined],
    ['freebsd', {}, 'no display'],
    ['darwin', {}, undefined],
    ['win32', {}, undefined],
    ['darwin', { SSH_CONNECTION: '1 2 3 4' }, 'SSH'],
    ['win32', { SSH_CLIENT: '1 2 3' }, 'SSH'],
    ['linux', { DISPLAY: ':0', SSH_TTY: '/dev/pts/1' }, 'SSH'],
  ] as const)('%s with %o: %s', (platform, env, why) => {
    const reason = noBrowserReason(env, platform);
    if (why === undefined) expect(reason).toBeUndefined();
    else expect(reason).toContain(why);
  });
});

describe.each(['linux', 'darwin', 'win32'] as const)('on %s', (platform) => {
  const PATH = platform === 'win32' ? 'C:\\Windows' : '/bin';
  const env = { DISPLAY: ':0', EDU_TOKEN: 'secret', PATH };

  test('passes the address to the system unchanged', async () => {
    const given: string[] = [];
    const handOver = async (address: string) => void given.push(address);
    expect(await openAddress(ADDRESS, { env, platform, browser: undefined, handOver })).toEqual({ opened: true });
    expect(given).toEqual([ADDRESS]);
  });

  test('passes it to the configured program as the only argument, without secrets', async () => {
    const given: unknown[] = [];
    const start = async (...args: unknown[]) => void given.push(args);
    const browser = platform === 'win32' ? 'C:\\Program Files\\Browser\\browser.exe' : '/opt/my browser';
    expect(await openAddress(ADDRESS, { env, platform, browser, start })).toEqual({ opened: true });
    expect(given).toEqual([[browser, ADDRESS, { DISPLAY: ':0', PATH }]]);
  });

  test('returns that a program did not start', async () => {
    // The error of Windows for a .cmd file without a shell.
    const start = () => Promise.reject(Object.assign(new Error('spawn EINVAL'), { code: 'EINVAL' }));
    const browser = platform === 'win32' ? 'C:\\browser.cmd' : '/browser.cmd';
    const opened = await openAddress(ADDRESS, { env, platform, browser, start });
    expect(opened).toEqual({ opened: false, reason: `${browser} could not be started (EINVAL)` });
  });

  test.each([
    ['no-such-browser', 'was not found in PATH'],
    ['./browser', 'is not an absolute path'],
  ])('does not start %s: %s', async (browser, why) => {
    const start = () => Promise.reject(new Error('was started'));
    const opened = await openAddress(ADDRESS, { env, platform, browser, start });
    expect(opened).toEqual({ opened: false, reason: `${browser} ${why}` });
  });
});

test('a program that ends with an error at once has not opened the address', async () => {
  // Not Node where there is another: it may start too slowly on a busy machine.
  const browser = process.platform === 'win32' ? process.execPath : '/usr/bin/false';
  const opened = await openAddress(ADDRESS, { env: process.env, platform: process.platform, browser });
  expect(opened).toEqual({ opened: false, reason: `${browser} could not be started (exit code 1)` });
});
