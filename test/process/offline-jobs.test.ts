/** Bulk jobs and records of plans on data of the bundled service are removed with the data; those of other services stay. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/run.js';
import { type Answers, scriptedService } from '../support/scripted-service.js';
import { edu, surroundings } from '../support/spawned.js';

const NAMED = ['--type', 'Teacher', '--maximum-activations', '1', '--name', 'Again'];
const MANY = ['licenses', 'create', '--count', '2', ...NAMED];

test.each(['reset', 'import'] as const)(
  'runs the same command again after offline %s',
  { timeout: 60_000 },
  async (way) => {
    const folders = surroundings();
    const offline = (...argv: string[]) => edu(argv, { env: { ...folders, EDU_OFFLINE: '1' } });
    const made = async () => {
      const { stdout } = await offline('licenses', 'list', '--json', '--query', "[?name=='Again'].code");
      return (JSON.parse(stdout) as unknown[]).length;
    };
    const jobs = async () => {
      const { stdout } = await offline('jobs', 'list', '--json', '--query', '[].baseUrl');
      return JSON.parse(stdout) as string[];
    };
    const exported = join(temporaryFolder(), 'exported');
    await offline('export', '--to', exported);
    // Another service, where the job stays.
    const answers: Answers = {
      '*': ({ json }) => ({ body: { ...(json as object), id: 'l1', books: [], endUsers: [] } }),
    };
    const other = await scriptedService(answers);
    await edu(MANY, { env: { ...folders, ...other.env } });

    expect(await offline(...MANY)).toMatchObject({ code: 0 });
    expect(await offline(...MANY)).toMatchObject({ code: 0 });
    expect(await made()).toBe(2);
    expect(await jobs()).toHaveLength(2);
    const [want, plan] = [join(exported, '..', 'licenses.json'), join(exported, '..', 'plan')];
    writeFileSync(want, '[{"code":"again1","name":"Planned","type":"Teacher","maximumActivations":1}]');
    await offline('plan', want, '--out', plan);
    const { hash } = JSON.parse(readFileSync(plan, 'utf8').split('\n', 1)[0] ?? '');
    const apply = () => offline('apply', plan, '--confirm', hash);
    expect((await apply()).stderr).toContain('1 step: 1 done');

    await (way === 'reset' ? offline('offline', 'reset') : offline('offline', 'import', exported));
    expect(await jobs()).toEqual([other.baseUrl]);
    expect(await made()).toBe(0);
    expect(await offline(...MANY)).toMatchObject({ code: 0 });
    expect(await made()).toBe(2);
    expect((await apply()).stderr).toContain('1 step: 1 done');
  },
);
