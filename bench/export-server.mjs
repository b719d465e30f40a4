/**
 * A service on loopback with any number of generated licences. Arguments: the number, and `shuffled` if they should
 * not be sorted by id. Prints its base URL, ends with stdin.
 */
import { createServer } from 'node:http';
import { serveBenchmark } from './loopback.mjs';

const [, , countText = '200000', order = 'sorted'] = process.argv;
const count = Number(countText);
const PAGE = 100;
/** A prime that divides none of the counts: `index * STEP % count` takes each value below `count` once. */
const STEP = order === 'shuffled' ? 7_368_787 : 1;

/** @param {number} index in the list */
function licence(index) {
  const number = (index * STEP) % count;
  const id = String(number + 1).padStart(10, '0');
  return {
    id,
    name: `Autumn term ${id}`,
    code: `code${id}`,
    type: 'Books',
    books: [{ id: 'B1', ean: '9783100000019', title: 'Number Quest 1' }],
    expiration: { type: 'Days', days: 365, date: null },
    maximumActivations: 30,
    numberOfActivations: 0,
    organization: { id: 'd1', type: 'Distributor' },
    licenseCategory: '01',
    endUsers: [],
  };
}

/** By the index of their first licence. @type {Map<number, Buffer>} */
const pages = new Map();

/** @param {number} from */
function pageFrom(from) {
  let page = pages.get(from);
  if (page === undefined) {
    const size = Math.max(0, Math.min(PAGE, count - from));
    const licenses = Array.from({ length: size }, (_, index) => licence(from + index));
    const next = from + size < count ? String(from + size) : null;
    page = Buffer.from(JSON.stringify({ licenses, paging: { nextCursor: next } }));
    pages.set(from, page);
  }
  return page;
}

const ANSWERS = new Map([
  [
    '/v1/account',
    { id: 'u1', email: 'a@example.org', firstName: 'A', lastName: 'B', avatar: null, roles: [], permissions: [] },
  ],
  ['/v1/users/u1', { id: 'u1', organization: { id: 'd1', type: 'Distributor' }, roles: [] }],
]);

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://service');
  const books = url.pathname === '/v1/licenses' && url.searchParams.get('type') === 'BOOKS';
  const empty = { licenses: [], paging: { nextCursor: null } };
  const body = books
    ? pageFrom(Number(url.searchParams.get('cursor') ?? 0))
    : Buffer.from(JSON.stringify(ANSWERS.get(url.pathname) ?? empty));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
});
// All pages are generated before the first request, because the server's work must not be measured.
serveBenchmark(server, () => {
  for (let from = 0; from < count; from += PAGE) pageFrom(from);
});
