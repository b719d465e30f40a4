import { expect, test } from 'vitest';
import { wordsOf } from '../../../../src/client/errors/error-body.js';

const words = (body: unknown, type?: string) =>
  wordsOf(Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), type);

test.each([
  [{ message: 'name is missing' }, 'name is missing'],
  [{ error: 'Bad Request', message: 'name is missing' }, 'name is missing'],
  [{ error: 'InvalidClientCredentials', message: 'The code is wrong' }, 'InvalidClientCredentials: The code is wrong'],
  [{ error: 'access_denied', error_description: 'The user said no' }, 'access_denied: The user said no'],
  [{ error: { message: 'too long', code: 17 } }, 'too long'],
  [{ fault: { detail: { errorMessage: 'deep down' } } }, 'deep down'],
  [
    { statusCode: 400, message: ['name is missing', 'city is missing'], error: 'Bad Request' },
    'name is missing; city is missing',
  ],
  [{ type: 'about:blank', title: 'Not allowed', status: 403, detail: 'Ask an owner.' }, 'Ask an owner.'],
  [{ error: 'Forbidden' }, 'Forbidden'],
  [{ hinweis: { text2: 'irgendwas' } }, 'text2: irgendwas'],
  ['"just text"', 'just text'],
  ['plain text, no JSON', 'plain text, no JSON'],
  ['', ''],
  ['null', ''],
  ['[]', ''],
  ['{}', ''],
  ['{"message": "cut o', '{"message": "cut o'],
  [['one', 'two'], 'one; two'],
])('reads %j as %j', (body, text) => {
  expect(words(body).text).toBe(text);
});

test.each([
  [{ errors: [{ field: 'name', message: 'too long' }] }],
  [{ message: 'invalid', errors: [{ path: ['body', 'name'], message: 'too long' }] }],
  [{ errors: { name: 'too long' } }],
  [{ errors: { name: ['too long'] } }],
  [{ fields: { name: { message: 'too long' } } }],
  [{ error: { details: [{ property: 'name', description: 'too long' }] } }],
  [{ violations: [{ propertyPath: 'name', title: 'too long' }] }],
  [[{ field: 'name', message: 'too long' }]],
])('finds the field in %j', (body) => {
  expect(words(body).problems).toEqual([{ where: 'name', message: 'too long' }]);
  expect(words(body).text).not.toBe('');
});

test('uses the title of a page, else its text', () => {
  expect(words('<!DOCTYPE html><html><head><title>502 Bad&nbsp;Gateway</title></head><body>x</body></html>').text).toBe(
    '502 Bad Gateway',
  );
  expect(words('<html><body><h1>Oh <b>no</b></h1><p>text</p></body></html>').text).toBe('Oh no text');
  expect(words('<html><style>p{}</style><body><p>some &#252;ber &lt;text&gt;</p></body></html>').text).toBe(
    'some über <text>',
  );
  expect(words('<?xml version="1.0"?><error><message>broken</message></error>').text).toBe('broken');
});

test('reads old character sets', () => {
  expect(words(Buffer.from('für', 'latin1'), 'text/plain; charset=ISO-8859-1').text).toBe('für');
  expect(words(Buffer.from('\ufefffür', 'utf8'), 'text/plain').text).toBe('für');
});

test('cleans and truncates messages', () => {
  expect(words({ message: 'a\u001b[2Jb\u202ec' }).text).toBe('a b c');
  expect(words({ message: 'x'.repeat(5000) }).text).toBe(`${'x'.repeat(300)}…`);
  expect(
    words({ errors: Array.from({ length: 500 }, (_, i) => ({ field: `f${i}`, message: 'm' })) }).problems,
  ).toHaveLength(20);
});

test('reads deeply nested JSON', () => {
  expect(words('['.repeat(100_000)).text).toMatch(/^\[+…$/);
  expect(words(`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`).text).toBe('');
});
