// @ts-nocheck: JavaScript of a user, who has no types.
/** A small client of another team, which can make mistakes on purpose. */
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';

export const MISTAKES = [
  'misspells a member',
  'sends an empty text',
  'stops after a page',
  'ignores 429',
  'treats 403 as success',
  'assigns to the caller',
  'sends twice',
  'remembers invited users',
  'never deletes',
  'forgets the state',
];

/**
 * @param service the parts of the service that its user needs: `send` is like `fetch`, and receives paths
 * @param mistake one of `MISTAKES`, or undefined
 */
export function createClient({ send, token, clientId, clientSecret }, mistake) {
  const invited = new Set();
  const isWrong = (name) => mistake === name;

  async function request(method, path, body) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await send(path, { method, headers, body: body && JSON.stringify(body) });
    if (response.status === 429 && !isWrong('ignores 429')) {
      await setTimeout(Number(response.headers.get('retry-after')) * 1000);
      return request(method, path, body);
    }
    if (response.status === 429) return {};
    if (response.status === 403 && isWrong('treats 403 as success')) return {};
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? undefined : response.json();
  }

  return {
    createLicence: ({ code, category }) =>
      request('POST', '/v1/licenses', {
        name: code,
        code,
        type: 'Teacher',
        maximumActivations: 5,
        [isWrong('misspells a member') ? 'licenceCategory' : 'licenseCategory']: category,
        ...(isWrong('sends an empty text') ? { expiration: '' } : {}),
      }),
    licence: (code) => request('GET', `/v1/licenses/code/${code}`),
    async licences(type) {
      const found = [];
      let cursor;
      do {
        const query = new URLSearchParams({ type, ...(cursor ? { cursor } : {}) });
        const { licenses = [], paging } = await request('GET', `/v1/licenses?${query}`);
        found.push(...licenses);
        cursor = isWrong('stops after a page') ? undefined : paging?.nextCursor;
      } while (cursor);
      return found;
    },
    async deleteLicence(id) {
      if (!isWrong('never deletes')) await request('DELETE', `/v1/licenses/${id}`);
    },
    async invite(email) {
      if (invited.has(email) && isWrong('remembers invited users')) {
        return request('GET', `/v1/users/userId/${encodeURIComponent(email)}`);
      }
      invited.add(email);
      const organization = { id: 's1', type: 'School' };
      const person = { firstName: 'Ada', lastName: 'Example', language: 'EN', roles: [] };
      return request('POST', '/v1/users', { ...person, email, organization });
    },
    async assign(userId, licenseId) {
      const body = { userId: isWrong('assigns to the caller') ? 'u1' : userId, licenseId };
      if (isWrong('sends twice')) await request('PUT', '/v1/licenses/assignLicense', body);
      return request('PUT', '/v1/licenses/assignLicense', body);
    },
    login() {
      const state = isWrong('forgets the state') ? undefined : randomBytes(16).toString('hex');
      return {
        query: { client_id: clientId, ...(state ? { state } : {}) },
        async finish(callback) {
          const { code, state: returned } = Object.fromEntries(new URL(callback).searchParams);
          if (state !== undefined && returned !== state) throw new Error('the state differs');
          const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, code });
          if (returned !== undefined) body.set('state', returned);
          return (await send('/login/oauth/access_token', { method: 'POST', body })).json();
        },
      };
    },
  };
}
