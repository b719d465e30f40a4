import { describe, expect, test } from 'vitest';
import { EduError } from '../../../src/core/errors.js';
import { checkBaseUrl } from '../../../src/settings/base-url.js';

describe('base URL', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://API.example.com:8443/licensing//', 'https://api.example.com:8443/licensing'],
    ['https://api.example.com:443', 'https://api.example.com'],
    ['http://127.0.0.1:4010', 'http://127.0.0.1:4010'],
    ['http://127.9.9.9', 'http://127.9.9.9'],
    ['http://localhost:4010/base', 'http://localhost:4010/base'],
    ['http://[::1]:4010', 'http://[::1]:4010'],
    ['https://api.example.com/@', 'https://api.example.com/@'],
    ['https://api.example.com/v1', 'https://api.example.com'],
    ['https://api.example.com//v1/v1//', 'https://api.example.com'],
    ['https://api.example.com/edu/v1', 'https://api.example.com/edu'],
    ['https://api.example.com/v1/edu', 'https://api.example.com/v1/edu'],
    ['https://api.example.com/v2', 'https://api.example.com/v2'],
    ['https://api.example.com/of:a@b/', 'https://api.example.com/of:a@b'],
  ])('accepts %s', (text, normal) => {
    expect(checkBaseUrl(text, '--base-url')).toBe(normal);
  });

  test.each([
    ['api.example.com', 'not a complete address', 'Did you mean https://api.example.com?'],
    ['https:/api.example.com', 'not a complete address', 'Did you mean https://api.example.com?'],
    ['http:localhost:4010', 'not a complete address', 'Did you mean http://localhost:4010?'],
    ['//api.example.com', 'not a complete address', 'Did you mean https://api.example.com?'],
    ['https.example.com', 'not a complete address', 'Did you mean https://https.example.com?'],
    ['https:/', 'not a complete address', 'It begins with https://.'],
    ['http://api.example.com', 'not encrypted', 'Use https'],
    ['http://127.0.0.1.example.com', 'not encrypted', 'Use https'],
    ['http://localhost.example.com', 'not encrypted', 'Use https'],
    ['http://0.0.0.0:4010', 'not encrypted', 'Use https'],
    ['ftp://api.example.com', 'not a web address', ''],
    ['https://api.example.com?x=1', 'query or fragment', ''],
    ['https://api.example.com/?', 'query or fragment', ''],
    ['https://api.example.com/#top', 'query or fragment', ''],
    [' https://api.example.com', 'a space', ''],
    ['https://api.exa\nmple.com', 'control character', ''],
    ['https:\\\\api.example.com', 'a backslash', ''],
    ['https://', 'not an address', ''],
    ['', 'not a complete address', ''],
  ])('refuses %j', (text, why, hint) => {
    const error = thrown(() => checkBaseUrl(text, '--base-url'));
    expect(error.kind).toBe('usage');
    expect(error.message).toContain('--base-url');
    expect(error.message).toContain(JSON.stringify(text.replace(/([?#]).*/, '$1…')));
    expect(error.message).toContain(why);
    expect(error.hint ?? '').toContain(hint);
  });

  test.each([
    'https://anna:geheim@api.example.com',
    'https://geheim@api.example.com',
    'https://@api.example.com',
    'https:///anna:geheim@api.example.com',
    'https:/anna:geheim@api.example.com',
    'https:anna:geheim@api.example.com',
    'anna:geheim@api.example.com',
    'api.example.com/anna:geheim@',
  ])('refuses user info without repeating it: %s', (text) => {
    const error = thrown(() => checkBaseUrl(text, 'EDU_BASE_URL'));
    expect(error.kind).toBe('usage');
    expect(`${error.message} ${error.hint}`).not.toContain('geheim');
    expect(error.message).toContain('EDU_BASE_URL');
  });
});

function thrown(work: () => unknown): EduError {
  try {
    work();
  } catch (error) {
    if (error instanceof EduError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
