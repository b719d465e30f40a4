#!/usr/bin/env node
'use strict';
// Every Node must be able to parse this file: an unsupported one prints which it should be.
const [major, minor, patch] = process.versions.node.split('.').map(Number);
// As "engines" in package.json: undici 7 needs 20.18.1, and process.getBuiltinModule is missing in 21 and up to 22.2.
const isSupported =
  major === 20 ? minor > 18 || (minor === 18 && patch > 0) : major > 22 || (major === 22 && minor > 2);
if (isSupported) {
  require('../dist/edu.cjs')
    .run(process.argv.slice(2))
    // A part of the program cannot be loaded, for example because too many files are open.
    .catch((error) => {
      const { message, stack } = Object(error);
      process.stderr.write(`Error: Cannot run edu: ${process.argv.includes('--debug') ? stack : message}\n`);
      return 1;
    })
    .then((code) => {
      process.exitCode = code;
    });
} else {
  const found = `this is Node.js ${process.versions.node} (${process.execPath})`;
  process.stderr.write(`Error: Cannot start edu: it needs Node.js 22.3 or later, or 20 from 20.18.1; ${found}.\n`);
  process.exitCode = 1;
}
