/** `authorize` decides as a person on the consent page, which offers any user. */
import { expect, test } from 'vitest';
import { made } from '../demo-service.js';

type Service = Awaited<ReturnType<typeof made>>['service'];

async function userOf(service: Service, address: string): Promise<unknown> {
  const { clientId, clientSecret } = service;
  const code = new URL(address).searchParams.get('code') ?? '';
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, code });
  const answer = await service.fetch('/login/oauth/access_token', { method: 'POST', body });
  const { access_token } = (await answer.json()) as { access_token: string };
  const account = await service.fetch('/v1/account', { headers: { authorization: `Bearer ${access_token}` } });
  return ((await account.json()) as { id: unknown }).id;
}

test.each(['school', 'u3', 'school@example.org'])('logs in %s, and leaves no request', async (user) => {
  const { service } = await made();
  const redirectUri = `${service.callbackUrl}/deeper`;
  const address = await service.authorize({ user, state: 'a b', redirectUri });
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:8976\/callback\/deeper\?code=[^&]+&state=a\+b$/);
  expect(service.requests()).toEqual([]);
  expect(await userOf(service, address)).toBe('u3');
});

test('returns the errors that the application gets', async () => {
  const { service } = await made();
  const error = async (options: object) =>
    new URL(await service.authorize({ user: 'u3', ...options })).searchParams.get('error');
  expect(await error({ deny: true })).toBe('access_denied');
  expect(await error({ redirectUri: 'https://evil.test/' })).toBe('redirect_uri_mismatch');
  expect(await error({ clientId: 'edu-suspended' })).toBe('application_suspended');
  await expect(error({ clientId: 'none' })).rejects.toThrow('no application has the client ID "none"');
  await expect(error({ user: 'nobody' })).rejects.toThrow('no user has the ID or e-mail address "nobody"');
  await expect(error({ user: undefined })).rejects.toThrow('user is required');
  await expect(error({ redirectUri: new URL(service.callbackUrl) })).rejects.toThrow('redirectUri');
});

test('the consent page accepts any user of an organization', async () => {
  const { service } = await made();
  const decide = async (user: string) => {
    const page = await (await service.fetch(`/login/oauth/authorize?client_id=${service.clientId}`)).text();
    expect(page).toContain('<option value="u3">');
    const consent = /name="consent" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const body = new URLSearchParams({ consent, persona: 'distributor', user, decision: 'allow' });
    return service.fetch('/login/oauth/authorize', { method: 'POST', body });
  };
  const allowed = await decide('school@example.org');
  expect(await userOf(service, allowed.headers.get('location') ?? '')).toBe('u3');
  expect((await decide('nobody')).status).toBe(400);
});
