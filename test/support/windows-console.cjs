/**
 * For `node --require`: a terminal that takes bytes the way a Windows console does, by a code page that knows ASCII only.
 * What is written by way of the stream arrives as it is.
 */
const fs = require('node:fs');
const { isatty } = require('node:tty');

Object.defineProperty(process, 'platform', { value: 'win32' });

const { write, writeSync } = fs;

/** @param {number} fd @param {string | Uint8Array} data */
const misread = (fd, data) =>
  isatty(fd) ? Uint8Array.from(Buffer.from(data), (byte) => (byte < 0x80 ? byte : 0x3f)) : data;

Object.assign(fs, {
  /** @param {number} fd @param {Uint8Array} data @param {unknown[]} rest */
  writeSync: (fd, data, ...rest) => Reflect.apply(writeSync, fs, [fd, misread(fd, data), ...rest]),
  /** @param {number} fd @param {Uint8Array} data @param {unknown[]} rest */
  write: (fd, data, ...rest) => Reflect.apply(write, fs, [fd, misread(fd, data), ...rest]),
});
