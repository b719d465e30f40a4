/**
 * A service on loopback whose lists are generated page by page, so that it needs little memory itself. Arguments: the
 * number of licences, and of schools, each of which has 3 roles, 40 users, 5 books and 4 classes. Prints its base URL,
 * ends with stdin.
 */
import { createServer } from 'node:http';
import { serveBenchmark } from './loopback.mjs';

const [licences = 0, schools = 0] = process.argv.slice(2).map(Number);
const PAGE = 100;
const OWN = { id: 'd1', type: 'Distributor' };

const padded = (/** @type {number} */ index) => String(index + 1).padStart(10, '0');

/** @param {number} index */
const licence = (index) => ({
  id: padded(index),
  name: `Autumn term ${padded(index)}`,
  code: `code${padded(index)}`,
  type: 'Books',
  books: [{ id: 'B1', ean: '9783100000019', title: 'Number Quest 1' }],
  expiration: { type: 'Days', days: 365, date: null },
  maximumActivations: 30,
  numberOfActivations: 0,
  organization: OWN,
  licenseCategory: '01',
  endUsers: [],
});

/** By resource: their number in a school, and one of them. @type {Record<string, [number, (id: string, school: string) => object]>} */
const OF_SCHOOL = {
  roles: [3, (id) => ({ id, name: `Role ${id}`, permissions: [] })],
  users: [
    40,
    (id, school) => ({
      id,
      email: `${id}@example.org`,
      firstName: 'Ada',
      lastName: `Byron ${id}`,
      language: 'EN',
      avatarUrl: null,
      organization: { id: school, type: 'School' },
      roles: [{ id: `${school}r0`, name: 'Pupil' }],
    }),
  ],
  books: [
    5,
    (id, school) => ({
      id,
      ean: '9783100000019',
      title: `Number Quest ${id}`,
      level: 'Elementary',
      subject: { id: 'SU1', name: 'Mathematics' },
      type: { id: 'BT1', name: 'Textbook' },
      organization: { id: school, type: 'School' },
    }),
  ],
  classes: [
    4,
    (classId, schoolId) => ({
      classId,
      className: `Class ${classId}`,
      classCode: `code${classId}`,
      subjectId: 'SU1',
      usersInClass: null,
      schoolId,
    }),
  ],
};

/** @param {string} resource @param {string} school */
function ofSchool(resource, school) {
  const [count, make] = OF_SCHOOL[resource] ?? [0, () => ({})];
  const isSchool = school.startsWith('s');
  return Array.from({ length: isSchool ? count : 0 }, (_, index) => make(`${school}${resource[0]}${index}`, school));
}

/** @param {string} key @param {number} count @param {number} from @param {(index: number) => object} make */
function page(key, count, from, make) {
  const size = Math.max(0, Math.min(PAGE, count - from));
  const items = Array.from({ length: size }, (_, index) => make(from + index));
  return { [key]: items, paging: { nextCursor: from + size < count ? String(from + size) : null } };
}

/** @param {URL} url */
function answer({ pathname, searchParams }) {
  const [, , resource = '', id = '', part] = pathname.split('/');
  const from = Number(searchParams.get('cursor') ?? 0);
  if (resource === 'account')
    return {
      id: 'u1',
      email: 'a@example.org',
      firstName: 'A',
      lastName: 'B',
      avatar: null,
      roles: [],
      permissions: [],
    };
  if (part === 'classes') return ofSchool('classes', id);
  if (resource === 'schools')
    return page(resource, schools, from, (index) => ({ id: `s${padded(index)}`, name: `School ${index}` }));
  if (resource === 'users' && id !== '') return { id, organization: OWN, roles: [] };
  if (resource === 'licenses')
    return page(resource, searchParams.get('type') === 'BOOKS' ? licences : 0, from, licence);
  const school = searchParams.get('organization') ?? '';
  const key = resource === 'books' && id !== '' ? id : resource;
  return { [key]: id === '' ? ofSchool(resource, school) : [], paging: { nextCursor: null } };
}

const server = createServer((request, response) => {
  const body = Buffer.from(JSON.stringify(answer(new URL(request.url ?? '/', 'http://service'))));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});
serveBenchmark(server);
