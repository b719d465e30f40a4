import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rememberedOrganization, rememberOrganization } from '../../../src/settings/remembered.js';
import { emptyEnv, machine } from './support.js';

const caller = { baseUrl: 'https://api.example.com', token: 'canary-token-4711' };
const organization = { id: '007', type: 'School' } as const;

describe("the caller's organization", () => {
  test('is remembered only for its base URL and token', async () => {
    const env = emptyEnv();
    await rememberOrganization(env, caller, organization, machine());
    expect(await rememberedOrganization(env, caller, machine())).toEqual(organization);
    expect(await rememberedOrganization(env, { ...caller, token: 'other' }, machine())).toBeUndefined();
    expect(
      await rememberedOrganization(env, { ...caller, baseUrl: 'https://b.example.com' }, machine()),
    ).toBeUndefined();
  });

  test('does not store the token, nor another file', async () => {
    const env = emptyEnv();
    await rememberOrganization(env, caller, organization, machine());
    const folder = env.EDU_STATE_DIR ?? '';
    expect(readdirSync(folder)).toEqual(['organizations.json']);
    expect(readFileSync(join(folder, 'organizations.json'), 'utf8')).not.toContain('canary');
  });

  test('is looked up again after a week', async () => {
    const env = emptyEnv();
    const clock = machine();
    await rememberOrganization(env, caller, organization, clock);
    clock.advance(7 * 24 * 3_600_000);
    expect(await rememberedOrganization(env, caller, clock)).toEqual(organization);
    clock.advance(1);
    expect(await rememberedOrganization(env, caller, clock)).toBeUndefined();
  });

  test('is unknown if the file is broken, which the next write repairs', async () => {
    const env = emptyEnv();
    await rememberOrganization(env, caller, organization, machine());
    const file = join(env.EDU_STATE_DIR ?? '', 'organizations.json');
    writeFileSync(file, '{"a":');
    expect(await rememberedOrganization(env, caller, machine())).toBeUndefined();
    await rememberOrganization(env, caller, organization, machine());
    expect(await rememberedOrganization(env, caller, machine())).toEqual(organization);
  });
});
