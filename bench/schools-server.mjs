/**
 * A service on loopback with a million users of 64 schools, which answers each page after 20 ms. Prints its base URL,
 * ends with stdin.
 */
import { createServer } from 'node:http';
import { serveBenchmark } from './loopback.mjs';

const USERS = 1_000_000;
const SCHOOLS = 64;
const PER_SCHOOL = USERS / SCHOOLS;
const PAGE = 100;
const LATENCY_MS = 20;

const json = (/** @type {unknown} */ value) => Buffer.from(JSON.stringify(value));
const last = { paging: { nextCursor: null } };

/** @param {number} school @param {number} index among the school's users */
const user = (school, index) => ({
  id: `u${String(school * PER_SCHOOL + index).padStart(8, '0')}`,
  email: null,
  firstName: 'Ada',
  lastName: `Byron ${index}`,
  language: 'EN',
  avatarUrl: null,
  organization: { id: `s${school}`, type: 'School' },
  roles: [{ id: 'r1', name: 'Pupil' }],
});

/** By school, then by page. */
const pages = Array.from({ length: SCHOOLS }, (_, school) =>
  Array.from({ length: Math.ceil(PER_SCHOOL / PAGE) }, (__, page) => {
    const from = page * PAGE;
    const size = Math.min(PAGE, PER_SCHOOL - from);
    const users = Array.from({ length: size }, (___, index) => user(school, from + index));
    return json({ users, paging: { nextCursor: from + size < PER_SCHOOL ? String(page + 1) : null } });
  }),
);

const schools = Array.from({ length: SCHOOLS }, (_, index) => ({ id: `s${index}`, name: `School ${index}` }));
const ANSWERS = new Map([
  ['/v1/schools', json({ schools, ...last })],
  ['/v1/publishers', json({ publishers: [], ...last })],
  [
    '/v1/account',
    json({ id: 'u1', email: 'a@example.org', firstName: 'A', lastName: 'B', roles: [], permissions: [] }),
  ],
  ['/v1/users/u1', json({ id: 'u1', organization: { id: 'd1', type: 'Distributor' }, roles: [] })],
]);
const noUsers = json({ users: [], ...last });

/** @param {URL} url */
function bodyFor({ pathname, searchParams }) {
  if (pathname !== '/v1/users') return ANSWERS.get(pathname) ?? json({ message: pathname });
  const school = /^s(\d+)$/.exec(searchParams.get('organization') ?? '')?.[1];
  return school === undefined ? noUsers : pages[Number(school)]?.[Number(searchParams.get('cursor') ?? 0)];
}

const server = createServer((request, response) => {
  const body = bodyFor(new URL(request.url ?? '/', 'http://service')) ?? noUsers;
  setTimeout(() => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    response.end(body);
  }, LATENCY_MS);
});
serveBenchmark(server);
