/** Clever CSV (Clever, "SFTP Specification"). */
import type { RosterFormat } from '../format.js';

const NAMES = { firstName: 'First_name', lastName: 'Last_name' } as const;
const TEACHERS = ['Teacher_id', ...Array.from({ length: 9 }, (_, index) => `Teacher_${index + 2}_id`)];

export const CLEVER: RosterFormat = {
  name: 'Clever CSV',
  marks: ['sections', 'students Student_id', 'enrollments Section_id'],
  dates: 'M/d/yyyy',
  tables: [
    { file: 'schools', kind: 'school', isNeeded: true, required: { id: 'School_id', name: 'School_name' } },
    {
      file: 'students',
      kind: 'person',
      role: 'student',
      isNeeded: true,
      isPerSchool: true,
      required: { id: 'Student_id', school: 'School_id', ...NAMES },
      optional: { email: 'Student_email', username: 'Username', identifier: 'Student_number' },
    },
    {
      file: 'teachers',
      kind: 'person',
      role: 'teacher',
      isNeeded: true,
      isPerSchool: true,
      required: { id: 'Teacher_id', school: 'School_id', ...NAMES },
      optional: { email: 'Teacher_email', username: 'Username', identifier: 'Teacher_number' },
    },
    {
      file: 'staff',
      kind: 'person',
      role: 'staff',
      isPerSchool: true,
      required: { id: 'Staff_id', school: 'School_id', ...NAMES },
      optional: { email: 'Staff_email', username: 'Username' },
    },
    {
      file: 'sections',
      kind: 'class',
      role: 'teacher',
      isNeeded: true,
      required: { id: 'Section_id', school: 'School_id' },
      optional: { title: ['Name', 'Course_name'], subject: 'Subject', end: 'Term_end', teachers: TEACHERS },
    },
    {
      file: 'enrollments',
      kind: 'membership',
      role: 'student',
      isNeeded: true,
      required: { class: 'Section_id', person: 'Student_id' },
    },
  ],
};
