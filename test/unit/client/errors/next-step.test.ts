import { expect, test } from 'vitest';
import { howToCheck } from '../../../../src/client/errors/how-to-check.js';
import { nextStep } from '../../../../src/client/errors/refusal.js';
import { DOCUMENTED } from '../../../contract/endpoint-table.js';

const routes = DOCUMENTED.map(({ route }) => {
  const [method = '', path = ''] = route.split(' ');
  return { method, path: path.replace(/\{\w+\}/g, '7') };
});

test.each(routes.filter(({ path }) => path.includes('/7')))(
  '$method $path not found: names the command that lists items',
  (about) => {
    expect(nextStep('not_found', about)).toMatch(/`edu [a-z-]+ \w+|Check the spelling/);
  },
);

test.each(routes)('$method $path not allowed: names permissions or another reason', (about) => {
  const step = nextStep('forbidden', about);
  const { path } = about;
  const reason = path.endsWith('/activations')
    ? /licence without activations/
    : path === '/v1/schools/7/classes'
      ? /Only the owner of a school/
      : /^\/v1\/(books|readers)\/7(\/editor)?$/.test(path)
        ? /^Only the organization that it belongs to .*edu account show/
        : /edu account show/;
  expect(step).toMatch(reason);
});

test('suggests to check the base URL for an unknown path', () => {
  expect(nextStep('not_found', { method: 'GET', path: '/v1/account' })).toContain('edu config get base-url');
});

test('suggests /v1 for a path without it, except those of the login', () => {
  expect(nextStep('not_found', { method: 'GET', path: '/account' })).toContain('did you mean /v1/account?');
  expect(nextStep('not_found', { method: 'POST', path: '/login/oauth/access_token' })).toContain('get base-url');
});

test('says that end users are not shown, which an address may be of', () => {
  expect(nextStep('not_found', { method: 'GET', path: '/v1/users/e1' })).toContain('shows no end users');
});

test('ignores the query', () => {
  expect(nextStep('not_found', { method: 'GET', path: '/v1/books/B1?language=EN' })).toContain('edu books list');
});

test('adds no hint where there is none', () => {
  expect(nextStep('refused', { method: 'POST', path: '/v1/schools' })).toBeUndefined();
  expect(nextStep('refused', { method: 'DELETE', path: '/v1/licenses/7' })).toContain('edu licenses cancel');
});

test.each([
  [
    '/v1/licenses',
    { code: 'abc77' },
    'Check with `edu licenses get code:abc77` before you run it again with `--code abc77`, so that it is never created twice.',
  ],
  ['/v1/users', { email: 'a+b@c.example' }, 'Check with `edu users get a+b@c.example` before you run it again.'],
  ['/v1/schools', undefined, 'Check with `edu schools list` before you run it again.'],
  [
    '/v1/classes?a=1',
    undefined,
    'Check with `edu classes list --school ID` before you run it again, which could create a second class.',
  ],
  [
    '/v1/classes',
    { schoolId: 's1' },
    'Check with `edu classes list --school s1` before you run it again, which could create a second class.',
  ],
  ['/v1/files', undefined, 'Files cannot be listed. If you run it again, it is stored twice at worst.'],
  ['/v1/unheard', undefined, 'Check whether it was carried out before you run it again.'],
  ['/login/oauth/access_token', undefined, 'The code has been used. Run `edu auth login` again.'],
])('says how to check a create at %s with the values %s', (path, body, advice) => {
  expect(howToCheck({ path }, body)).toBe(advice);
});
