import { describe, expect, it } from 'vitest';
import { EduError, usageError } from '../../../src/core/errors.js';
import { errorReport, warningText } from '../../../src/output/error-report.js';

const TEXT = { json: false, color: false, debug: false };
const JSON_OUTPUT = { json: true, color: false, debug: false };

const notFound = new EduError('not_found', 'There is no licence "L1".', {
  status: 404,
  method: 'GET',
  path: '/v1/licenses/L1',
  requestId: 'r-1',
  hint: 'edu licenses list shows the licences that there are.',
});

describe('for people', () => {
  it('names the request with --debug', () => {
    expect(errorReport(notFound, { ...TEXT, debug: true })).toContain(
      '\nGET /v1/licenses/L1 returned 404 (request r-1)\n',
    );
  });

  it('does not break a command inside a name in a script without blanks', () => {
    const command = `edu licenses update L1 --name '${'日本語の名前'.repeat(8)}' --yes`;
    const text = errorReport(usageError('No.', `Pass --yes to confirm: ${command}`), { ...TEXT, columns: 80 });
    expect(text.split('\n')).toContain(`      ${command}`);
  });

  it('lists several problems', () => {
    const error = usageError('Two rows are wrong.', undefined, [
      { where: 'line 3, code', message: '"A b" has capitals' },
      { message: 'no name' },
      { where: '--days or --until', message: 'is missing' },
    ]);
    expect(errorReport(error, TEXT)).toBe(
      'Error: Two rows are wrong.\n  - line 3, code: "A b" has capitals\n  - no name\n  - --days or --until is missing\n',
    );
  });

  it('removes control characters, and truncates long text', () => {
    const error = new EduError('refused', `\x1b]0;x\x07 bad\nname \u202e${'z'.repeat(1_000_000)}`, {
      method: 'PUT',
      path: '/v1/x?\x1b[2J',
      hint: 'a\x1bb',
      details: [{ where: 'na\nme', message: '\x9b1m' }],
    });
    const text = errorReport(error, TEXT);
    expect(text).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(text.split('\n')).toHaveLength(4);
    expect(text.length).toBeLessThan(3000);
  });

  it('shows the stack with --debug only', () => {
    const error = new EduError('server_error', 'No.', { cause: new Error('deep') });
    expect(errorReport(error, TEXT)).not.toContain('error-report.test');
    const debugged = errorReport(error, { ...TEXT, debug: true });
    expect(debugged).toContain('error-report.test');
    expect(debugged).toContain('Caused by: Error: deep');
  });
});

describe('for programs', () => {
  it('has null for missing values, and keeps the data exactly', () => {
    const error = new EduError('usage', 'a\x1b\u202e', { details: [{ where: 'x', message: 'y' }] });
    const text = errorReport(error, { ...JSON_OUTPUT, color: true });
    expect(text).toContain('\\u001b\\u202e');
    expect(JSON.parse(text)).toStrictEqual({
      error: {
        kind: 'usage',
        message: 'a\x1b\u202e',
        status: null,
        method: null,
        path: null,
        requestId: null,
        hint: null,
        details: [{ where: 'x', message: 'y' }],
      },
    });
  });
});

describe('other errors', () => {
  it.each([
    [new TypeError('x is not a function'), 'x is not a function'],
    [new TypeError(''), 'TypeError'],
    ['thrown text', 'thrown text'],
    [undefined, 'undefined'],
  ])('%s is reported as a bug', (thrown, message) => {
    const { error } = JSON.parse(errorReport(thrown, JSON_OUTPUT));
    expect([error.kind, error.message]).toEqual(['internal', message]);
    expect(errorReport(thrown, TEXT)).toContain('Run the command again with --debug');
  });
});

it('removes control characters from warnings', () => {
  expect(warningText('odd\nname', false)).toBe('Warning: odd\\nname\n');
});
