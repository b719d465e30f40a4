/** `__proto__` and `constructor` are ordinary names: they change nothing and are printed as data. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { checkPrototypes } from '../fuzz/fuzz.js';
import { home, run, temporaryFolder } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';

const NAMES = ['__proto__', 'constructor'];
const JSON_HEADERS = { 'content-type': 'application/json' };

afterEach(() => {
  checkPrototypes();
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

describe.each(NAMES)('%s', (name) => {
  const item = `{"id":"1","name":"a",${JSON.stringify(name)}:{"polluted":"yes"}}`;
  const answers = {
    'GET /v1/publishers': {
      headers: JSON_HEADERS,
      body: `{"publishers":[${item}],"paging":null,${JSON.stringify(name)}:{"polluted":"yes"}}`,
    },
    'GET /v1/publishers/1': { headers: JSON_HEADERS, body: item },
    'GET /v1/x': { headers: JSON_HEADERS, body: `[${item}]` },
    'GET /v1/publishers/bad': {
      status: 400,
      headers: JSON_HEADERS,
      body: `{${JSON.stringify(name)}:{"message":"said","polluted":"yes"}}`,
    },
  };

  test('is data in responses', async () => {
    const { env } = await scriptedService(answers);
    for (const line of [
      ['publishers', 'list', '--json'],
      ['publishers', 'get', '1', '--json'],
      ['api', '/v1/x'],
      ['publishers', 'list', '-o', 'ndjson'],
    ]) {
      const { code, stdout } = await run(line, { env });
      expect(code).toBe(0);
      expect(stdout.replaceAll(/\s/g, '')).toContain(`${JSON.stringify(name)}:{"polluted":"yes"}`);
    }
    for (const format of ['table', 'tsv', 'csv', 'ids'])
      expect((await run(['publishers', 'list', '-o', format], { env })).code).toBe(0);
    const refused = await run(['api', '/v1/publishers/bad'], { env });
    expect(refused.stderr).toContain('said');
    const selected = await run(['api', '/v1/x', '--fields', `${name}.polluted`], { env });
    expect(selected.stdout).toContain('yes');
    const sorted = await run(['api', '/v1/x', '--sort', `${name}.polluted`, '--paginate'], { env });
    expect(sorted.code).toBe(0);
    expect((await run(['publishers', 'list', '--query', `[0]."${name}"`], { env })).code).toBe(0);
  });

  test('has no effect in flags, fields and queries', async () => {
    const { env } = await scriptedService(answers);
    for (const line of [
      ['api', '/v1/x', '-f', `${name}[polluted]=yes`, '--dry-run'],
      ['api', '/v1/x', '-f', `a.${name}.polluted=yes`, '--dry-run'],
      ['publishers', 'list', `--${name}=x`],
      ['publishers', 'list', `--${name}.polluted`, 'yes'],
      [name],
      ['publishers', name],
      ['help', name],
      ['config', 'set', name, 'x'],
      ['config', 'get', name],
      ['publishers', 'list', '-o', name],
    ]) {
      const { code, stderr } = await run(line, { env });
      expect([0, 2, 5]).toContain(code);
      expect(stderr).not.toContain('bug');
    }
  });

  test('is refused as a column or a member of a row', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'rows.csv'), `name,${name}\nx,y\n`);
    writeFileSync(join(folder, 'rows.ndjson'), `{"name":"x",${JSON.stringify(name)}:{"polluted":"yes"}}\n`);
    for (const file of ['rows.csv', 'rows.ndjson']) {
      const { code, stderr } = await run(
        ['schools', 'create', '--country', 'DE', '--city', 'Ulm', '--from', join(folder, file), '--offline'],
        { env: home() },
      );
      expect(code).toBe(2);
      expect(stderr).toContain(name);
    }
  });

  test('is an ordinary profile name, or is refused', async () => {
    const env = home();
    mkdirSync(join(env.EDU_CONFIG_DIR, 'private'), { recursive: true, mode: 0o700 });
    const member = JSON.stringify(name);
    writeFileSync(
      join(env.EDU_CONFIG_DIR, 'settings.json'),
      `{"profiles":{${member}:{"language":"DE",${member}:"x"},"default":{${member}:"x"}},${member}:{"polluted":"yes"}}`,
    );
    writeFileSync(
      join(env.EDU_CONFIG_DIR, 'private', 'credentials.json'),
      `{"profiles":{${member}:{"https://a.test":{"accessToken":"t"}}}}`,
      { mode: 0o600 },
    );
    expect(
      JSON.parse((await run(['profiles', 'list', '--json'], { env })).stdout).map((one: { name: string }) => one.name),
    ).toContain(name);
    expect((await run(['config', 'list', '--json'], { env })).code).toBe(0);
    expect((await run(['config', 'set', 'language', 'FR'], { env })).code).toBe(0);
    expect(
      JSON.parse((await run(['profiles', 'list', '--json'], { env })).stdout).map((one: { name: string }) => one.name),
    ).toContain(name);
  });
});
