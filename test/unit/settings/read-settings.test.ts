import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonFault } from '../../../src/core/json.js';
import { readSettings } from '../../../src/settings/read-settings.js';
import { emptyEnv, envWith } from './support.js';

describe('the settings file', () => {
  test('is optional', () => {
    const settings = readSettings(emptyEnv());
    expect(settings.profile).toBe('default');
    expect(settings.profiles.size).toBe(0);
  });

  test('may have been edited by hand: numbers, true, a byte order mark', () => {
    const env = envWith('\uFEFF{"profiles":{"work":{"page-size":50,"exact-callback":true}}}');
    expect(readSettings(env).profiles.get('work')).toEqual({ 'page-size': '50', 'exact-callback': 'true' });
  });

  test.each([
    [
      '{\n  "profiles": {\n    "work": {"base-url": "https://a.example.com" "language": "NL"}\n  }\n}',
      'line 3, column 50',
    ],
    ['{"profiles": {},}', 'line 1, column 17'],
    ['{"profiles": {"a": {"x": tru}}}', 'line 1, column 29'],
    ['{"profiles": {"a": {"x": "unended}}}', 'line 1, column 37 is not valid JSON'],
    ['', 'line 1, column 1'],
    ['{} {}', 'line 1, column 4 is not valid JSON'],
  ])('is named with the position of a syntax error: %j', (text, place) => {
    const env = envWith(text);
    const file = join(env.EDU_CONFIG_DIR ?? '', 'settings.json');
    expect(() => readSettings(env)).toThrowError(
      expect.objectContaining({ kind: 'usage', message: expect.stringContaining(`${file}: ${place}`) }),
    );
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  test.each([
    ['[]', 'it is not a JSON object'],
    ['{"profiles": []}', '"profiles" is not an object'],
    ['{"profile": 1}', '"profile" is not a string'],
    ['{"profiles": {"a": 1}}', 'the profile "a" is not an object'],
    ['{"profiles": {"a": {"language": null}}}', '"language" of the profile "a"'],
  ])('is refused when it is another file: %s', (text, why) => {
    expect(() => readSettings(envWith(text))).toThrowError(why);
  });
});

describe('the position of a syntax error', () => {
  test('is undefined for valid JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(jsonFault(text)).toBeUndefined();
      }),
    );
  });

  test('is defined exactly when JSON.parse refuses the text', () => {
    const cut = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', '"', '\\', 'x', '\n', '01', ':'));
    fc.assert(
      fc.property(cut, ([json, at, insert]) => {
        const place = at % (json.length + 1);
        const text = json.slice(0, place) + insert + json.slice(place + 1);
        expect(jsonFault(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 100 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
