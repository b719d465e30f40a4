/** Loaded before the program (`node --expose-gc -r`): on SIGUSR2 it collects garbage, and writes what is left into a file. */
'use strict';
const { renameSync, writeFileSync } = require('node:fs');

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  // What was waiting for the first collection to end goes with the second.
  setTimeout(() => {
    globalThis.gc?.();
    const report = process.env.HEAP_REPORT ?? '';
    writeFileSync(`${report}.new`, JSON.stringify(process.memoryUsage()));
    renameSync(`${report}.new`, report);
  }, 100);
});
