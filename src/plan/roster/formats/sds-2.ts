/** Microsoft School Data Sync V2.1 CSV (learn.microsoft.com/schooldatasync, "SDS V2.1 CSV file format"). */
import type { RosterFormat } from '../format.js';

export const SDS_2: RosterFormat = {
  name: 'School Data Sync V2.1',
  marks: ['classes orgSourcedId', 'roles userSourcedId'],
  // Of its default list of values, the organizations that teach.
  schoolTypes: ['school', 'university', 'college', 'campus', 'adulteducation'],
  tables: [
    { file: 'orgs', kind: 'school', isNeeded: true, required: { id: 'sourcedId', name: 'name', type: 'type' } },
    { file: 'academicsessions', kind: 'term', required: { id: 'sourcedId', end: 'endDate' } },
    {
      file: 'roles',
      kind: 'role',
      isNeeded: true,
      required: { person: 'userSourcedId', school: 'orgSourcedId', role: 'role' },
      optional: { primary: 'isPrimary', begin: 'roleStartDate', end: 'roleEndDate' },
    },
    {
      file: 'users',
      kind: 'person',
      isNeeded: true,
      hasUpn: true,
      required: { id: 'sourcedId', username: 'username' },
      optional: { firstName: 'givenName', lastName: 'familyName', email: 'email' },
    },
    {
      file: 'classes',
      kind: 'class',
      required: { id: 'sourcedId', school: 'orgSourcedId', title: 'title' },
      optional: { terms: 'sessionSourcedIds' },
    },
    {
      file: 'enrollments',
      kind: 'membership',
      required: { class: 'classSourcedId', person: 'userSourcedId' },
      optional: { status: 'status' },
    },
  ],
};
