/**
 * Long lists with a small heap: streamed output is complete, and what must be read whole ends with an error before V8
 * aborts.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../bulk/program.js';
import { serve } from '../faults/process-cases.js';
import { temporaryFolder } from '../support/run.js';

const COUNT = 60_000;

/** A service with many licences: some 30 MB of JSON. */
const manyLicences = (): Promise<string> =>
  serve((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    const start = searchParams.get('type') === 'BOOKS' ? Number(searchParams.get('cursor') ?? 0) : COUNT;
    const end = Math.min(COUNT, start + 1000);
    const licenses = Array.from({ length: end - start }, (_, index) => {
      const number = start + index;
      const name = `Licence ${(number * 7919) % COUNT} ${'x'.repeat(300)}`;
      return { id: String(number), name, code: `c${number}`, type: 'Books', books: [], maximumActivations: number % 2 };
    });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ licenses, paging: { nextCursor: end < COUNT ? String(end) : null } }));
  });

test('queries and sorts a list that is larger than the heap', { timeout: 120_000 }, async () => {
  const edu = program(await manyLicences(), { NODE_OPTIONS: '--max-old-space-size=48 --max-semi-space-size=2' });
  const run = (...argv: readonly string[]) => edu.start(argv).ended;
  const list = ['licenses', 'list', '--page-size', '1000'];

  const whole = await run(...list, '--query', 'sort_by(@, &name)[0].id', '--json');
  expect(whole).toMatchObject({ code: 1, stdout: '' });
  expect(JSON.parse(whole.stderr).error).toMatchObject({
    message: '--query: "sort_by(@, &name)[0].id" reads all licences, which needs more memory than available.',
    hint: expect.stringContaining('NODE_OPTIONS=--max-old-space-size='),
  });

  const streamed = await run(...list, '--query', '[?maximumActivations==`1`].code');
  expect({ ...streamed, stdout: streamed.stdout.split('\n').length }).toMatchObject({
    code: 0,
    stdout: 30_001,
    stderr: '',
  });

  const sorted = await run(...list, '--sort', 'name:desc', '--fields', 'name', '-o', 'tsv');
  expect(sorted).toMatchObject({ code: 0, stderr: '' });
  const names = sorted.stdout.trimEnd().split('\n');
  expect(names).toHaveLength(COUNT);
  expect(names).toEqual([...names].sort().reverse());
});

test('a roster is checked and planned in the memory of its people', {
  timeout: 120_000,
}, async () => {
  const folder = temporaryFolder();
  const table = (name: string, head: string, count: number, row: (index: number) => string) =>
    writeFileSync(
      join(folder, `${name}.csv`),
      `${head}\n${Array.from({ length: count }, (_, index) => `${row(index)}\n`).join('')}`,
    );
  table('orgs', 'sourcedId,name,type', 1, () => 's1,School,school');
  table(
    'users',
    'sourcedId,orgSourcedIds,role,givenName,familyName,email',
    40_000,
    (index) => `person-of-the-school-${index},s1,student,First${index},Last${index},first${index}.last@s1.example.org`,
  );
  table('classes', 'sourcedId,title,schoolSourcedId', 400, (index) => `class-${index},Class ${index},s1`);
  table('enrollments', 'sourcedId,classSourcedId,userSourcedId,role', 200_000, (index) =>
    [`membership-${index}`, `class-${index % 400}`, `person-of-the-school-${(index * 7) % 40_000}`, 'student'].join(),
  );
  // The service refuses, so that a plan ends when the roster has been read.
  const service = await serve((_, response) => response.writeHead(403).end('{}'));
  const run = (size: number, ...argv: readonly string[]) =>
    program(service, { NODE_OPTIONS: `--max-old-space-size=${size} --max-semi-space-size=2` }).start(argv).ended;

  // It looks for everything that a plan refuses, so it needs the people too, not only their IDs.
  const checked = await run(60, 'roster', 'check', folder, '--json');
  expect(checked.code).toBe(0);
  expect(JSON.parse(checked.stdout)).toMatchObject({ people: 40_000, classes: 400, memberships: 200_000 });

  expect(await run(60, 'roster', 'plan', folder, '--default-subject', 'Mathematics')).toMatchObject({ code: 4 });
});
