import { describe, expect, it, test } from 'vitest';
import type { Flag } from '../../../src/cli/command.js';
import { attempted, type Tried, wordError, wordHint } from '../../../src/cli/hints.js';
import { EduError, usageError } from '../../../src/core/errors.js';
import { commandsIn } from '../../support/commands-in.js';

const tried = (path: string, names: readonly string[] = [], values: Tried['values'] = {}): Tried => ({
  command: { arguments: names.map((name) => ({ name, description: '' })) },
  path,
  values,
  words: [],
});

describe('a hint', () => {
  test.each([
    ['Log in with `edu auth login`.', { profile: 'tmp' }, 'Log in with `edu auth login --profile tmp`.'],
    ['See `edu books list`.', { offline: true, as: 'viewer' }, 'See `edu books list --as viewer --offline`.'],
    [
      'Look: edu books list',
      { 'base-url': 'https://a.example/x y' },
      "Look: edu books list --base-url 'https://a.example/x y'",
    ],
    [
      'Log in with `edu auth login`.',
      { 'base-url': 'https://me:pass@a.example/x' },
      'Log in with `edu auth login --base-url https://a.example/x`.',
    ],
    [
      'Look: edu a',
      { 'base-url': 'http://edu:4010', 'insecure-http': ['edu', 'b'] },
      'Look: edu a --base-url http://edu:4010 --insecure-http edu,b',
    ],
    ['Look: edu a', { 'base-url': 'me:pass@a.example' }, 'Look: edu a --base-url a.example'],
    ['Look: edu a', { 'base-url': 'https://a.example/@b' }, 'Look: edu a --base-url https://a.example/@b'],
    [
      'Check: edu config get base-url',
      { profile: 'tmp', 'base-url': 'https://a.example' },
      'Check: edu config get base-url --profile tmp --base-url https://a.example',
    ],
    [
      'Set: edu config set client-id VALUE',
      { profile: 'tmp', 'base-url': 'https://a.example' },
      'Set: edu config set client-id VALUE --profile tmp',
    ],
    [
      'Rename it (mv a b), then log in again: edu auth login',
      { profile: 'tmp' },
      'Rename it (mv a b), then log in again: edu auth login --profile tmp',
    ],
    ['Run `edu auth login --profile work`.', { profile: 'tmp' }, 'Run `edu auth login --profile work`.'],
    ['Log in with `edu auth login`.', { offline: true }, 'Log in with `edu auth login`.'],
    ['Run `edu auth token | wc`.', { profile: 'tmp' }, 'Run `edu auth token --profile tmp | wc`.'],
    ['Run `edu a -- b`.', { profile: 'tmp' }, 'Run `edu a --profile tmp -- b`.'],
    ["Run `edu a ' -- ' -- --offline`.", { offline: true }, "Run `edu a ' -- ' --offline -- --offline`."],
    ['See: edu licenses create --help', { profile: 'tmp' }, 'See: edu licenses create --help'],
    ['Look: edu a b.', { profile: 'tmp' }, 'Look: edu a b --profile tmp.'],
    ['See: edu a, or `edu b`', { profile: 'tmp' }, 'See: edu a, or `edu b --profile tmp`'],
    ['Nothing was sent.', { profile: 'tmp' }, 'Nothing was sent.'],
  ])('%j with %j', (hint, globals, expected) => {
    expect(wordHint(hint, globals)).toBe(expected);
  });

  it('contains its commands', () => {
    expect(commandsIn('Run `edu a b`, or `edu c`. Else: edu d --e')).toEqual(['edu a b', 'edu c', 'edu d --e']);
  });
});

test('an unknown outcome of edu api is worded without repeating "request"', () => {
  const error = new EduError('outcome_unknown', 'it may have been done', { isReason: true });
  const worded = wordError(error, {}, tried('api', ['path'], { path: '/v1/x' }));
  expect(worded.message).toBe('Cannot confirm the request /v1/x: it may have been done.');
});

test.each([
  ['Cannot list licences: the list ended early.', 'the list ended early', true],
  ['the list ended early', 'the list ended early', false],
])('%s: a message leads with the attempt if its error is a reason, however it looks', (expected, message, isReason) => {
  const error = new EduError('partial', message, { method: 'GET', isReason });
  expect(wordError(error, {}, tried('licenses list')).message).toBe(expected);
  expect(error.with({ kind: 'server_error' }).isReason).toBe(isReason);
});

test.each([
  [
    'licenses assign',
    ['licence', 'user'],
    { licence: 'code:welcome1', user: ['x@y.example'] },
    'assign licence code:welcome1 to x@y.example',
  ],
  ['classes unassign', ['class', 'user'], { class: 'c1', user: ['u1', 'u2'] }, 'remove u1, u2 from class c1'],
  ['licenses delete', ['licence'], { licence: ['1', '2', '3', '4', '5'] }, 'delete licences 1, 2, 3 and 2 more'],
  ['licenses create', [], { name: 'Autumn', code: 'a1' }, 'create licence "Autumn"'],
  ['end-users create', [], { email: 'a@b.example' }, 'create end user "a@b.example"'],
  ['subscriptions create', [], {}, 'create a subscription'],
  ['users find', ['email'], { email: 'a+b@c.example' }, 'find user a+b@c.example'],
  ['books list', [], {}, 'list books'],
  ['books licenses', ['book'], {}, 'list the licences'],
  ['classes assign', ['class', 'user'], {}, 'assign …'],
  ['schools classes', ['school'], { school: 's1' }, 'list the classes of school s1'],
  ['api', ['path'], { path: '/v1/account' }, 'request /v1/account'],
  ['doctor', [], {}, 'diagnose'],
])('%s %j %j: %s', (path, names, values, expected) => {
  expect(attempted(tried(path, names, values))).toBe(expected);
});

describe('an error', () => {
  const get = tried('books get', ['id'], { id: 'B1' });
  const failed = (kind: 'not_found' | 'outcome_unknown', message: string) =>
    wordError(new EduError(kind, message, { isReason: true }), {}, get);

  it('begins with the attempt', () => {
    expect(failed('not_found', 'not found (404): gone').message).toBe('Cannot get book B1: not found (404): gone.');
    expect(failed('outcome_unknown', 'it may have been carried out: reset').message).toBe(
      'Cannot confirm the request to get book B1: it may have been carried out: reset.',
    );
  });

  it('has a hint when the service refused', () => {
    expect(failed('not_found', 'not found (404)').hint).toBe('See: edu books get --help');
  });

  it('about usage begins with the flag', () => {
    expect(wordError(usageError('--days: no.'), {}, get).message).toBe('--days: no.');
  });

  it('keeps the facts and the stack of the original', () => {
    const error = new EduError('refused', 'no', { status: 400, requestId: 'r', details: [{ message: 'd' }] });
    const worded = wordError(error, {}, undefined);
    expect(worded).toMatchObject({ status: 400, requestId: 'r', details: [{ message: 'd' }], stack: error.stack });
  });
});

test.each([
  [['--subject', 'x'], '--subject'],
  [['--subject=x'], '--subject'],
  [['--subject-id', 'x'], '--subject-id'],
])('names a flag as it was typed: %j', (words, shown) => {
  const subject: Flag = { name: 'subject-id', kind: 'text', description: '', aliases: ['subject'] };
  const details = [{ where: '--subject-id', message: 'is blank' }];
  const error = new EduError('usage', '--subject-id: no.', {
    hint: 'Give --subject-id, or --subject-id-type.',
    details,
  });
  expect(wordError(error, {}, { ...tried('classes create'), command: { flags: [subject] }, words })).toMatchObject({
    message: `${shown}: no.`,
    hint: `Give ${shown}, or --subject-id-type.`,
    details: [{ where: shown, message: 'is blank' }],
  });
});
