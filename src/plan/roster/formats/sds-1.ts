/** Microsoft School Data Sync V1 CSV (learn.microsoft.com/schooldatasync, "CSV files for School Data Sync"). */
import type { RosterFormat } from '../format.js';

/** Names and user names may be blank: School Data Sync then finds the person in Microsoft Entra ID. */
const NAMES = { firstName: 'First Name', lastName: 'Last Name', username: 'Username', status: 'Status' } as const;
const PERSON = {
  kind: 'person',
  isNeeded: true,
  isPerSchool: true,
  hasUpn: true,
  required: { id: 'SIS ID', school: 'School SIS ID' },
} as const;
const MEMBERS = { class: 'Section SIS ID', person: 'SIS ID' } as const;

export const SDS_1: RosterFormat = {
  name: 'School Data Sync V1',
  marks: ['studentenrollment', 'teacherroster', 'student School SIS ID', 'section School SIS ID'],
  dates: 'M/d/yyyy',
  tables: [
    { file: 'school', kind: 'school', isNeeded: true, required: { id: 'SIS ID', name: 'Name' } },
    { ...PERSON, file: 'student', role: 'student', optional: { ...NAMES, identifier: 'Student Number' } },
    { ...PERSON, file: 'teacher', role: 'teacher', optional: { ...NAMES, identifier: 'Teacher Number' } },
    {
      file: 'section',
      kind: 'class',
      isNeeded: true,
      required: { id: 'SIS ID', school: 'School SIS ID', title: 'Section Name' },
      optional: { subject: 'Course Subject', end: 'Term EndDate', status: 'Status' },
    },
    { file: 'studentenrollment', kind: 'membership', role: 'student', isNeeded: true, required: MEMBERS },
    { file: 'teacherroster', kind: 'membership', role: 'teacher', isNeeded: true, required: MEMBERS },
  ],
};
