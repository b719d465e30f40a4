/** Failures of networks, proxies and services, one function for each. */
import { gzipSync } from 'node:zlib';
import { answerWith, type Deed, type Exchange } from './faulty-door.js';

/** Breaks the connection before the service has read the request. */
export const resetBefore: Deed = ({ socket }) => socket.resetAndDestroy();

/** Breaks it after the service has carried out the request. */
export const resetAfter: Deed = async ({ process, socket }) => {
  await process();
  socket.resetAndDestroy();
};

/** Closes the connection without a response. */
export const closeBefore: Deed = ({ socket }) => socket.destroy();

/** Truncates the response. */
export const cutAnswer: Deed = async ({ process, outgoing, socket }) => {
  const { status, headers, bytes } = await process();
  const body = bytes.length > 1 ? bytes : Buffer.from('{}');
  outgoing.writeHead(status === 204 ? 200 : status, { ...headers, 'content-length': String(body.length) });
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)));
  setTimeout(() => socket.destroy(), 5);
};

/** A chunked response without its last chunk. */
export const cutChunks: Deed = async ({ process, outgoing, socket }) => {
  const { bytes } = await process();
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  outgoing.write(bytes.length > 0 ? bytes : '{');
  setTimeout(() => socket.destroy(), 5);
};

/** Returns a status without passing the request to the service. */
export const refuse =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}): Deed =>
  (exchange) =>
    answerWith(exchange, status, body, headers);

/** Returns a failure although the service has carried out the request. */
export const doneBut =
  (status: number, body = ''): Deed =>
  async (exchange) => {
    await exchange.process();
    answerWith(exchange, status, body);
  };

/** Never responds. */
export const silent: Deed = () => {};

export const silentAfter: Deed = async ({ process }) => {
  await process();
};

/** Sends the headers and half of the body, and then nothing more. */
export const stall: Deed = async ({ process, outgoing }) => {
  const { headers, bytes } = await process();
  outgoing.writeHead(200, { ...headers, 'content-length': String(bytes.length + 9) });
  outgoing.write(bytes.length > 0 ? bytes : '{');
};

/** The right response, a few bytes at a time. */
export const drip: Deed = async ({ process, outgoing }) => {
  const { status, headers, bytes } = await process();
  const { 'content-length': _, ...others } = headers;
  outgoing.writeHead(status, others);
  const step = Math.max(1, Math.ceil(bytes.length / 200));
  for (let at = 0; at < bytes.length; at += step) {
    outgoing.write(bytes.subarray(at, at + step));
    await new Promise((resolve) => setImmediate(resolve));
  }
  outgoing.end();
};

/** Another body with status 200, with the request carried out or not. */
export const instead =
  (body: string | Uint8Array, { done, type = 'application/json' }: { done: boolean; type?: string }): Deed =>
  async (exchange) => {
    if (done) await exchange.process();
    answerWith(exchange, 200, body, { 'content-type': type });
  };

/** The right response with another status, with its body or without. */
export const restated =
  (status: number, { empty = false } = {}): Deed =>
  async (exchange) => {
    const { headers, bytes } = await exchange.process();
    if (status === 204 || status === 304) {
      exchange.outgoing.writeHead(status);
      exchange.outgoing.end();
    } else
      answerWith(exchange, status, empty ? '' : bytes, empty ? {} : { 'content-type': headers['content-type'] ?? '' });
  };

/** The right response with undocumented fields, up to 50 MB of them. */
export const swollen =
  (size: number): Deed =>
  async (exchange) => {
    const { status, bytes } = await exchange.process();
    const text = bytes.toString();
    const more = `"unheardOf":${JSON.stringify('x'.repeat(size))}`;
    const body = text.startsWith('{') ? text.replace('{', `{${more},`) : text.replace('[', `[{"classId":"q",${more}},`);
    answerWith(exchange, status === 204 ? 200 : status, text === '' ? `{${more}}` : body, {
      'content-type': 'application/json',
    });
  };

let bomb: Buffer | undefined;

/** 70 MB compressed to 70 kB: more than a response may have. */
export const gzipBomb =
  ({ done }: { done: boolean }): Deed =>
  async (exchange) => {
    if (done) await exchange.process();
    bomb ??= gzipSync(Buffer.alloc(70 * 1024 * 1024, ' '));
    answerWith(exchange, 200, bomb, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  };

export const redirect =
  (status: number, to: (exchange: Exchange) => string): Deed =>
  (exchange) =>
    answerWith(exchange, status, '', { location: to(exchange) });
