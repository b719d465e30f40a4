/** Flags of the roster commands. */
import type { Argument, Flag } from '../../cli/command.js';

export const ROSTER: Argument = { name: 'roster', description: 'folder, zip archive, CSV or .xlsx file' };

export const READ: readonly Flag[] = [
  {
    name: 'map',
    value: 'HEADER=COLUMN',
    kind: 'text',
    repeat: true,
    notEmpty: true,
    description: 'read the column HEADER of a plain list as COLUMN',
  },
  { name: 'sheet', value: 'NAME', kind: 'text', notEmpty: true, description: 'sheet of the Excel workbook' },
  {
    name: 'on',
    value: 'DATE',
    kind: 'date',
    description: 'leave out memberships that have ended or not begun on DATE',
    note: 'default today',
  },
];

export const MAP_FILE: Flag = {
  name: 'roster-map',
  value: 'FILE',
  kind: 'text',
  notEmpty: true,
  description: 'file that maps IDs of the roster to IDs of the service',
  note: 'default roster-map.csv beside the roster',
};

/** Flags that turn a roster into a wanted state. */
export const RULES: readonly Flag[] = [
  {
    name: 'role-map',
    value: 'ROLE=NAME',
    kind: 'text',
    many: true,
    description: 'role of the service for a role of the roster; ROLE= for none',
    note: 'other roles are not changed',
  },
  {
    name: 'take-roles',
    kind: 'switch',
    description: 'remove roles in --role-map from people who lack them in the roster',
  },
  {
    name: 'email',
    value: 'TEMPLATE',
    kind: 'text',
    notEmpty: true,
    description: "address for people without one, such as '{username}@school.example'",
    note: 'default: skip them',
  },
  {
    name: 'subject-map',
    value: 'SUBJECT=NAME',
    kind: 'text',
    many: true,
    description: 'subject of the service for a subject of the roster',
  },
  {
    name: 'default-subject',
    value: 'NAME',
    kind: 'text',
    notEmpty: true,
    description: 'subject of classes without one',
  },
  {
    name: 'leavers',
    value: 'WHAT',
    kind: 'choice',
    choices: ['unassign', 'keep'],
    description: 'unassign people who are no longer in the roster from their classes, or keep them',
    note: 'default unassign',
  },
];
