/** Plans and the organizations of their items: new names, and lists that the caller may not see. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createService } from '../../src/service/index.js';
import { offline } from '../support/offline.js';
import { home, run, temporaryFolder } from '../support/run.js';

test('finds users and classes of a school by the name that the same plan gives it', async () => {
  const { edu, write, path: file } = offline();
  mkdirSync(file('want'));
  write('want/schools.csv', 'id,name\ns2,Lycée Neuf\n');
  write('want/classes.csv', 'class,school,subject\nCM2,lycée neuf,German\n9z,Lycée Neuf,Biology\n');
  write('want/users.csv', 'email,organization,firstName,lastName\nnew@s2.example,Lycée Neuf,A,B\n');
  const plan = await edu('plan', file('want'), '--json');
  expect([plan.code, plan.stderr]).toEqual([10, '']);
  const steps = (JSON.parse(plan.stdout) as { steps: readonly Record<string, unknown>[] }).steps;
  expect(steps.map(({ verb, resource, key }) => `${verb} ${resource} ${key}`)).toEqual([
    'update schools Lycée Émile-Zola',
    'create users new@s2.example',
    'create classes 9z',
  ]);
});

test('takes --organization for the school of classes that name none', async () => {
  const { edu, write, path: file } = offline();
  mkdirSync(file('want'));
  write('want/classes.csv', 'class,subject\n9z,Biology\n');
  expect((await edu('plan', file('want'))).stderr).toContain('the class names no school: give it in the column school');
  const plan = await edu('plan', file('want'), '--organization', 's2', '--json');
  expect([plan.code, plan.stderr]).toEqual([10, '']);
  expect(JSON.parse(plan.stdout)).toMatchObject({ steps: [{ after: { name: '9z', schoolId: 's2' } }] });
});

test('needs no hidden list whose items are not wanted, and names it where one may be missing', async () => {
  const service = await createService();
  onTestFinished(() => service.close());
  const { baseUrl } = await service.listen();
  const env = { ...home(), EDU_BASE_URL: baseUrl, EDU_TOKEN: service.personas.distributor };
  service.addFaults('GET /v1/users?organization=s2 403', 'GET /v1/books?organization=p2 403');
  service.addFaults('GET /v1/licenses 403', 'GET /v1/readers 403');
  const folder = temporaryFolder();
  const hidden = ['books of Publisher p2', 'users of School s2'];
  for (const flags of [[], ['--as-plan']]) {
    const to = join(folder, `x${flags.length}`);
    const { code, stderr } = await run(['export', '--to', to, ...flags], { env });
    expect([code, ...hidden.map((list) => stderr.includes(`skipped ${list}: `))]).toEqual([0, true, true]);
    expect(await run(['plan', to], { env })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Nothing to do/),
    });
  }
  const list = join(folder, 'list.csv');
  writeFileSync(list, 'school,class,first-name,last-name\ns2,5a,A,B\n');
  expect((await run(['roster', 'match', list], { env })).stderr).toContain(`skipped ${hidden[1]}: you may not list`);
  const planOf = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return run(['plan', join(folder, name)], { env });
  };
  expect(await planOf('books.csv', 'ean\n978000\n')).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('978000  is not listed; you may not list books of Publisher p2\n'),
  });
  expect(await planOf('classes.csv', 'class,school,members\nCM2,s2,nobody@s2.example\n')).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('; you may not list users of School s2\n'),
  });
  expect(await planOf('users.csv', 'email,organization\nnobody@s2.example,s2\n')).toMatchObject({ code: 6 });
  expect(await planOf('licenses.csv', 'code,name\nwelcome1,New\n')).toMatchObject({ code: 6 });
});
