/** `edu classes sync` and `edu licenses sync`: plan and apply changes to one class or licence. */
import type { Argument, Command, Flag, Values } from '../../cli/command.js';
import type { Problem } from '../../core/errors.js';
import { LIMITS, limitProblems } from './flags.js';
import { APPLIED } from './shape.js';

const SHARED: readonly Flag[] = [
  { name: 'dry-run', kind: 'switch', description: 'show the plan and send nothing' },
  { name: 'receipt', value: 'FILE', kind: 'file', description: 'write a receipt to FILE, for edu undo' },
];

const SCHOOL: Flag = {
  name: 'school',
  value: 'SCHOOL',
  kind: 'text',
  refersTo: 'school',
  description: 'ID or name of the school of the class',
};

const LIST =
  'The list is a CSV with a column email, user or id, or one address or ID per line; - is stdin. Other columns are not read.';

const CLASS: Argument = { name: 'class', description: 'ID or name of the class', refersTo: 'class' };
const LICENCE: Argument = { name: 'licence', description: 'ID of the licence, or code:CODE', refersTo: 'licence' };

function classProblems(values: Values): readonly Problem[] {
  const both = values['add-only'] !== undefined && values['remove-only'] !== undefined;
  return [
    ...limitProblems(values),
    ...(both ? [{ where: '--remove-only', message: 'cannot be used with --add-only' }] : []),
  ];
}

function licenceProblems(values: Values): readonly Problem[] {
  const both = values.from !== undefined && values.class !== undefined;
  return both ? [{ where: '--from', message: 'cannot be used with --class' }] : [];
}

export const classesSync: Command = {
  name: 'sync',
  summary: 'Make the members of a class equal to a list.',
  details:
    'Prints the changes, asks on a terminal, and needs --yes elsewhere. ' +
    LIST +
    ' Refuses to remove more than 10 % of a class of 10 or more users, unless --allow-removals permits it. Exit code 3 ' +
    'when there are conflicts, such as an address that no user has.',
  arguments: [CLASS],
  flags: [
    { name: 'from', value: 'FILE', kind: 'text', required: true, description: 'list of the users' },
    SCHOOL,
    { name: 'add-only', kind: 'switch', description: 'only add users to the class' },
    { name: 'remove-only', kind: 'switch', description: 'only remove users from the class' },
    ...SHARED,
    ...LIMITS.filter(({ name }) => name === 'allow-removals'),
  ],
  examples: [
    {
      description: 'Show the changes that leave just these users in a class:',
      line: "printf 'email\\nschool@example.org\\n' | edu classes sync 5a --school s1 --from - --allow-removals 100% --dry-run",
    },
    {
      description: 'Add the missing users:',
      line: "printf 'email\\nschool@example.org\\n' | edu classes sync c1 --from - --add-only --yes",
    },
  ],
  shape: APPLIED,
  prints: 'item',
  traits: ['result', 'service', 'question'],
  check: classProblems,
  endsItself: true,
  run: async (values, context) => (await import('./run-sync.js')).syncClass(classesSync, values, context),
};

export const licensesSync: Command = {
  name: 'sync',
  summary: 'Assign a licence to the users of a list or a class who lack it.',
  details:
    'Prints the changes, asks on a terminal, and needs --yes elsewhere. No user loses the licence: the service cannot ' +
    'take one away. ' +
    LIST,
  arguments: [LICENCE],
  flags: [
    {
      name: 'from',
      value: 'FILE',
      kind: 'text',
      needed: (values) => values.class === undefined,
      description: 'list of the users, unless --class names a class',
    },
    {
      name: 'class',
      value: 'CLASS',
      kind: 'text',
      refersTo: 'class',
      description: 'ID or name of a class',
    },
    SCHOOL,
    ...SHARED,
  ],
  examples: [
    {
      description: 'New pupils of a class get the licence of the class:',
      line: 'edu licenses sync code:welcome1 --class 5a --school s1 --yes',
    },
    { description: 'Show the users who lack it:', line: 'edu licenses sync code:welcome1 --class c1 --dry-run' },
  ],
  shape: APPLIED,
  prints: 'item',
  traits: ['result', 'service', 'question'],
  check: licenceProblems,
  endsItself: true,
  run: async (values, context) => (await import('./run-sync.js')).syncLicense(licensesSync, values, context),
};
