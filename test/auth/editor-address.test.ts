/** Attack: the service returns an editor address that would run, read or leak something when it is opened. */
import { describe, expect, test } from 'vitest';
import { EduError } from '../../src/core/errors.js';
import { checkServiceAddress, openAddress } from '../../src/output/terminal/browser.js';

describe('an address from the service', () => {
  test.each([
    'https://editor.example.com/open?token=one-time',
    'https://editor.example.com:8443/a%20b?x=1&y=2#z',
    'http://127.0.0.1:4010/editor/open?token=x',
    'http://localhost:4010/editor',
    'http://[::1]:4010/editor',
  ])('%s may be opened', (address) => {
    expect(checkServiceAddress(address)).toBe(address);
  });

  test.each([
    'http://editor.example.com/canary',
    'javascript:alert("canary")',
    'data:text/html,canary',
    'file:///etc/passwd?canary',
    'ftp://editor.example.com/canary',
    'vscode://canary',
    'calculator://canary',
    '--canary',
    '-canary',
    '/usr/bin/canary',
    '//editor.example.com/canary',
    'editor.example.com/canary',
    'https:editor.example.com/canary',
    'https:///canary',
    'https://user:canary@editor.example.com/',
    'https://canary@editor.example.com/',
    'https://@editor.example.com/canary',
    'HTTPS://:canary@editor.example.com',
    'https://editor.example.com\\@evil.example/canary',
    'https://editor.example.com/ canary',
    ' https://editor.example.com/canary',
    'https://editor.example.com/\ncanary',
    'https://editor.example.com/\tcanary',
    'https://editor.example.com/"&canary',
    "https://editor.example.com/'canary",
    'https://editor.example.com/`canary`',
    'https://editor.example.com/<canary>',
    'https://editor.example.com/\u202ecanary',
    'https://editor.example.com/\u0000canary',
    `https://editor.example.com/canary${'x'.repeat(10_000)}`,
    '',
    null,
    undefined,
    7,
    { url: 'https://editor.example.com/canary' },
    ['https://editor.example.com/canary'],
  ])('%j may not be opened, and the error does not repeat it', (address) => {
    let error: unknown;
    try {
      checkServiceAddress(address);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(EduError);
    expect(error).toMatchObject({ kind: 'invalid_response' });
    const { message, hint } = error as EduError;
    expect(`${message} ${hint}`).not.toContain('canary');
    expect(message).not.toMatch(/[\x00-\x1f]/);
  });

  test('a host in another script becomes what a browser would request', () => {
    expect(checkServiceAddress('https://b\u00fccher.example/x')).toBe('https://xn--bcher-kva.example/x');
  });
});

describe('opening an address', () => {
  const opening = (env: Record<string, string>, browser?: string) => {
    const started: unknown[][] = [];
    return {
      started,
      env,
      platform: 'linux' as const,
      browser,
      start: async (...given: unknown[]) => void started.push(given),
      handOver: async (address: string) => void started.push(['system', address]),
    };
  };

  test('passes it to EDU_BROWSER as the only argument, without secrets in the environment', async () => {
    const how = opening({ EDU_TOKEN: 'canary', EDU_CLIENT_SECRET: 'canary', PATH: '/bin' }, '/opt/my browser');
    expect(await openAddress('https://a.example/?x=1&y=$(id)', how)).toEqual({ opened: true });
    expect(how.started).toEqual([['/opt/my browser', 'https://a.example/?x=1&y=$(id)', { PATH: '/bin' }]]);
  });

  test('opens nothing with EDU_BROWSER=none', async () => {
    const how = opening({ DISPLAY: ':0' }, 'none');
    expect(await openAddress('https://a.example/', how)).toEqual({
      opened: false,
      reason: 'the browser is set to none',
    });
    expect(how.started).toEqual([]);
  });

  test.each([
    [{}, 'there is no display'],
    [{ DISPLAY: ':0', SSH_CONNECTION: '10.0.0.2 5000 10.0.0.1 22' }, 'remote session'],
    [{ WAYLAND_DISPLAY: 'w', SSH_TTY: '/dev/pts/1' }, 'remote session'],
  ] as [Record<string, string>, string][])('opens nothing in %j', async (env, reason) => {
    const how = opening(env);
    expect(await openAddress('https://a.example/', how)).toEqual({
      opened: false,
      reason: expect.stringContaining(reason),
    });
    expect(how.started).toEqual([]);
  });

  test.each([{ DISPLAY: ':0' }, { WAYLAND_DISPLAY: 'wayland-0' }, { WSL_DISTRO_NAME: 'Debian' }] as Record<
    string,
    string
  >[])('uses the opener of the system in %j', async (env) => {
    const how = opening(env);
    expect(await openAddress('https://a.example/', how)).toEqual({ opened: true });
    expect(how.started).toEqual([['system', 'https://a.example/']]);
  });

  test('a missing program is not an error', async () => {
    const opened = await openAddress('https://a.example/', { env: {}, platform: 'linux', browser: '/nowhere/browser' });
    expect(opened).toEqual({ opened: false, reason: '/nowhere/browser could not be started (ENOENT)' });
  });
});
