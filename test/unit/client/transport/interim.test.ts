/** Interim responses, and responses that end with their headers: RFC 9110 sections 8.6, 15.2 and 15.4.5. */
import { afterEach, expect, test } from 'vitest';
import { createNetwork } from '../../../../src/client/transport/network.js';
import { type HttpRequest, readBytes } from '../../../../src/core/http.js';
import { httpAnswer, jsonAnswer, type Misdeed, misbehavingServer, say } from '../../../support/misbehaving-server.js';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function service(...misdeeds: readonly Misdeed[]) {
  const server = await misbehavingServer(misdeeds);
  const network = createNetwork({ timeoutMs: 10_000, env: {} });
  endings.push(
    () => server.close(),
    () => network.close(),
  );
  const ask = async (method: HttpRequest['method'] = 'GET') => {
    const { status, body } = await network.send({ method, url: `${server.origin}/v1/account`, headers: {} });
    return { status, text: (await readBytes(body, 1_000_000)).toString() };
  };
  return { server, ask };
}

const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n';
const ANSWER = jsonAnswer({ id: 'a' });

/** Writes pieces in separate turns, so that they arrive separately. */
const inPieces =
  (pieces: readonly string[]): Misdeed =>
  (socket) => {
    socket.setNoDelay(true);
    const next = (at: number): void => {
      const piece = pieces[at];
      if (piece === undefined) return;
      socket.write(piece, () => setImmediate(next, at + 1));
    };
    next(0);
  };

test.each<[string, Misdeed]>([
  ['before the answer, in one piece', say(CONTINUE + ANSWER)],
  ['in a piece of its own', inPieces([CONTINUE, ANSWER])],
  ['with headers, twice', say(`HTTP/1.1 100 Go on\r\nX-A: b\r\n\r\n${CONTINUE}${ANSWER}`)],
  ['after other interim answers and before some', say(HINTS + CONTINUE + HINTS + ANSWER)],
  ['byte by byte', inPieces([...(HINTS + CONTINUE + ANSWER)])],
])('skips interim responses: %s', async (_, misdeed) => {
  const { server, ask } = await service(misdeed);
  for (const method of ['GET', 'PUT', 'POST'] as const) {
    expect(await ask(method)).toEqual({ status: 200, text: '{"id":"a"}' });
  }
  expect(server.connections()).toBe(1);
});

test('leaves the text of a 100 Continue within a body', async () => {
  const body = `${CONTINUE}${HINTS}${CONTINUE}`;
  const whole = httpAnswer('200 OK', body);
  const head = whole.slice(0, whole.length - body.length);
  const { ask } = await service(inPieces([head, body.slice(0, CONTINUE.length), body.slice(CONTINUE.length)]));
  expect(await ask()).toEqual({ status: 200, text: body });
});

test('reports a 100 Continue followed by silence as no response', async () => {
  const { ask } = await service((socket) => socket.end(CONTINUE));
  await expect(ask()).rejects.toMatchObject({ sent: true });
});

test.each([
  ['304 Not Modified', 304],
  ['204 No Content', 204],
])('ends %s after its headers, whatever its Content-Length', async (status, code) => {
  const { server, ask } = await service(say(`HTTP/1.1 ${status}\r\nContent-Length: 500\r\n\r\n`), say(ANSWER));
  expect(await ask()).toEqual({ status: code, text: '' });
  expect(await ask()).toEqual({ status: 200, text: '{"id":"a"}' });
  expect(server.lines).toHaveLength(2);
});

test('does not read an illegal body after 204 as the next response', async () => {
  const { ask } = await service(say('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}'), say(ANSWER));
  expect(await ask('DELETE')).toEqual({ status: 204, text: '' });
  expect(await ask()).toEqual({ status: 200, text: '{"id":"a"}' });
});
