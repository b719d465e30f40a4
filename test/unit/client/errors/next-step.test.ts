import { expect, test } from 'vitest';
import { nextStep } from '../../../../src/client/errors/next-step.js';
import { DOCUMENTED } from '../../../contract/endpoint-table.js';

const routes = DOCUMENTED.map(({ route }) => {
  const [method = '', path = ''] = route.split(' ');
  return { method, path: path.replace(/\{\w+\}/g, '7') };
});

test.each(routes.filter(({ path }) => path.includes('/7')))('$method $path not found: where to look', (about) => {
  expect(nextStep('not_found', about)).toMatch(/`edu [a-z-]+ \w+|Check the spelling/);
});

test.each(routes)('$method $path not allowed: what one may do, or why else', (about) => {
  const step = nextStep('forbidden', about);
  const { path } = about;
  const reason = path.endsWith('/activations')
    ? /licence without activations/
    : path === '/v1/schools/7/classes'
      ? /Only the owner of a school/
      : /edu account show/;
  expect(step).toMatch(reason);
});

test('a path that nothing is known of: perhaps the base URL is wrong', () => {
  expect(nextStep('not_found', { method: 'GET', path: '/v1/account' })).toContain('edu config get base-url');
});

test('the query does not matter', () => {
  expect(nextStep('not_found', { method: 'GET', path: '/v1/books/B1?language=EN' })).toContain('edu books list');
});

test('the words of the service stand alone where there is nothing to add', () => {
  expect(nextStep('refused', { method: 'POST', path: '/v1/schools' })).toBeUndefined();
  expect(nextStep('refused', { method: 'DELETE', path: '/v1/licenses/7' })).toContain('edu licenses cancel');
});
