import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { storeLogin } from '../../../../src/auth/credentials/credential-store.js';
import { type LoginFacts, loginFacts } from '../../../../src/auth/login/login-facts.js';
import type { Prompt, TextQuestion } from '../../../../src/output/terminal/prompt.js';
import { resolveProfile } from '../../../../src/settings/in-effect.js';
import { readSettings } from '../../../../src/settings/read-settings.js';
import { changeProfile } from '../../../../src/settings/write-settings.js';
import { temporaryFolder } from '../../../support/run.js';
import { machine } from '../../settings/support.js';

let env: Record<string, string>;
beforeEach(() => {
  env = { EDU_CONFIG_DIR: join(temporaryFolder(), 'config') };
});

interface Asked {
  readonly facts: LoginFacts;
  /** The prompts so far. */
  readonly questions: readonly string[];
  readonly told: readonly string[];
}

/** Collects the values of a login with these answers to its prompts, one after the other. */
async function gather(answers: readonly string[], flags: Record<string, string> = {}): Promise<Asked> {
  const settings = readSettings(env);
  const effective = resolveProfile({ flags, env, settings, mayBeNew: true });
  const questions: string[] = [];
  const told: string[] = [];
  const left = [...answers];
  const ask = async ({ message, default: fallback, validate }: TextQuestion): Promise<string> => {
    // Its explanation is above it.
    expect(told.length).toBeGreaterThan(questions.length);
    questions.push(message);
    for (;;) {
      const answer = left.shift();
      if (answer === undefined) throw new Error(`no answer is left for ${message}`);
      const text = answer === '' && fallback !== undefined ? fallback : answer;
      const verdict = validate?.(text) ?? true;
      if (verdict === true) return text;
      told.push(verdict);
    }
  };
  const prompt = async (): Promise<Prompt> => ({
    text: ask,
    secret: ask,
    confirm: async () => false,
    select: () => Promise.reject(new Error('not asked here')),
    selectSeveral: () => Promise.reject(new Error('not asked here')),
  });
  const held = settings.profiles.get(effective.profile.value) ?? {};
  const tell = async (text: string): Promise<void> => {
    await setImmediate();
    told.push(text);
  };
  return { facts: await loginFacts({ effective, env, held, prompt, tell }), questions, told };
}

describe('the first login', () => {
  test('asks for every value with an explanation, and saves it in the profile', async () => {
    const { facts, questions, told } = await gather([
      'https://api.example.com/',
      'client-1',
      'canary+secret',
      'http://localhost:9000/cb',
    ]);
    expect(questions).toEqual(['Base URL:', 'Client ID:', 'Client secret:', 'Callback URL:']);
    expect(told).toHaveLength(4);
    expect(facts).toMatchObject({
      profile: 'default',
      baseUrl: 'https://api.example.com',
      clientId: 'client-1',
      clientSecret: 'canary+secret',
      keepSecret: true,
      settings: {
        'base-url': 'https://api.example.com',
        'client-id': 'client-1',
        'callback-url': 'http://localhost:9000/cb',
      },
    });
    expect(facts.callback).toMatchObject({ hostname: 'localhost', port: 9000, local: true });
  });

  test('saves answers and flags if it fails, but no secret and nothing from the environment', async () => {
    env = { ...env, EDU_CALLBACK_URL: 'http://localhost:9000/cb' };
    const { facts } = await gather(['https://api.example.com', 'canary+secret'], { 'client-id': 'client-1' });
    expect(facts.typed).toEqual({ 'base-url': 'https://api.example.com', 'client-id': 'client-1' });
  });

  test('checks each answer, and gives the reason', async () => {
    const { facts, told } = await gather([
      'api.example.com',
      'http://api.example.com',
      'https://api.example.com',
      ' ',
      'client-1',
      '',
      'secret',
      'nonsense',
      '',
    ]);
    expect(told.join('\n')).toContain('Did you mean https://api.example.com?');
    expect(told.join('\n')).toContain('is not encrypted');
    expect(told.join('\n')).toContain('client-id: the value is empty');
    expect(told.join('\n')).toContain('The client secret is empty');
    expect(told.join('\n')).toContain('is not an http or https address');
    expect(facts.callback.url).toBe('http://127.0.0.1:8976/callback');
  });

  test('does not ask for values of flags and environment', async () => {
    env = { ...env, EDU_CLIENT_ID: 'from-environment', EDU_CLIENT_SECRET: 'secret\n' };
    const { facts, questions } = await gather([], { 'base-url': 'https://api.example.com' });
    expect(questions).toEqual([]);
    expect(facts).toMatchObject({ clientSecret: 'secret', keepSecret: false });
    expect(facts.settings).toEqual({ 'base-url': 'https://api.example.com', 'client-id': 'from-environment' });
  });
});

describe('a later login', () => {
  test('does not ask for saved values', async () => {
    await changeProfile(env, machine(), 'default', { 'base-url': 'https://api.example.com', 'client-id': 'c1' });
    const at = { profile: 'default', baseUrl: 'https://api.example.com', settings: {} };
    await storeLogin(env, machine(), { ...at, credential: { clientSecret: 'kept', clientId: 'c1' } });
    const { facts, questions } = await gather([]);
    expect(questions).toEqual([]);
    expect(facts).toMatchObject({ clientSecret: 'kept', keepSecret: false, settings: {} });
  });

  test('leaves the profile unchanged if it fails, and never mixes two services', async () => {
    await changeProfile(env, machine(), 'default', { 'base-url': 'https://a.example.com' });
    env = { ...env, EDU_CLIENT_SECRET: 's' };
    const there = await gather([], { 'client-id': 'c2' });
    expect(there.facts.typed).toEqual({ 'client-id': 'c2' });
    await changeProfile(env, machine(), 'default', { 'client-id': 'c1' });
    expect((await gather([], { 'client-id': 'c2' })).facts.typed).toEqual({});
    const elsewhere = await gather([], { 'base-url': 'https://b.example.com', 'client-id': 'c2' });
    expect(elsewhere.facts.typed).toEqual({});
  });
});

test('says that a typed base URL loses its /v1', async () => {
  const { facts, told } = await gather(['https://api.example.com/v1', 'client-1', 'secret', '']);
  expect(facts.baseUrl).toBe('https://api.example.com');
  expect(told.join('\n')).toContain('base-url: using https://api.example.com, because edu itself adds the /v1');
});

describe('without a terminal', () => {
  test('names every missing value in one error, with the way to pass it', async () => {
    const effective = resolveProfile({ flags: {}, env, settings: readSettings(env), mayBeNew: true });
    const facts = loginFacts({ effective, env, held: {}, prompt: undefined, tell: async () => {} });
    await expect(facts).rejects.toMatchObject({
      kind: 'usage',
      message: 'Cannot log in: base-url, client-id, client-secret are missing.',
      details: [
        { where: 'base-url', message: expect.stringContaining('--base-url') },
        { where: 'client-id', message: expect.stringContaining('--client-id') },
        { where: 'client-secret', message: expect.stringContaining('EDU_CLIENT_SECRET') },
      ],
    });
  });
});
