/** Errors for responses that are not 2xx. Messages give the reason only: the command line adds the attempt. */
import { resources } from '../../contract/index.js';
import type { Resource } from '../../contract/resource.js';
import { EduError, type ErrorKind } from '../../core/errors.js';
import { decodePercent } from '../../core/http.js';
import { shellLine } from '../../core/shell.js';
import { type About, invalidResponse, type Received, requestIdOf, requestNote } from '../request/answer.js';
import { type Words, wordsOf } from './error-body.js';

const IDS = 'IDs must match exactly: 007 is not 7.';

/** Patterns of the kind of error, method and path. The first match gives the hint. */
const STEPS: readonly (readonly [RegExp, string])[] = [
  [/^not_found GET \/v1\/licenses\/code\//, 'List the codes of your organization with `edu licenses list`.'],
  [/^not_found \w+ \/v1\/licenses\//, `${IDS} List licences with \`edu licenses list\`; write a code as code:CODE.`],
  [
    /^not_found \w+ \/v1\/users\/userId\//,
    'Check the spelling, or list users with `edu users list`. An end user with an unverified address is known by ID only.',
  ],
  [
    /^not_found \w+ \/v1\/users\/enduser\//,
    'This command updates end users only; use `edu users update ID` for others.',
  ],
  [
    /^not_found \w+ \/v1\/users\//,
    `${IDS} The service shows no end users. List the others with \`edu users list --all-organizations\`.`,
  ],
  [
    /^not_found \w+ \/v1\/classes\//,
    `${IDS} A name is looked up in your schools; choose one of them with --school. List them with \`edu schools list\`.`,
  ],
  ...resources
    .filter(({ endpoints }: Resource) => endpoints.list !== undefined && endpoints.get !== undefined)
    .map(
      ({ name }) =>
        [
          new RegExp(`^not_found \\w+ /v1/${name}/`),
          `${IDS} List them with \`${shellLine('edu', name, 'list')}\`.`,
        ] as const,
    ),
  [
    /^not_found \w+ \/v1\/(?:files|api\/file)\//,
    `${IDS} Files cannot be listed; \`edu files upload\` prints the ID of each file.`,
  ],
  [/^not_found \w+ \/(?!v1\/|login\/)/, 'Paths of the API begin with /v1: did you mean /v1PATH?'],
  [/^not_found /, 'Check the base URL: edu config get base-url'],
  [
    /^forbidden GET .*\/activations$/,
    'The service also returns 403 for a licence without activations: see numberOfActivations in `edu licenses get ID`.',
  ],
  [
    /^forbidden GET \/v1\/schools\/[^/]+\/classes$/,
    'Only the owner of a school can list its classes. Give classes by ID, or list those of a user with --user.',
  ],
  [
    /^forbidden \w+ \/v1\/(?:books|readers)\/[^/]+(?:\/editor)?$/,
    'Only the organization that it belongs to can open or change it, with roles that permit this: `edu account show`.',
  ],
  [/^forbidden /, 'Your roles or your organization do not permit this. List your permissions with `edu account show`.'],
  [
    /^refused DELETE \/v1\/licenses\//,
    'An activated licence cannot be deleted; cancel it with `edu licenses cancel ID`.',
  ],
];

/** The hint; undefined if the service's message needs no further advice. */
export function nextStep(kind: ErrorKind, { method, path }: About): string | undefined {
  const [bare = ''] = path.split('?');
  const step = STEPS.find(([pattern]) => pattern.test(`${kind} ${method} ${bare}`))?.[1];
  const id = /^\/v1\/(?:licenses|users\/enduser)\/([^/]+)/.exec(bare)?.[1];
  if (id === undefined) return step?.replace('PATH', () => bare);
  return step?.replace(/ ID\b/, () => ` ${shellLine(decodePercent(id))}`);
}

/** The token that was sent, in a message: `the access token in EDU_TOKEN`. */
export const tokenOf = ({ tokenFrom }: About): string =>
  tokenFrom === undefined ? 'the access token' : `the access token in ${tokenFrom}`;

export const loginHint = ({ tokenFrom }: About): string =>
  tokenFrom === undefined
    ? 'Log in with `edu auth login`, or set EDU_TOKEN.'
    : `${tokenFrom} takes precedence over a login: ${tokenFrom === 'EDU_TOKEN' ? 'set it to' : 'make it print'} a valid token, or unset it and run \`edu auth login\`.`;

/** An error about a response, with the properties that all such errors have. */
export function errorAbout(
  kind: ErrorKind,
  about: About,
  answer: Pick<Received, 'status' | 'headers'>,
  message: string,
  more: { hint?: string | undefined; words?: Words | undefined } = {},
): EduError {
  const requestId = requestIdOf(answer.headers);
  return new EduError(kind, message + requestNote(requestId), {
    ...about,
    isReason: true,
    status: answer.status,
    requestId,
    hint: more.hint,
    details: more.words?.problems,
  });
}

/** Names that services put before their message, and that repeat the status. */
const NAMES: Readonly<Record<number, string>> = {
  400: 'badrequest',
  403: 'forbidden',
  404: 'notfound',
  409: 'conflict',
};

/** `: maximumActivations is missing`, or the reason phrase of the status. */
function tail(status: number, words: Words): string {
  const [name = '', ...message] = words.text.split(': ');
  if (message.length > 0 && name.replaceAll(' ', '').toLowerCase() === NAMES[status]) return `: ${message.join(': ')}`;
  if (words.text !== '') return `: ${words.text}`;
  // Loaded here because node:http takes 4 ms.
  const phrase = process.getBuiltinModule('node:http').STATUS_CODES[status];
  return phrase === undefined ? '' : `: ${phrase}`;
}

/** `503: overloaded`. */
export const statusText = (status: number, words: Words): string => `${status}${tail(status, words)}`;

export const wordsIn = (answer: Received): Words => wordsOf(answer.bytes, answer.headers['content-type']);

const times = (attempts: number): string => (attempts === 1 ? '' : `, tried ${attempts} times`);

/** The kind of error for a status; for 403 see `diagnose-403.ts`. */
function kindOf(status: number): ErrorKind {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  if (status === 409) return 'conflict';
  if (status === 408 || status === 429 || status === 503) return 'unavailable';
  return status >= 500 ? 'server_error' : 'refused';
}

const REASONS: { readonly [K in ErrorKind]?: string } = {
  forbidden: 'not allowed',
  not_found: 'not found',
  conflict: 'the service reports a conflict',
};

/**
 * The error for a status that is not 2xx.
 * @param attempts how often the request was sent
 * @param hint replaces the default hint
 */
export function refusalOf(about: About, answer: Received, attempts = 1, hint?: string): EduError {
  const { status } = answer;
  if (status < 400) {
    const what = status === 304 ? '"not modified" to an unconditional request' : `the status ${status}`;
    return invalidResponse(about, answer, what);
  }
  const words = wordsIn(answer);
  const said = tail(status, words);
  const kind = kindOf(status);
  const make = (message: string, ownHint?: string) =>
    errorAbout(kind, about, answer, message + said, { words, hint: hint ?? ownHint });
  switch (kind) {
    case 'unauthenticated':
      return make(`the service rejects ${tokenOf(about)} (${status})`, loginHint(about));
    case 'unavailable':
      return make(
        `the service is ${status === 429 ? 'throttling requests' : 'unavailable'} (${status}${times(attempts)})`,
        'It is safe to run the command again later.',
      );
    case 'server_error':
      return make(
        `the service failed (${status}${times(attempts)})`,
        'Run the command again later, or report this to the operator of the service.',
      );
    default:
      return make(`${REASONS[kind] ?? 'the service rejected the request'} (${status})`, nextStep(kind, about));
  }
}
