/**
 * A `Send` over node:http, one connection per request. It must not use the client's transport: it tests the service.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { chunksOf, type HttpRequest, type HttpResponse } from '../../src/core/http.js';

async function upload(request: HttpRequest, socket: ReturnType<typeof httpRequest>): Promise<void> {
  if (request.body !== undefined) {
    for await (const chunk of chunksOf(request.body)) {
      if (socket.destroyed || socket.writableEnded) return;
      if (!socket.write(chunk)) {
        await new Promise<void>((resolve) => {
          const go = (): void => {
            socket.off('drain', go).off('close', go);
            resolve();
          };
          socket.once('drain', go).once('close', go);
        });
      }
    }
  }
  socket.end();
}

/** Sends a request over the network. A response that arrives while the body is still being sent counts. */
export async function overSockets(request: HttpRequest): Promise<HttpResponse> {
  const url = new URL(request.url);
  const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const socket = open(url, { method: request.method, headers: request.headers, agent: false });
    socket.once('response', resolve);
    socket.once('error', reject);
    upload(request, socket).catch(reject);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(
    Object.entries(answer.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : `${value}`]),
  );
  return { status: answer.statusCode ?? 0, headers, body: Buffer.concat(chunks) };
}
