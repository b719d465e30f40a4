/**
 * The published schemas follow from the contract. To update them after a change of the contract: `npx vitest run
 * --config test/vitest.config.ts test/unit/export/files/schema.test.ts -u`.
 */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RESOURCES } from '../../../../src/export/collect/resources.js';
import { schemaOf } from '../../../../src/export/files/schema.js';

describe('docs/schema', () => {
  it.each(RESOURCES)('%s.schema.json matches the contract', async (resource) => {
    const path = `docs/schema/${resource}.schema.json`;
    // vitest would create a missing file instead of failing.
    expect(existsSync(path), path).toBe(true);
    await expect(`${JSON.stringify(schemaOf(resource), null, 2)}\n`).toMatchFileSnapshot(`../../../../${path}`);
  });
  it('contains no other schemas', () => {
    const files = readdirSync('docs/schema').filter((name) => name.endsWith('.json'));
    expect(files.sort()).toEqual(RESOURCES.map((name) => `${name}.schema.json`).sort());
  });
});
