import { expect, test } from 'vitest';
import { NoResponse } from '../../../../src/client/request/no-response.js';
import { explain } from '../../../../src/client/transport/explain.js';
import { EduError } from '../../../../src/core/errors.js';

const ORIGIN = 'https://api.example';
const coded = (code: string, more = {}) => Object.assign(new Error('raw'), { code, ...more });
const explained = (error: unknown, sent = false): NoResponse => {
  const found = explain(error, ORIGIN, sent);
  if (!(found instanceof NoResponse)) throw found;
  return found;
};

test.each([
  ['ECONNREFUSED', 'nothing listens at https://api.example (connection refused)', true],
  ['ENOTFOUND', 'the host of https://api.example was not found', false],
  ['EAI_AGAIN', 'the host name of https://api.example could not be resolved for now', true],
  ['EHOSTUNREACH', 'https://api.example cannot be reached from here (no route)', true],
  ['UND_ERR_CONNECT_TIMEOUT', 'the connection to https://api.example timed out', true],
  ['ETIMEDOUT', 'the connection to https://api.example timed out', true],
  ['ECONNRESET', 'https://api.example closed the connection before anything was sent', true],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate of https://api.example is not trusted', false],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'the certificate of https://api.example is not trusted', false],
  ['CERT_HAS_EXPIRED', 'the certificate of https://api.example has expired', false],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'belongs to another host', false],
  ['EPROTO', 'https://api.example does not speak TLS', false],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'https://api.example does not speak TLS', false],
])('%s while connecting: %s', (code, words, again) => {
  const error = explained(coded(code));
  expect(error.message).toContain(words);
  expect(error).toMatchObject({ sent: false, again });
});

test.each([
  ['ECONNRESET', 'the connection was closed before the response was complete', false],
  ['EPIPE', 'the connection was closed', false],
  ['UND_ERR_SOCKET', 'the connection was closed', false],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'the connection was closed', false],
  ['UND_ERR_HEADERS_TIMEOUT', 'the service sent nothing for too long', true],
  ['UND_ERR_BODY_TIMEOUT', 'the service sent nothing for too long', true],
  ['ETIMEDOUT', 'the service sent nothing for too long', true],
])('%s after bytes had left: %s', (code, words, timedOut) => {
  const error = explained(coded(code), true);
  expect(error.message).toContain(words);
  expect(error).toMatchObject({ sent: true, again: true, timedOut });
});

test('explains certificate errors with a remedy', () => {
  expect(explained(coded('SELF_SIGNED_CERT_IN_CHAIN')).hint).toContain('NODE_EXTRA_CA_CERTS');
});

test('finds the code in a cause, or in the errors of all addresses of a host', () => {
  expect(explained(new Error('x', { cause: coded('ENOTFOUND') })).message).toContain('was not found');
  expect(explained(new AggregateError([new Error('y'), coded('ECONNREFUSED')], 'all failed')).message).toContain(
    'refused',
  );
});

test('names code and target of an unknown error', () => {
  expect(explained(coded('EWEIRD'), true).message).toBe('the connection to https://api.example failed (EWEIRD)');
  expect(explained('odd', true).message).toBe('the connection to https://api.example failed');
});

test('passes errors for the user and bugs unchanged', () => {
  const own = new EduError('usage', 'x');
  expect(explain(own, ORIGIN, true)).toBe(own);
  const bug = coded('UND_ERR_INVALID_ARG');
  expect(explain(bug, ORIGIN, true)).toBe(bug);
});
