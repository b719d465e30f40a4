import { expect, test } from 'vitest';
import { account } from '../../../../src/contract/account.js';
import { classes } from '../../../../src/contract/classes.js';
import { licenses } from '../../../../src/contract/licenses.js';
import { bench, failure } from '../support.js';

const to = (location: string, status = 302) => ({ status, headers: { location } });

test.each([301, 302, 303, 307, 308])('follows a %i of a read within the origin', async (status) => {
  const { client, lines } = bench([to('/v1/account/?x=1', status), { body: { id: '1' } }]);
  expect(await client.call(account.show, {})).toEqual({ id: '1' });
  expect(lines()).toEqual(['GET /v1/account', 'GET /v1/account/?x=1']);
});

test('follows a relative redirect, without its fragment and user name', async () => {
  const { client, sent } = bench([to('https://u:p@api.example/v1/other#frag'), { body: { id: '1' } }]);
  await client.call(account.show, {});
  expect(sent[1]?.url).toBe('https://api.example/v1/other');
});

test.each([
  ['https://elsewhere.example/v1/account?secret=1', 'https://elsewhere.example'],
  ['http://api.example/v1/account', 'http://api.example'],
  ['//elsewhere.example/', 'https://elsewhere.example'],
  ['https://api.example:8443/', 'https://api.example:8443'],
])('does not follow a redirect to %s: the error names only %s', async (location, origin) => {
  // What a followed redirect would get.
  const { client, sent } = bench([to(location), { body: { id: '1' } }]);
  const error = await failure(client.call(account.show, {}));
  expect(error).toMatchObject({ kind: 'invalid_response', exitCode: 1, status: 302 });
  expect(error.message).toContain(origin);
  const moved = `If the service has moved there, set the base URL: edu config set base-url ${origin}`;
  // An unencrypted address is never recommended.
  expect(error.hint?.includes(moved) ?? false).toBe(origin.startsWith('https:'));
  expect(`${error.message}${error.hint}`).not.toContain('secret');
  expect(sent).toHaveLength(1);
});

test('follows five redirects, but not six', async () => {
  const five = bench((_, index) => (index < 5 ? to(`/v1/${index}`) : { body: { id: '1' } }));
  expect(await five.client.call(account.show, {})).toEqual({ id: '1' });
  const endless = bench([to('/v1/account')]);
  expect(await failure(endless.client.call(account.show, {}))).toMatchObject({
    kind: 'invalid_response',
    message: expect.stringContaining('more than 5 redirects'),
  });
  expect(endless.sent).toHaveLength(6);
});

test('reports a redirect without a valid address as an invalid response', async () => {
  for (const [step, why] of [
    [{ status: 302 }, 'without a valid address'],
    [to('http://['), 'without a valid address'],
    [to('file:///etc/passwd'), 'to an address that is not http or https'],
    [to('javascript:alert(1)'), 'to an address that is not http or https'],
  ] as const)
    expect(await failure(bench([step]).client.call(account.show, {}))).toMatchObject({
      kind: 'invalid_response',
      message: expect.stringContaining(why),
    });
});

test('never redirects a write', async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    const { client, sent } = bench([to('/v1/licenses/8', status)]);
    expect(await failure(client.call(licenses.delete, { params: { id: '7' } }))).toMatchObject({
      kind: 'invalid_response',
      message: expect.stringContaining('https://api.example'),
    });
    expect(sent).toHaveLength(1);
    const body = { name: 'A', schoolId: 's1', subjectId: '1' };
    const { hint } = await failure(bench([to('/v1/classes/8', status)]).client.call(classes.create, { body }));
    // 307 and 308 ask for the same request elsewhere, so that this one was not carried out.
    expect(hint).toMatch(status >= 307 ? /^Check the base URL/ : /^It may have been carried out/);
  }
});
