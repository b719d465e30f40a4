/** Flags for reading a roster, besides those of every table. */
import { type Flag, flag } from '../../cli/command.js';

export const ROSTER_FLAGS: readonly Flag[] = [
  flag(
    '--on DATE',
    'leave out memberships and classes that have ended, or memberships that have not begun, on DATE (default today)',
    {
      kind: 'date',
    },
  ),
  flag('--school SCHOOL', 'ID or name of the school of the rows in a plain list that name none', { notEmpty: true }),
  flag(
    '--roster-map FILE',
    'file that maps IDs of the roster to IDs of the service (default roster-map.csv beside the roster)',
    { notEmpty: true },
  ),
];

export const FAILED: Flag = flag(
  '--failed FILE',
  'write rows with problems to FILE, or of several tables to files in the folder FILE, with a column edu_error',
  { notEmpty: true, writes: 'files' },
);

/** Flags that turn a roster into a wanted state. */
export const RULES: readonly Flag[] = [
  flag(
    '--role-map ROLE=NAME',
    'role of the service for a role of the roster; ROLE= for none (other roles are not changed)',
    { many: true },
  ),
  flag('--take-roles', 'remove roles in --role-map from people who lack them in the roster'),
  flag('--email TEMPLATE', "address for people without one, such as '{username}@school.example' (default: skip them)", {
    notEmpty: true,
  }),
  flag('--subject-map SUBJECT=NAME', 'subject of the service for a subject of the roster', { many: true }),
  flag('--default-subject NAME', 'subject of new classes without one', { notEmpty: true }),
  flag(
    '--leavers WHAT',
    'unassign people who are no longer in the roster from their classes, or keep them (default unassign)',
    { kind: 'choice', choices: ['unassign', 'keep'] },
  ),
];
