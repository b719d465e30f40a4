/** Adds the test counts of several vitest JSON reports up and prints them on one line. */
import { readFileSync } from 'node:fs';

let passed = 0;
let failed = 0;
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
