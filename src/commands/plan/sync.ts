/** `edu classes sync` and `edu licenses sync`: the everyday small form of a plan. */
import type { Argument, Command, Flag, Values } from '../../cli/command.js';
import type { Problem } from '../../core/errors.js';
import { LIMITS, limitProblems } from './flags.js';
import { APPLIED } from './shape.js';

const SHARED: readonly Flag[] = [
  { name: 'dry-run', kind: 'switch', about: 'show the plan and send nothing' },
  { name: 'receipt', value: 'FILE', kind: 'file', about: 'write a receipt to FILE, for edu undo' },
];

const SCHOOL: Flag = {
  name: 'school',
  value: 'SCHOOL',
  kind: 'text',
  ref: 'school',
  about: 'id or name of the school of the class',
};

const LIST =
  'The list is a CSV with a column email, user or id, or one address or id a line; - is stdin. Other columns are not read.';

const CLASS: Argument = { name: 'class', about: 'id of the class; its name with --school', ref: 'class' };
const LICENCE: Argument = { name: 'licence', about: 'ID of the licence, or code:CODE', ref: 'licence' };

function classProblems(values: Values): readonly Problem[] {
  const both = values['add-only'] !== undefined && values['remove-only'] !== undefined;
  return [
    ...limitProblems(values),
    ...(both ? [{ where: '--remove-only', message: 'means nothing with --add-only' }] : []),
  ];
}

function licenceProblems(values: Values): readonly Problem[] {
  const both = values.from !== undefined && values.class !== undefined;
  return both ? [{ where: '--from', message: 'means nothing with --class' }] : [];
}

export const classesSync: Command = {
  name: 'sync',
  summary: 'Make the members of a class equal to a list.',
  details:
    'Prints what it takes, asks on a terminal, and needs --yes elsewhere. ' +
    LIST +
    ' Refuses to remove more than 10 % of a class of 10 or more users, unless --allow-removals says so. Exit code 3 ' +
    'when something cannot be done, such as an address that nobody has.',
  arguments: [CLASS],
  flags: [
    { name: 'from', value: 'FILE', kind: 'text', required: true, about: 'list of the users' },
    SCHOOL,
    { name: 'add-only', kind: 'switch', about: 'take nobody out of the class' },
    { name: 'remove-only', kind: 'switch', about: 'put nobody into the class' },
    ...SHARED,
    ...LIMITS.filter(({ name }) => name === 'allow-removals'),
  ],
  examples: [
    {
      about: 'See what it takes to have just these users in a class:',
      line: "printf 'email\\nschool@example.org\\n' | edu classes sync 5a --school s1 --from - --allow-removals 100% --dry-run",
    },
    {
      about: 'Put those who are missing into it:',
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
  summary: 'Give a licence to those of a list or a class who lack it.',
  details:
    'Prints what it takes, asks on a terminal, and needs --yes elsewhere. Nobody loses the licence: the service cannot ' +
    'take it away. ' +
    LIST,
  arguments: [LICENCE],
  flags: [
    {
      name: 'from',
      value: 'FILE',
      kind: 'text',
      needed: (values) => values.class === undefined,
      about: 'list of the users, unless --class names a class',
    },
    { name: 'class', value: 'CLASS', kind: 'text', ref: 'class', about: 'id of a class; its name with --school' },
    SCHOOL,
    ...SHARED,
  ],
  examples: [
    {
      about: 'New pupils of a class get the licence of the class:',
      line: 'edu licenses sync code:welcome1 --class 5a --school s1 --yes',
    },
    { about: 'See who lacks it:', line: 'edu licenses sync code:welcome1 --class c1 --dry-run' },
  ],
  shape: APPLIED,
  prints: 'item',
  traits: ['result', 'service', 'question'],
  check: licenceProblems,
  endsItself: true,
  run: async (values, context) => (await import('./run-sync.js')).syncLicense(licensesSync, values, context),
};
