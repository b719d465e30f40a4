/** `edu offline serve` as a process: its ready line, its log, its end by a signal. Requires the build. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.js';

const EDU = join(import.meta.dirname, '..', '..', 'bin', 'edu.js');

const children: ChildProcessWithoutNullStreams[] = [];
const folders: string[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  folders.length = 0;
});

async function start(...flags: string[]) {
  const folder = temporaryFolder();
  folders.push(folder);
  const env = {
    PATH: process.env.PATH ?? '',
    TMPDIR: folder,
    EDU_STATE_DIR: join(folder, 'state'),
    EDU_CONFIG_DIR: join(folder, 'config'),
  };
  const child = spawn(process.execPath, [EDU, 'offline', 'serve', '--port', '0', ...flags], { env });
  children.push(child);
  const seen = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (seen.stdout += chunk));
  child.stderr.on('data', (chunk) => (seen.stderr += chunk));
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  await expect.poll(() => seen.stdout, { timeout: 15_000 }).toContain('\n');
  return { child, seen, ended };
}

describe('edu offline serve', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'prints one ready line, serves, and stops cleanly on %s',
    async (signal) => {
      const { child, seen, ended } = await start('--memory', '--json');
      const facts = JSON.parse(seen.stdout) as { baseUrl: string; personas: Record<string, string> };
      expect(facts).toMatchObject({
        baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        clientId: 'edu-offline',
        callbackUrl: 'http://127.0.0.1:8976/callback',
      });
      const token = facts.personas.school ?? '';
      const answer = await fetch(`${facts.baseUrl}/v1/account`, { headers: { authorization: `Bearer ${token}` } });
      expect(await answer.json()).toMatchObject({ id: 'u3' });
      child.kill(signal);
      expect(await ended).toBe(0);
      expect(seen.stdout.split('\n')).toHaveLength(2);
      expect(seen.stderr).toMatch(/^GET \/v1\/account 200 \d+\.\dms$/m);
      expect(seen.stderr).not.toContain(token);
    },
  );

  test('names base URL, client id, client secret and callback URL on its ready line', async () => {
    const { seen } = await start('--memory', '--callback-url', 'http://127.0.0.1:50999/cb');
    expect(seen.stdout).toMatch(
      /^.*http:\/\/127\.0\.0\.1:\d+.*edu-offline.*practice\+secret&100%=safe.*:50999\/cb.*\n$/,
    );
  });

  test('starts with the data that it exported at its end, in spite of faults', async () => {
    const data = join(temporaryFolder(), 'demo');
    const run = async (
      flags: readonly string[],
      work: (baseUrl: string, headers: Record<string, string>) => unknown,
    ) => {
      const { child, seen, ended } = await start('--json', '--import', data, ...flags);
      const { baseUrl, personas } = JSON.parse(seen.stdout) as { baseUrl: string; personas: Record<string, string> };
      await work(baseUrl, { authorization: `Bearer ${personas.distributor}`, 'content-type': 'application/json' });
      child.kill('SIGTERM');
      expect(await ended, seen.stderr).toBe(0);
      expect(seen.stdout.split('\n')).toHaveLength(2);
    };
    const put = async (url: string, method: string, headers: Record<string, string>, body: object) => {
      const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
      expect(answer.status).toBe(200);
      return (await answer.json()) as { id: string };
    };
    const organization = { id: 's1', type: 'School' };
    const user = { firstName: 'A', lastName: 'B', language: 'EN', email: 'a@example.org', roles: [], organization };
    const licence = { name: 'Kept', code: 'kept1', type: 'Teacher', maximumActivations: 1 };
    let ids = { userId: '', licenseId: '' };
    await run(['--export-on-exit', data, '--fault', 'GET 503 /v1/**'], async (baseUrl, headers) => {
      const { id: userId } = await put(`${baseUrl}/v1/users`, 'POST', headers, user);
      const { id: licenseId } = await put(`${baseUrl}/v1/licenses`, 'POST', headers, licence);
      ids = { userId, licenseId };
      await put(`${baseUrl}/v1/licenses/assignLicense`, 'PUT', headers, ids);
    });
    await run(['--export-on-exit', data], async (baseUrl, headers) => {
      const answer = await fetch(`${baseUrl}/v1/licenses/${ids.licenseId}/activations`, { headers });
      expect(await answer.json()).toMatchObject({ activations: [{ user: ids.userId }] });
      await put(`${baseUrl}/v1/licenses`, 'POST', headers, { ...licence, code: 'kept2' });
    });
    await run([], async (baseUrl, headers) => {
      const answer = await fetch(`${baseUrl}/v1/licenses?type=TEACHER`, { headers });
      const { licenses } = (await answer.json()) as { licenses: { code: string }[] };
      expect(licenses.map(({ code }) => code).sort()).toEqual(['kept1', 'kept2']);
    });
  });

  test('exports the whole sample data, and refuses the folder of another service before the start', async () => {
    const data = temporaryFolder();
    const { child, seen, ended } = await start('--memory', '--export-on-exit', data);
    child.kill('SIGINT');
    expect(await ended, seen.stderr).toBe(0);
    const path = join(data, 'manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as object;
    expect(manifest).toMatchObject({ complete: true, resources: { licenses: { count: 250 }, schools: { count: 5 } } });
    const line = [EDU, 'offline', 'serve', '--port', '0', '--memory', '--export-on-exit', data];
    const env = { PATH: process.env.PATH ?? '', EDU_STATE_DIR: data, EDU_CONFIG_DIR: data };
    for (const [content, reason] of [
      [
        { ...manifest, baseUrl: 'https://other.example' },
        `export to ${data}: it is an export of https://other.example`,
      ],
      [{}, `write to ${data}: it already contains manifest.json`],
    ]) {
      writeFileSync(path, JSON.stringify(content));
      await expect(promisify(execFile)(process.execPath, line, { env })).rejects.toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(`Error: Cannot ${reason}.\nHint: Name another folder`),
      });
    }
  });

  test('names the reason in one error if the data cannot be exported', async () => {
    const data = join(temporaryFolder(), 'data');
    const { child, seen, ended } = await start('--memory', '--json', '--quiet', '--export-on-exit', data);
    rmSync(data, { recursive: true });
    writeFileSync(data, '');
    child.kill('SIGINT');
    expect(await ended, seen.stderr).toBe(3);
    expect(JSON.parse(seen.stderr)).toMatchObject({
      error: { kind: 'partial', message: expect.stringContaining(`Cannot write ${data}: `), hint: expect.any(String) },
    });
  });

  test('keeps acknowledged writes when it is killed', async () => {
    const { child, seen, ended } = await start('--json');
    const { baseUrl, personas } = JSON.parse(seen.stdout) as { baseUrl: string; personas: Record<string, string> };
    const headers = { authorization: `Bearer ${personas.distributor}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Kept', code: 'kept1', type: 'Teacher', maximumActivations: 1 });
    expect((await fetch(`${baseUrl}/v1/licenses`, { method: 'POST', headers, body })).status).toBe(200);
    child.kill('SIGKILL');
    await ended;
    const env = { PATH: process.env.PATH ?? '', EDU_STATE_DIR: join(folders[0] ?? '', 'state') };
    const again = spawn(process.execPath, [EDU, '--offline', 'licenses', 'get', 'code:kept1', '--json'], { env });
    children.push(again);
    let output = '';
    again.stdout.on('data', (chunk) => (output += chunk));
    await new Promise((resolve) => again.on('close', resolve));
    expect(JSON.parse(output)).toMatchObject({ name: 'Kept' });
  });
});
