import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactJson, parseJson, putNumber } from '../../../src/core/exact-json.js';

test.each([
  ['{"id":12345678901234567890}', { id: '12345678901234567890' }],
  ['[9007199254740993,-9007199254740993]', ['9007199254740993', '-9007199254740993']],
  ['[9007199254740992,1234567890123456]', [9007199254740992, 1234567890123456]],
  ['1e999', '1e999'],
  ['[1e21,1.5,0.1,-0,1E5]', [1e21, 1.5, 0.1, -0, 1e5]],
  [
    '{"a":"12345678901234567890","b\\"1234567890123456789":"\\\\"}',
    {
      a: '12345678901234567890',
      'b"1234567890123456789': '\\',
    },
  ],
  ['2.50000000000000000001', 2.5],
])('%s', (text, value) => {
  // A clone lacks the original text of numbers.
  expect(structuredClone(parseJson(text))).toEqual(value);
});

test.each([
  '{"id":12345678901234567890,"x":[1e999,1e-400,-0.12345678901234567890123,[9007199254740993]]}',
  '[9007199254740993,"9007199254740993",{"":1.00000000000000000001,"__proto__":1e400}]',
])('writes %s as it was read', (text) => {
  expect(exactJson(parseJson(text))).toBe(text);
  expect(exactJson({ ...(parseJson(`{"a":${text}}`) as object) })).toBe(`{"a":${text}}`);
});

test('a number of a command line is printed as it was given', () => {
  const given = {};
  for (const token of ['12', '1e3', '1.50']) putNumber(given, `n${token}`, token);
  expect(structuredClone(given)).toEqual({ n12: 12, n1e3: 1000, 'n1.50': 1.5 });
  expect(exactJson(given)).toBe('{"n12":12,"n1e3":1e3,"n1.50":1.50}');
});

test('finds a long number in every place', () => {
  for (let before = 0; before < 40; before++) {
    for (const number of ['9007199254740993', '-0.10000000000000001', '1e400', '-1.5E-400']) {
      const text = `{"a":"${'x'.repeat(before)}1e400 12345678901234567",\n"b": ${number}}`;
      expect(exactJson(parseJson(text)), text).toBe(text.replaceAll(/\n|(?<=:) /g, ''));
    }
  }
});

test('equals JSON.parse where that loses nothing', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('refuses invalid JSON', () => {
  for (const text of ['', '{"a":12345678901234567890', '12345678901234567890x', '"\n1234567890123456789']) {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  }
});

test('reads a megabyte of text beside a large number', () => {
  const name = '\\"x'.repeat(400_000);
  expect(parseJson(`{"name":"${name}","id":12345678901234567890}`)).toMatchObject({ id: '12345678901234567890' });
});
