/**
 * A service on loopback that creates licences and nothing else, after a delay in milliseconds. Prints its base URL, answers
 * `GET /count` with how many it created, ends with stdin.
 */
import { createServer } from 'node:http';

const latency = Number(process.argv[2] ?? 0);
let count = 0;

const server = createServer((request, response) => {
  if (request.url === '/count') {
    response.end(String(count));
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const answer = JSON.stringify({ id: `L${++count}`, numberOfActivations: 0, endUsers: [], ...body, books: [] });
    const send = () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
      response.end(answer);
    };
    if (latency === 0) send();
    else setTimeout(send, latency);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();
