import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { watchSignals } from '../../../src/app/signals.js';

/** A process with its own clock that is ended by no signal. */
function watched() {
  const source = new EventEmitter();
  const ended: string[] = [];
  let time = 1000;
  const { interrupted, unwatch } = watchSignals({ source, now: () => time, end: (signal) => ended.push(signal) });
  return {
    source,
    ended,
    interrupted,
    unwatch,
    send: (signal: string, afterMs = 0): void => {
      time += afterMs;
      source.emit(signal, signal);
    },
  };
}

test.each([
  ['SIGINT', 'interrupted'],
  ['SIGTERM', 'terminated'],
  ['SIGHUP', 'terminated'],
] as const)('the first %s asks the command to end', async (signal, kind) => {
  const { send, interrupted, ended } = watched();
  send(signal);
  expect(await interrupted).toMatchObject({ kind });
  expect(ended).toEqual([]);
});

test('a signal repeated within 50 ms counts once, because npx forwards those of the terminal', () => {
  const { send, ended } = watched();
  send('SIGINT');
  send('SIGINT', 49);
  expect(ended).toEqual([]);
  send('SIGINT', 1);
  expect(ended).toEqual(['SIGINT']);
});

test('another signal ends the program at once', () => {
  const { send, ended, source } = watched();
  send('SIGINT');
  send('SIGTERM', 1);
  expect(ended).toEqual(['SIGTERM']);
  expect(source.eventNames()).toEqual([]);
});

test('a closed terminal ends the program by the signal once the command has ended', () => {
  const { send, ended, unwatch } = watched();
  send('SIGHUP');
  expect(ended).toEqual([]);
  unwatch();
  expect(ended).toEqual(['SIGHUP']);
});

test('signals have their usual effect once the command has ended', () => {
  const { send, ended, unwatch, source } = watched();
  unwatch();
  expect(source.eventNames()).toEqual([]);
  send('SIGINT');
  expect(ended).toEqual([]);
});
