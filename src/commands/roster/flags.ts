/** Flags of the commands that read a roster. */
import type { Argument, Flag } from '../../cli/command.js';

export const ROSTER: Argument = { name: 'roster', about: 'folder, zip archive, CSV or .xlsx file' };

export const READ: readonly Flag[] = [
  {
    name: 'map',
    value: 'HEADER=COLUMN',
    kind: 'text',
    repeat: true,
    notEmpty: true,
    about: 'read the column HEADER of a plain list as COLUMN',
    note: 'may be repeated',
  },
  { name: 'sheet', value: 'NAME', kind: 'text', notEmpty: true, about: 'sheet of the Excel workbook' },
  {
    name: 'on',
    value: 'DATE',
    kind: 'date',
    about: 'leave out memberships that have ended or not begun on DATE',
    note: 'default today',
  },
];

export const MAP_FILE: Flag = {
  name: 'roster-map',
  value: 'FILE',
  kind: 'text',
  notEmpty: true,
  about: 'file that says which ID is whose',
  note: 'default roster-map.csv beside the roster',
};

/** How a roster becomes a wanted state. */
export const RULES: readonly Flag[] = [
  {
    name: 'role-map',
    value: 'ROLE=NAME',
    kind: 'text',
    many: true,
    about: "the service's role for a role of the roster; none behind = for no role",
    note: 'other roles are left alone',
  },
  {
    name: 'take-roles',
    kind: 'switch',
    about: 'take roles that --role-map names from people who lack them in the roster',
  },
  {
    name: 'email',
    value: 'TEMPLATE',
    kind: 'text',
    notEmpty: true,
    about: "address of people without one, such as '{username}@school.example'",
    note: 'default: they are left out',
  },
  {
    name: 'subject-map',
    value: 'SUBJECT=NAME',
    kind: 'text',
    many: true,
    about: "the service's subject for a subject of the roster",
  },
  { name: 'default-subject', value: 'NAME', kind: 'text', notEmpty: true, about: 'subject of classes without one' },
  {
    name: 'leavers',
    value: 'WHAT',
    kind: 'choice',
    choices: ['unassign', 'keep'],
    about: 'what becomes of people who are no longer in the roster: out of their classes, or not',
    note: 'default unassign',
  },
];
