/**
 * Prints the failed tests of several vitest JSON reports with the first lines of their reasons, and last the sums of
 * the test counts: of a long log, people read the end.
 */
import { readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Enough for the expected and the received value; the full reason is further up in the log. */
const REASON_LINES = 6;

let passed = 0;
let failed = 0;
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  for (const suite of report.testResults) {
    const where = `${basename(file, '.json')}: ${relative('.', suite.name)}`;
    const failures = suite.assertionResults.filter(
      (/** @type {{ status: string }} */ { status }) => status === 'failed',
    );
    for (const { fullName, failureMessages } of failures)
      printFailure(`${where} > ${fullName}`, failureMessages.join('\n'));
    // A file that could not be loaded contains no failed test.
    if (suite.status === 'failed' && failures.length === 0) printFailure(where, suite.message);
  }
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);

/**
 * @param {string} what report, file and test
 * @param {string} reason
 */
function printFailure(what, reason) {
  const lines = stripVTControlCharacters(reason).trim().split('\n').slice(0, REASON_LINES);
  process.stdout.write(`failed: ${what}\n${lines.map((line) => `    ${line}\n`).join('')}`);
}
