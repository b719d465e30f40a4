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
