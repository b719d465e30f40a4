/** What a person does next about an answer of 4xx, by what was asked for. Knows paths, and no commands' inner life. */
import type { ErrorKind } from '../../core/errors.js';
import type { About } from '../request/answer.js';

const IDS = 'Ids are exact: 007 is not 7.';

/** The first that fits is said. */
const STEPS: readonly (readonly [ErrorKind, string, RegExp, string])[] = [
  [
    'not_found',
    'GET',
    /^\/v1\/licenses\/code\//,
    '`edu licenses list` shows the codes that your organization gave out.',
  ],
  ['not_found', '', /^\/v1\/licenses\//, `${IDS} \`edu licenses list\` shows them; a code is written code:CODE.`],
  [
    'not_found',
    '',
    /^\/v1\/users\/userId\//,
    'Check the spelling. An end user whose address is not verified yet is known by id only.',
  ],
  ['not_found', '', /^\/v1\/users\/enduser\//, 'Only end users are updated like this; others with `edu users update`.'],
  [
    'not_found',
    '',
    /^\/v1\/users\//,
    `${IDS} \`edu users list\` shows them, with --organization and --organization-type for another organization's.`,
  ],
  ['not_found', '', /^\/v1\/classes\//, `${IDS} \`edu classes list --school ID\` shows them.`],
  ...['books', 'readers', 'subscriptions', 'schools', 'publishers'].map(
    (name) => ['not_found', '', new RegExp(`^/v1/${name}/`), `${IDS} \`edu ${name} list\` shows them.`] as const,
  ),
  ['not_found', '', /./, 'Check that the base URL is right: edu config get base-url'],
  [
    'forbidden',
    'GET',
    /\/activations$/,
    'The service says so too when nobody has activated the licence yet: `edu licenses get ID` shows how often it was.',
  ],
  [
    'forbidden',
    'GET',
    /^\/v1\/schools\/[^/]+\/classes$/,
    'Only the owner of a school lists its classes; the school itself may not. Name classes by id, or use --user USER.',
  ],
  [
    'forbidden',
    '',
    /./,
    "You are logged in, but your roles or your organization don't allow this. `edu account show` lists what you may do.",
  ],
  [
    'refused',
    'DELETE',
    /^\/v1\/licenses\//,
    'A licence that somebody has activated can be cancelled instead: `edu licenses cancel ID`.',
  ],
];

/** A sentence, or undefined when the service's own words are all there is to say. */
export function nextStep(kind: ErrorKind, { method, path }: About): string | undefined {
  const [bare = ''] = path.split('?');
  const step = STEPS.find(([of, by, pattern]) => of === kind && (by === '' || by === method) && pattern.test(bare));
  return step?.[3];
}
