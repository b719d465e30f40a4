/** Flags for reading a roster, besides those of every table. */
import { type Flag, flag } from '../../cli/command.js';

export const ON: Flag = flag(
  '--on DATE',
  'leave out memberships that have ended or not begun on DATE (default today)',
  { kind: 'date' },
);

export const MAP_FILE: Flag = flag(
  '--roster-map FILE',
  'file that maps IDs of the roster to IDs of the service (default roster-map.csv beside the roster)',
  { notEmpty: true },
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
