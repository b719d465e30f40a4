/** A distributor with many schools, users, classes and licences, as seed of the service and as OneRoster folder. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const SCHOOLS = 10;
export const USERS = 50_000;
export const CLASSES = 500;
export const LICENCES = 20_000;
export const ENROLMENTS = 120_000;

const school = (/** @type {number} */ number) => `s${(number % SCHOOLS) + 1}`;
const schools = Array.from({ length: SCHOOLS }, (_, index) => `s${index + 1}`);
const email = (/** @type {number} */ number) => `user${number}@${school(number)}.example.org`;
/** A class has 240 users of its school, a user two or three classes. @param {number} number of the class @param {number} [users] */
const membersOf = (number, users = USERS) =>
  Array.from({ length: ENROLMENTS / CLASSES }, (_, place) => {
    const first = Math.floor(number / SCHOOLS) * ((USERS / CLASSES) | 0);
    return ((first + place) % (users / SCHOOLS)) * SCHOOLS + (number % SCHOOLS);
  });

/** A seed for `edu offline serve --seed`. */
export function seed() {
  const organization = (/** @type {string} */ id) => ({ id, type: 'School' });
  const roles = schools.map((id) => ({ id: `${id}-teacher`, name: 'Teacher' }));
  return {
    organization: { id: 'd1', type: 'Distributor' },
    account: { id: 'me', email: 'me@example.org', firstName: 'A', lastName: 'B', roles: [], permissions: [] },
    schools: schools.map((id, index) => ({
      id,
      name: `School ${id}`,
      country: 'DE',
      city: 'Köln',
      roles: [roles[index]],
    })),
    subjects: [{ id: '01', translatedName: 'Mathematics', code: 'MATH' }],
    users: Array.from({ length: USERS }, (_, index) => ({
      ...{ id: `u${index}`, email: email(index), firstName: `First${index}`, lastName: `Last${index}`, language: 'DE' },
      ...{ avatarUrl: null, organization: organization(school(index)), roles: [] },
    })),
    classes: Array.from({ length: CLASSES }, (_, index) => ({
      ...{ classId: `c${index}`, className: `Class ${index}`, classCode: `CODE${index}`, subjectId: '01' },
      ...{
        usersInClass: membersOf(index).map((user) => `u${user}`),
        schoolId: school(index),
        creationDate: '2026-08-01T08:00:00.000',
      },
      deactivationDate: null,
    })),
    licenses: Array.from({ length: LICENCES }, (_, index) => ({
      ...{ id: `l${index}`, code: `bench${index}`, name: `Licence ${index}`, type: 'Teacher', maximumActivations: 30 },
      ...{ numberOfActivations: 0, organization: { id: 'd1', type: 'Distributor' } },
    })),
  };
}

/** Writes the same as OneRoster 1.1, without the enrolments of one user in 200. @param {string} folder @param {number} times as much */
export function writeRoster(folder, times = 1) {
  const [users, classes] = [USERS * times, CLASSES * times];
  mkdirSync(folder);
  const table = (/** @type {string} */ name, /** @type {string} */ head, /** @type {readonly string[]} */ rows) =>
    writeFileSync(join(folder, `${name}.csv`), `${[head, ...rows].join('\r\n')}\r\n`);
  const files = ['academicSessions', 'classes', 'courses', 'enrollments', 'orgs', 'users'];
  table('manifest', 'propertyName,value', [
    'manifest.version,1.0',
    'oneroster.version,1.1',
    ...files.map((file) => `file.${file},bulk`),
  ]);
  table('orgs', 'sourcedId,status,dateLastModified,name,type,identifier,parentSourcedId', [
    ...schools.map((id) => `${id},,,School ${id},school,,`),
  ]);
  table(
    'academicSessions',
    'sourcedId,status,dateLastModified,title,type,startDate,endDate,parentSourcedId,schoolYear',
    ['term,,,Term,schoolYear,2020-08-01,2099-07-31,,2099'],
  );
  table(
    'courses',
    'sourcedId,status,dateLastModified,schoolYearSourcedId,title,courseCode,grades,orgSourcedId,subjects,subjectCodes',
    [...schools.map((id) => `course-${id},,,term,Mathematics,,,${id},Mathematics,`)],
  );
  table(
    'classes',
    'sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType,location,schoolSourcedId,termSourcedIds,subjects,subjectCodes,periods',
    Array.from({ length: classes }, (_, index) => {
      const where = school(index);
      return `k${index},,,Class ${index},,course-${where},,scheduled,,${where},term,Mathematics,,`;
    }),
  );
  table(
    'users',
    'sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,userIds,givenName,familyName,middleName,identifier,email,sms,phone,agentSourcedIds,grades,password',
    Array.from(
      { length: users },
      (_, index) =>
        `p${index},,,true,${school(index)},student,user${index},,First${index},Last${index},,,${email(index)},,,,,`,
    ),
  );
  table(
    'enrollments',
    'sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary,beginDate,endDate',
    Array.from({ length: classes }, (_, index) => index).flatMap((index) =>
      membersOf(index, users)
        .filter((user) => user % 200 !== 0)
        .map((user) => `e${index}-${user},,,k${index},${school(index)},p${user},student,,,`),
    ),
  );
}
