/** Converts error codes of the system and undici to a reason and a hint. */
import { EduError } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import { NoResponse, type NoResponseFacts } from '../request/no-response.js';

interface Explanation extends Pick<NoResponseFacts, 'hint' | 'again' | 'timedOut' | 'isCut' | 'isInvalid'> {
  readonly message: (origin: string) => string;
  /** The connection failed in TLS, by the certificate or the handshake. */
  readonly isTls?: true;
}

const CHECK_URL = 'Check the base URL: edu config get base-url';
const CHECK_NETWORK = 'Check your connection to the network, and whether a VPN or proxy is needed (HTTPS_PROXY).';
const CHECK_DATE = 'Check the date of this machine; otherwise contact the operator of the service.';

const slowConnect: Explanation = {
  message: (origin) => `the connection to ${origin} timed out`,
  hint: CHECK_NETWORK,
};
const closed: Explanation = { message: () => 'the connection was closed', isCut: true };
const neverOpen: Explanation = { message: (origin) => `${origin} closed the connection before anything was sent` };
const slowAnswer: Explanation = {
  message: () => 'the service sent nothing for too long',
  hint: 'Wait longer with --timeout.',
  timedOut: true,
};
const badCertificate = (problem: string, hint: string): Explanation => ({
  message: (origin) => `the certificate of ${origin} ${problem}`,
  hint,
  again: false,
  isTls: true,
});
const notHttp: Explanation = {
  message: (origin) => `the response of ${origin} is not HTTP`,
  hint: `Is the port right? ${CHECK_URL}`,
  isInvalid: true,
};

/** By code; the first match counts. */
const EXPLANATIONS: readonly (readonly [RegExp, Explanation])[] = [
  [
    /^ECONNREFUSED$/,
    {
      message: (origin) => `nothing listens at ${origin} (connection refused)`,
      hint: `Is the service running? ${CHECK_URL}`,
    },
  ],
  [
    /^ENOTFOUND$/,
    {
      message: (origin) => `the host of ${origin} was not found`,
      hint: `Check the spelling, and your connection to the network. ${CHECK_URL}`,
      again: false,
    },
  ],
  [
    /^EAI_AGAIN$/,
    {
      message: (origin) => `the host name of ${origin} could not be resolved for now`,
      hint: 'Check your connection to the network.',
    },
  ],
  [
    /^(?:EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/,
    { message: (origin) => `${origin} cannot be reached from here (no route)`, hint: CHECK_NETWORK },
  ],
  [/^UND_ERR_CONNECT_TIMEOUT$/, slowConnect],
  [/^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_RES_CONTENT_LENGTH_MISMATCH)$/, closed],
  [/^(?:ETIMEDOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/, slowAnswer],
  [/^CERT_HAS_EXPIRED$/, badCertificate('has expired', CHECK_DATE)],
  [/^CERT_NOT_YET_VALID$/, badCertificate('is not valid yet', CHECK_DATE)],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, badCertificate('belongs to another host', CHECK_URL)],
  [
    /^(?:CERT_|ERR_TLS_|UNABLE_TO_|(?:DEPTH_ZERO_)?SELF_SIGNED_)/,
    badCertificate(
      'is not trusted: it is signed by an unknown authority',
      'If the service or a proxy uses a certificate of your organization, name its authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem edu …',
    ),
  ],
  [
    /^(?:EPROTO$|ERR_SSL_)/,
    {
      message: (origin) => `${origin} does not speak TLS`,
      hint: `Is the port right, and https? ${CHECK_URL}`,
      again: false,
      isTls: true,
    },
  ],
  [/^HPE_/, notHttp],
  [/^UND_ERR_HEADERS_OVERFLOW$/, { message: () => 'the response headers are too large', isInvalid: true }],
];

/** The first code: of the error itself, of one of several for the addresses of a host, or of its cause. */
function codeIn(error: unknown, depth = 0): string | undefined {
  if (!isObject(error) || depth > 4) return undefined;
  if (typeof error.code === 'string' && error.code !== '') return error.code;
  const inner = Array.isArray(error.errors) ? error.errors : [];
  for (const one of [...inner, error.cause]) {
    const found = codeIn(one, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

const explanationOf = (code = ''): Explanation | undefined => EXPLANATIONS.find(([pattern]) => pattern.test(code))?.[1];

/** True if a connection failed in TLS, by the certificate or the handshake. */
export const isTlsError = (error: unknown): boolean => explanationOf(codeIn(error))?.isTls === true;

/** Some errors of undici's parser have no code. */
const isParserError = (error: unknown): boolean => error instanceof Error && error.name === 'HTTPParserError';

/**
 * Converts a connection error to `NoResponse`; an `EduError` is returned unchanged.
 * @param origin the target of the request, such as `https://api.example`
 * @param sent whether a byte of the request may have been sent
 */
export function explain(error: unknown, origin: string, sent: boolean): Error {
  if (error instanceof EduError || error instanceof NoResponse) return error;
  const code = codeIn(error);
  // A request that undici rejects is a bug in `edu`, not a connection error.
  if (code === 'UND_ERR_INVALID_ARG' && error instanceof Error) return error;
  const explanation = isParserError(error) ? notHttp : explanationOf(code);
  if (explanation === undefined) {
    const named = code === undefined ? '' : ` (${code})`;
    return new NoResponse(`the connection to ${origin} failed${named}`, { sent, cause: error });
  }
  const { message, ...facts } = beforeConnect(explanation, sent);
  return new NoResponse(message(origin), { ...facts, sent, cause: error });
}

/** Some codes have another meaning before the connection is established. */
function beforeConnect(explanation: Explanation, sent: boolean): Explanation {
  if (sent) return explanation;
  if (explanation === slowAnswer) return slowConnect;
  return explanation === closed ? neverOpen : explanation;
}
