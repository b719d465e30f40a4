/** A service on loopback that accepts files of any size and stores none. Prints its base URL, ends with stdin. */
import { createServer } from 'node:http';
import { serveBenchmark } from './loopback.mjs';

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const answer = JSON.stringify({ id: 'F1', name: 'upload.pdf', fileType: 'Document' });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) });
    response.end(answer);
  });
});
serveBenchmark(server);
