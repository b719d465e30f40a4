/**
 * A service on loopback that creates licences, lists none, and delays each response by the milliseconds given as
 * argument. Prints its base URL, answers `GET /count` with the number of created licences, and ends with stdin.
 */
import { createServer } from 'node:http';

const latency = Number(process.argv[2] ?? 0);
let count = 0;

/** Responses to the requests with which a job looks up its user and the existing licences. */
const READS = {
  '/v1/account': { id: 'u1', email: 'a@b.example', roles: [] },
  '/v1/users/u1': { id: 'u1', organization: { id: 'd1', type: 'Distributor' } },
  '/v1/licenses': { licenses: [], paging: { nextCursor: null } },
};

const server = createServer((request, response) => {
  const send = (status, body) => {
    const answer = JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
    response.end(answer);
  };
  const [path = ''] = (request.url ?? '').split('?');
  if (request.method === 'GET') {
    const found = path === '/count' ? count : READS[path];
    send(found === undefined ? 404 : 200, found ?? { message: 'not found' });
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const answer = { id: `L${++count}`, numberOfActivations: 0, endUsers: [], ...body, books: [] };
    if (latency === 0) send(200, answer);
    else setTimeout(send, latency, 200, answer);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();
