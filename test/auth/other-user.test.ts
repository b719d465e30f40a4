/**
 * Attack: another user of the machine reads state and path of a login from the process list and calls the callback
 * first.
 */
import { spawn } from 'node:child_process';
import { describe, expect } from 'vitest';
import { explainSkipped, OTHER, testAsRoot } from '../support/other-user.js';
import { CANARY, waiting } from './support.js';

/** Sends a request and prints the status; with `--leave` it closes before the response. */
const ANSWER = `
  const { connect } = require('node:net');
  const [host, port, text, leave] = process.argv.slice(1);
  const socket = connect({ host, port: Number(port) }, () => {
    socket.write(text);
    if (leave) socket.destroy();
  });
  socket.once('data', (data) => { process.stdout.write(String(data).slice(9, 12)); socket.destroy(); });
`;

/**
 * Calls the callback as the other user.
 * @returns the status; empty if it closed first
 */
const answerAsOther = (host: string, port: number, text: string, leave = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', ANSWER, '--', host, String(port), text, leave], {
      ...OTHER,
      cwd: '/',
    });
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    child.on('error', reject);
    child.on('close', () => resolve(out));
  });

describe('an answer from another user', () => {
  explainSkipped('an answer to a login with the right state and path');

  testAsRoot.each(['127.0.0.1', '[::1]'] as const)('is refused at %s, and the login keeps waiting', async (host) => {
    const login = await waiting({ hostname: host });
    const target = `${login.path()}?code=stolen&state=${login.state()}`;
    const text = `GET ${target} HTTP/1.1\r\nHost: ${host}:${login.port}\r\n\r\n`;
    const address = host.replace(/[[\]]/g, '');
    expect(await answerAsOther(address, login.port, text)).toBe('403');
    expect(await answerAsOther(address, login.port, text, 'leave')).toBe('');
    expect(login.exchanges).toEqual([]);
    expect((await login.visit({ code: CANARY.code, state: login.state() }, { address })).status).toBe(200);
    await login.outcome;
    expect(login.exchanges.map(({ body }) => body).join()).not.toContain('stolen');
  });

  testAsRoot('is refused over IPv4 from an IPv6 socket', async () => {
    const login = await waiting();
    const text = `GET ${login.path()}?code=stolen&state=${login.state()} HTTP/1.1\r\nHost: 127.0.0.1:${login.port}\r\n\r\n`;
    expect(await answerAsOther('::ffff:127.0.0.1', login.port, text)).toBe('403');
    await login.expectStillWaiting();
  });
});
