import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { get as getOverTls } from 'node:https';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { strangeVariants } from '../../../../src/service/serve/parse-variants.js';
import { temporaryFolder } from '../../../support/run.js';
import { CERTIFICATE, KEY } from '../../../support/self-signed.js';
import { start } from './serving.js';

async function statusOf(request: ClientRequest): Promise<number | undefined> {
  const [{ statusCode }] = (await once(request, 'response')) as [IncomingMessage];
  return statusCode;
}

describe('flags for tests', () => {
  test('serves HTTPS with the given certificate', async () => {
    const folder = temporaryFolder();
    const [tlsCert, tlsKey] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    writeFileSync(tlsCert, CERTIFICATE);
    writeFileSync(tlsKey, KEY);
    const { serving } = await start({ tlsCert, tlsKey });
    const { baseUrl } = serving.facts;
    expect(baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    const options = { ca: CERTIFICATE, rejectUnauthorized: false };
    expect(await statusOf(getOverTls(`${baseUrl}/_health`, options))).toBe(200);
    await expect(start({ tlsCert })).rejects.toThrow('a certificate and its key belong together');
    await expect(start({ tlsCert, tlsKey: 'no.pem' })).rejects.toThrow('cannot read no.pem');
    const empty = join(folder, 'empty.pem');
    writeFileSync(empty, '');
    for (const wrong of [
      { tlsCert, tlsKey: tlsCert },
      { tlsCert, tlsKey: empty },
      { tlsCert: empty, tlsKey: empty },
    ])
      await expect(start(wrong)).rejects.toThrow('the certificate and its key cannot be used');
  });

  test('accepts only the given host names', async () => {
    const { serving } = await start({ hosts: ['edu.test', '127.0.0.1'] });
    const { port } = new URL(serving.facts.baseUrl);
    expect(new URL(serving.facts.baseUrl).hostname).toBe('edu.test');
    const status = (host: string) => statusOf(get({ host: '127.0.0.1', port, path: '/_health', headers: { host } }));
    expect(await Promise.all(['edu.test', `EDU.test:${port}`, 'localhost', 'evil.test'].map(status))).toEqual([
      200, 200, 200, 421,
    ]);
  });

  test('verifies addresses, also after a reset, and gives equal tokens with equal seeds', async () => {
    const options = { tokensFor: ['u3'], verified: ['u3'], randomSeed: 3 };
    const { serving, control } = await start(options);
    expect((await start(options)).serving.tokens).toEqual(serving.tokens);
    const isVerified = async () => {
      const { json } = await control('GET', '/state/users');
      return (json.items as { id: string; verified: boolean }[]).find(({ id }) => id === 'u3')?.verified;
    };
    expect(await isVerified()).toBe(true);
    expect((await control('POST', '/reset')).status).toBe(200);
    expect(await isVerified()).toBe(true);
    expect((await control('POST', '/tokens', { user: 'u3' })).json.token).not.toBe(serving.tokens.u3);
  });

  test('verifies no address that other data do not have', async () => {
    const seed = join(temporaryFolder(), 'seed.json');
    const account = { id: 'a', email: 'a@x.example', firstName: 'A', lastName: 'A', roles: [], permissions: [] };
    writeFileSync(seed, JSON.stringify({ organization: { id: 'o', type: 'School' }, account }));
    const { control } = await start({ seed, verified: ['a'] });
    expect((await control('POST', '/reset', { seed: 'empty' })).status).toBe(200);
  });

  test('issues tokens, registers applications and sets variants at the start', async () => {
    const { serving, control } = await start({
      tokensFor: ['u3', 'u3=1h', 'u3=expired', 'u3=revoked'],
      clients: ['shop=https://shop.test/back'],
      strange: 3,
    });
    expect(serving.tokens.u3).toMatch(/^edu_/);
    const statusOf = async (token = '') => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${serving.facts.baseUrl}/v1/account`, { headers })).status;
    };
    const tokens = [
      serving.tokens.u3,
      serving.tokens['u3=1h'],
      serving.tokens['u3=expired'],
      serving.tokens['u3=revoked'],
    ];
    expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 200, 401, 401]);
    await control('POST', '/tokens/revoke', { token: serving.tokens.u3 });
    await control('POST', '/reset', { keep: ['tokens'] });
    expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 200, 401, 401]);
    await control('POST', '/clock', { advance: '2h' });
    await control('POST', '/reset');
    expect(await Promise.all(tokens.map(statusOf))).toEqual([200, 200, 401, 401]);
    await expect(start({ tokensFor: ['u3=soon'] })).rejects.toThrow('token "u3=soon" cannot be used');
    await expect(start({ verified: ['nobody'] })).rejects.toThrow('no user has the ID or e-mail address "nobody"');
    expect((await control('GET', '/variants')).json).toEqual(strangeVariants(3));
    expect((await fetch(`${serving.facts.baseUrl}/login/oauth/authorize?client_id=shop`)).status).toBe(200);
    await expect(start({ tokensFor: ['nobody'] })).rejects.toThrow('no user has the ID or e-mail address "nobody"');
  });
});
