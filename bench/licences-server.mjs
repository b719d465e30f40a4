/** A service on loopback that answers each request with one page of licences, or with the account. Prints its base URL, ends with stdin. */
import { createServer } from 'node:http';
import { serveBenchmark } from './loopback.mjs';

const licence = {
  id: '00000001',
  name: 'Welcome',
  code: 'welcome1',
  type: 'Books',
  books: [{ id: 'B1', ean: '9783100000019', title: 'Number Quest 1' }],
  expiration: { type: 'Days', days: 365, date: null },
  maximumActivations: 30,
  numberOfActivations: 7,
  organization: { id: 'd1', type: 'Distributor' },
  licenseCategory: '01',
  endUsers: [],
};
const page = JSON.stringify({ licenses: [licence], paging: { nextCursor: null } });
const account = JSON.stringify({
  id: 'a1',
  email: 'bench@example.org',
  organization: { id: 'd1', type: 'Distributor' },
  roles: ['Admin'],
});

const server = createServer(({ url }, response) => {
  const answer = url?.endsWith('/account') ? account : page;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
  response.end(answer);
});
serveBenchmark(server);
