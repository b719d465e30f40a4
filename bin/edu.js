#!/usr/bin/env node
'use strict';
require('../dist/edu.cjs')
  .run(process.argv.slice(2))
  .then((code) => {
    process.exitCode = code;
  });
