/** Converts error codes of the system and undici to a reason and a hint. */
import { EduError } from '../../core/errors.js';
import { NoResponse } from '../request/no-response.js';

interface Explanation {
  readonly message: (origin: string) => string;
  readonly hint?: string;
  /** False if another attempt would fail in the same way. */
  readonly again?: false;
  readonly timedOut?: true;
  readonly nonsense?: true;
}

const CHECK_URL = 'Check the base URL: edu config get base-url';
const UNTRUSTED =
  'If the service or a proxy uses a certificate of your organization, name its authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem edu …';

const refused: Explanation = {
  message: (origin) => `nothing listens at ${origin} (connection refused)`,
  hint: `Is the service running? ${CHECK_URL}`,
};
const unknownHost: Explanation = {
  message: (origin) => `the host of ${origin} was not found`,
  hint: `Check the spelling, and your connection to the network. ${CHECK_URL}`,
  again: false,
};
const noRoute: Explanation = {
  message: (origin) => `${origin} can't be reached from here (no route)`,
  hint: 'Check your connection to the network, and whether a VPN or proxy is needed (HTTPS_PROXY).',
};
const slowConnect: Explanation = {
  message: (origin) => `the connection to ${origin} timed out`,
  hint: 'Check your connection to the network, and whether a VPN or proxy is needed (HTTPS_PROXY).',
};
const closed: Explanation = { message: () => 'the connection was closed before the response was complete' };
const neverOpen: Explanation = { message: (origin) => `${origin} closed the connection before anything was sent` };
const slowAnswer: Explanation = {
  message: () => 'the service sent nothing for too long',
  hint: 'Wait longer with --timeout.',
  timedOut: true,
};
const untrusted: Explanation = {
  message: (origin) => `the certificate of ${origin} is not trusted: it is signed by an unknown authority`,
  hint: UNTRUSTED,
  again: false,
};
const notTls: Explanation = {
  message: (origin) => `${origin} does not speak TLS`,
  hint: `Is the port right, and https? ${CHECK_URL}`,
  again: false,
};
const notHttp: Explanation = {
  message: (origin) => `the response of ${origin} is not HTTP`,
  hint: `Is the port right? ${CHECK_URL}`,
  nonsense: true,
};

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: refused,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: {
    message: (origin) => `the host name of ${origin} could not be resolved for now`,
    hint: 'Check your connection to the network.',
  },
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  ENETDOWN: noRoute,
  EADDRNOTAVAIL: noRoute,
  UND_ERR_CONNECT_TIMEOUT: slowConnect,
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: closed,
  ETIMEDOUT: slowAnswer,
  UND_ERR_HEADERS_TIMEOUT: slowAnswer,
  UND_ERR_BODY_TIMEOUT: slowAnswer,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_HAS_EXPIRED: {
    ...untrusted,
    message: (origin) => `the certificate of ${origin} has expired`,
    hint: 'Check the date of this machine; otherwise contact the operator of the service.',
  },
  CERT_NOT_YET_VALID: {
    ...untrusted,
    message: (origin) => `the certificate of ${origin} is not valid yet`,
    hint: 'Check the date of this machine; otherwise contact the operator of the service.',
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    ...untrusted,
    message: (origin) => `the certificate of ${origin} belongs to another host`,
    hint: CHECK_URL,
  },
  UND_ERR_HEADERS_OVERFLOW: {
    message: () => 'the response headers are too large',
    nonsense: true,
  },
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The first error with a code: the error itself, one of several for the addresses of a host, or its cause. */
function coded(error: unknown, depth = 0): { code: string; error: unknown } | undefined {
  if (!isRecord(error) || depth > 4) return undefined;
  if (typeof error.code === 'string' && error.code !== '') return { code: error.code, error };
  const inner = Array.isArray(error.errors) ? error.errors : [];
  for (const one of [...inner, error.cause]) {
    const found = coded(one, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const TLS_CODE = /^(?:EPROTO$|ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|(?:DEPTH_ZERO_)?SELF_SIGNED_)/;

/** Whether a connection failed in TLS, by the certificate or the handshake. */
export const isTlsError = (error: unknown): boolean => TLS_CODE.test(coded(error)?.code ?? '');

function explanationOf(code: string): Explanation | undefined {
  const known = EXPLANATIONS[code];
  if (known !== undefined) return known;
  if (code.startsWith('HPE_')) return notHttp;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return notTls;
  return code.startsWith('CERT_') || code.startsWith('ERR_TLS_') ? untrusted : undefined;
}

/** Some errors of undici's parser have no code. */
const isParserError = (error: unknown): boolean => error instanceof Error && error.name === 'HTTPParserError';

/**
 * Converts a connection error to `NoResponse`; an `EduError` is returned unchanged.
 * @param origin the target of the request, such as `https://api.example`
 * @param sent whether a byte of the request may have been sent
 */
export function explain(error: unknown, origin: string, sent: boolean): Error {
  if (error instanceof EduError || error instanceof NoResponse) return error;
  const found = coded(error);
  // A request that undici rejects is a bug in `edu`, not a connection error.
  if (found?.code === 'UND_ERR_INVALID_ARG' && error instanceof Error) return error;
  const explanation = isParserError(error) ? notHttp : found && explanationOf(found.code);
  if (explanation === undefined) {
    const code = found === undefined ? '' : ` (${found.code})`;
    return new NoResponse(`the connection to ${origin} failed${code}`, { sent, cause: error });
  }
  const { message, hint, again, timedOut, nonsense } = beforeConnect(explanation, sent);
  return new NoResponse(message(origin), { sent, again, timedOut, nonsense, hint, cause: error });
}

/** Some codes have another meaning before the connection is established. */
function beforeConnect(explanation: Explanation, sent: boolean): Explanation {
  if (sent) return explanation;
  if (explanation === slowAnswer) return slowConnect;
  return explanation === closed ? neverOpen : explanation;
}
