/** `edu classes sync` and `edu licenses sync`: plan and apply changes to one class or licence. */
import { type Command, exclusive, type Flag, flag, needs, OUTPUT_FILE } from '../../cli/command.js';
import { READING_FLAGS } from '../../cli/reading-flags.js';
import { license } from '../../contract/licenses.js';
import { IN } from '../kinds/define.js';
import { argumentFor, CLASS } from '../kinds/references.js';
import { LIMITS, SKIP_INVALID } from './flags.js';
import { APPLIED } from './plan-shape.js';

const SHARED: readonly Flag[] = [
  flag('--dry-run', 'show the plan and send nothing'),
  flag('--receipt FILE', 'write a receipt to FILE, for edu undo', { kind: 'file', ...OUTPUT_FILE }),
];

const SYNC = { shape: APPLIED, prints: 'item', traits: ['result', 'service'], endsItself: true } as const;

const SCHOOL: Flag = flag('--school SCHOOL', 'ID or name of the school of the class', { refersTo: 'school' });

/** Lists of users have no dates. */
const READING: readonly Flag[] = [...READING_FLAGS.filter(({ name }) => name !== 'date-format'), SKIP_INVALID];

const LIST =
  'The list is a table (CSV, .xlsx, JSON) with a column id, email or user, or one address or ID per line; - is stdin. ' +
  'Other columns are not read.';

export const classesSync: Command = {
  name: 'sync',
  summary: 'Make the members of a class equal to a list.',
  details:
    'Prints the changes, asks on a terminal, and needs --yes elsewhere. ' +
    LIST +
    ' Refuses to remove more than 10% of a class of 10 or more users, or all users of any class, unless --allow-removals ' +
    'permits it. Removes users only after all others were added. Exit code 3 when there are conflicts, such as an address ' +
    'or ID that no user has: then nobody is removed.',
  arguments: [CLASS],
  flags: [
    flag('--from FILE', 'list of the users', { required: true }),
    SCHOOL,
    flag('--add-only', 'only add users to the class'),
    flag('--remove-only', 'only remove users from the class'),
    IN,
    ...READING,
    ...SHARED,
    ...LIMITS.filter(({ name }) => name === 'allow-removals'),
  ],
  examples: {
    'Show the changes that leave just these users in a class:':
      "printf 'email\\nschool@example.org\\n' | edu classes sync 5a --school s1 --from - --allow-removals 100% --dry-run",
    'Add the missing users:': "printf 'email\\nschool@example.org\\n' | edu classes sync c1 --from - --add-only --yes",
  },
  ...SYNC,
  check: (values) => [
    ...exclusive('add-only', 'remove-only')(values),
    ...exclusive('skip-invalid', 'remove-only')(values),
  ],
  run: async (values, context) => (await import('./run-sync.js')).syncClass(classesSync, values, context),
};

export const licensesSync: Command = {
  name: 'sync',
  summary: 'Assign a licence to the users of a list or a class who lack it.',
  details:
    'Prints the changes, asks on a terminal, and needs --yes elsewhere. No user loses the licence: the service cannot ' +
    'take one away. ' +
    LIST,
  arguments: [argumentFor(license)],
  flags: [
    flag('--from FILE', 'list of the users, unless --class names a class', {
      needed: (values) => values.class === undefined,
    }),
    flag('--class CLASS', 'ID or name of a class', { refersTo: 'class' }),
    SCHOOL,
    IN,
    ...READING,
    ...SHARED,
  ],
  examples: {
    'New pupils of a class get the licence of the class:':
      'edu licenses sync code:welcome1 --class 5a --school s1 --yes',
    'Show the users who lack it:': 'edu licenses sync code:welcome1 --class c1 --dry-run',
  },
  ...SYNC,
  check: (values) => [
    ...exclusive('class', 'from')(values),
    ...needs('school', 'class')(values),
    ...[IN, ...READING].flatMap(({ name }) => exclusive('class', name)(values)),
  ],
  run: async (values, context) => (await import('./run-sync.js')).syncLicense(licensesSync, values, context),
};
