/** The next step after a 4xx response, by method and path of the request. */
import { resources } from '../../contract/index.js';
import type { Resource } from '../../contract/resource.js';
import type { ErrorKind } from '../../core/errors.js';
import { decodePercent } from '../../core/http.js';
import { quoteForShell, shellLine } from '../../core/shell.js';
import type { About } from '../request/answer.js';

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
    `${IDS} List users with \`edu users list\`; add --organization and --organization-type for another organization.`,
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
  [/^not_found \w+ \/(?!v1\/|login\/)/, 'Paths of the API begin with /v1: edu api /v1/account'],
  [/^not_found /, 'Check the base URL: edu config get base-url'],
  [
    /^forbidden GET .*\/activations$/,
    'The service also returns 403 for a licence without activations: see numberOfActivations in `edu licenses get ID`.',
  ],
  [
    /^forbidden GET \/v1\/schools\/[^/]+\/classes$/,
    'Only the owner of a school can list its classes. Give classes by ID, or list those of a user with --user.',
  ],
  [/^forbidden /, 'Your roles or your organization do not allow this. List your permissions with `edu account show`.'],
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
  return id === undefined ? step : step?.replace(/ ID\b/, () => ` ${quoteForShell(decodePercent(id))}`);
}
