/** The tasks of docs/guides/tasks.md are one line each, without IDs and queries; test/docs/run runs them in a shell. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { splitWords } from '../../src/core/shell.js';
import { run, temporaryFolder } from '../support/run.js';

const page = readFileSync('docs/guides/tasks.md', 'utf8');
const TASKS = [...page.matchAll(/^\*\*(.+)\*\*\n\n```sh\n([\s\S]*?)\n```$/gm)].map(([, task = '', line = '']) => ({
  task,
  line,
}));

/** The page names a summer, but the sample data ends near the current day. */
const NOW = Date.parse('2026-11-23T12:00:00Z');

/** What the output of a task must contain on the sample data. */
const ANSWERS: Readonly<Record<string, string | RegExp>> = {
  'Which licences expire before the summer?': /\t2027-0[1-7]-\d\d\t/,
  'Which ones were never used?': /\tautumn\t/,
  'Which ones have no seat left?': /\t54cm74ec\t/,
  'Which licences open this book?': /\tcpjayp27yj\t/,
  'Which licences are called something like “autumn”?': /\tAutumn term\t/,
  'Who uses this licence?': /\tFemke\tvan den Berg\t/,
  'Which licences does this person hold?': /\tyah3mafn\t/,
  'Create a licence for a class of 30, valid to the end of the school year': /\t2999-07-31\t30\t/,
  'Give a licence to a person': /^0000000268\t/,
  'Extend a licence by a year, with the default category': /\tgbd2mp5k\t/,
  'Delete a licence that was never used': '00000006\n',
  'Find a person by a part of the name': /^0000000155\t.*\n0000000268\t/,
  'Who are the administrators of this school?': /\tschool@example\.org\t/,
  'Add a teacher to a school': /\tnoor\.vos@example\.org\t.*\ts1-teacher\tTeacher\n/,
  'Make this user an administrator as well': /\tTeacher;Administrator\n/,
  'Who is in this class?': /Thijs.*Mulder/,
  'Which classes is this pupil in?': /^c1\t5a\t/,
  'Create a class': /\t7d\t/,
  'Put a person into a class': /^c1\t5a\t.*0000000155/,
  'Move a person to another class': /^c2\t5b\t.*0000000155.*\nc1\t5a\t(?!.*0000000155)/,
  'Give a licence to a whole class': /(\d+) steps: \1 done/,
  'Find a book by its EAN': /^B2\t/,
  'Which books does this publisher have?': /\tKräfte und Felder 2\t/,
  'How well is each book used?': /\tNumber Quest 1\t/,
  'A page about the licences, to print or share': /Number Quest 1/,
  'All licences as a spreadsheet for Excel': /^$/,
};

describe('the page of tasks', () => {
  it('has at least 25 tasks of one line, without IDs and queries', () => {
    expect(TASKS.length).toBeGreaterThanOrEqual(25);
    expect(page.match(/^```sh$/gm)).toHaveLength(TASKS.length);
    for (const { line } of TASKS) {
      expect(line.split('\n'), line).toHaveLength(1);
      expect(line).not.toMatch(/--query|\|/);
      expect(
        splitWords(line).filter((word) => /^([A-Z]\d+|[a-z]\d+|0\d{7,})$/.test(word)),
        line,
      ).toEqual([]);
    }
  });

  it('gives the answers that it promises, one task after the other', async () => {
    const folder = temporaryFolder();
    const env = { EDU_OFFLINE: '1', EDU_CONFIG_DIR: folder, EDU_STATE_DIR: folder };
    for (const { task, line } of TASKS) {
      const [, ...words] = splitWords(line.replace(/ > \S+$/, '').replace(/licences\.(?:html|xlsx)/, `${folder}/$&`));
      const { code, stdout, stderr } = await run(words, { env, randomBytes, now: () => NOW });
      expect(code, `${line}\n${stderr}`).toBe(0);
      const answer = ANSWERS[task];
      const said = line.includes(' sync ') ? stderr : stdout;
      if (answer !== undefined) expect(said, line).toMatch(answer);
      else expect(said, line).not.toBe('');
    }
    expect(Object.keys(ANSWERS).filter((task) => !TASKS.some((one) => one.task === task))).toEqual([]);
    expect(readFileSync(`${folder}/licences.html`, 'utf8')).toContain('Number Quest 1');
    expect(readFileSync(`${folder}/licences.xlsx`, 'latin1')).toMatch(/^PK/);
  });
});
