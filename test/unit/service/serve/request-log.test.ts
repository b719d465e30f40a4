import { describe, expect, test } from 'vitest';
import { formatLine, maskedPath } from '../../../../src/service/serve/request-log.js';

describe('the request log', () => {
  test('shows a request without a response, and its faults', () => {
    const line = formatLine({ method: 'GET', path: '/', status: 0, milliseconds: 3, note: 'fault reset' });
    expect(line).toBe('GET / reset 3.0ms (fault reset)\n');
  });

  test('hides every value that could be a secret, and control characters', () => {
    expect(maskedPath('/login/oauth/authorize?client_id=a&redirect_uri=b&state=s3cret&code=c')).toBe(
      '/login/oauth/authorize?client_id=…&redirect_uri=…&state=…&code=…',
    );
    expect(maskedPath('/editor/books/1?token=t0ken')).toBe('/editor/books/1?token=…');
    expect(maskedPath('/v1/licenses?type=BOOKS&cursor=abc')).toBe('/v1/licenses?type=BOOKS&cursor=…');
    expect(maskedPath('/v1/\u009b31m')).toBe('/v1/%C2%9B31m');
    expect(maskedPath('/v1/x?type=\u001b[2J&\u009b=1')).toBe('/v1/x?type=%1B[2J&%C2%9B=…');
  });
});
