/** A job belongs to the organization that started it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { licenceServer } from './licence-server.js';
import { program } from './program.js';

const ROWS = 'name,type,maximum-activations\nA,Teacher,1\nB,Teacher,1\nC,Teacher,1\n';

test('another account with the same file gets its own job, and may not resume this one', async () => {
  let isDown = true;
  const server = await licenceServer({
    organizations: { first: 'd1', second: 'd2' },
    fate: (index) => (isDown && index > 0 ? { status: 503 } : 'ok'),
  });
  onTestFinished(() => server.close());
  const edu = program(server.origin, { EDU_TOKEN: 'first' });
  const second = program(server.origin, { ...edu.env, EDU_TOKEN: 'second' });
  const file = join(edu.env.EDU_STATE_DIR ?? '', '..', 'a.csv');
  writeFileSync(file, ROWS);
  const line = ['licenses', 'create', '--from', file, '--json'];
  const cut = await edu.run([...line, '--concurrency', '1', '--max-wait', '1s']);
  expect([cut.code, server.created.length]).toEqual([7, 1]);
  isDown = false;
  const { job } = JSON.parse(cut.stdout);
  for (const verb of ['resume', 'retry']) {
    const refused = await second.run(['jobs', verb, job]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(`The job ${job} belongs to the organization d1, and you act for d2.`);
  }
  expect(server.created).toHaveLength(1);
  expect(JSON.parse((await second.run(line)).stdout)).toMatchObject({ created: 3, exists: 0 });
  expect(JSON.parse((await edu.run(line)).stdout)).toMatchObject({ job, created: 3, done: true });
  expect(server.created).toHaveLength(6);
  const jobs = JSON.parse((await edu.run(['jobs', 'list', '--json'])).stdout);
  expect(jobs).toMatchObject([
    { command: 'licenses create', file, organization: 'd2' },
    { command: 'licenses create', file, organization: 'd1' },
  ]);
}, 30_000);

test.each([403, 404])(
  'rows are not sent again when the organization, hidden (%i) at first, is shown',
  async (hidden) => {
    let own = hidden;
    const server = await licenceServer({ ownStatus: () => own });
    onTestFinished(() => server.close());
    const edu = program(server.origin);
    const line = ['licenses', 'create', '--from', '-'];
    await edu.run(line, ROWS);
    own = 200;
    expect((await edu.run(line, ROWS)).stderr).toContain('Nothing to do: 3 of 3 rows were done before');
    expect(server.created).toHaveLength(3);
  },
);
