/** A service on loopback that takes files of any size and keeps none. Prints its base URL, ends with stdin. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const answer = JSON.stringify({ id: 'F1', name: 'upload.pdf', fileType: 'Document' });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.stdout.write(`http://127.0.0.1:${address?.port}\n`);
});
process.stdin.on('end', () => process.exit(0)).resume();
