import { expect } from 'vitest';
import { type Ran, run } from '../support/run.js';
import { type Answers, scriptedService, TOKEN } from '../support/scripted-service.js';

export const SCHOOL = { id: 's1', name: 'Lycée', country: 'FR', city: 'Lyon', roles: [] };

export async function edu(
  argv: readonly string[],
  answers: Answers,
): Promise<Ran & { readonly lines: readonly string[] }> {
  const service = await scriptedService(answers);
  const ran = await run(argv, { env: service.env });
  expect(ran.stderr).not.toMatch(/^\s+at .+:\d+|Unexpected token|SyntaxError|TypeError|\[object/m);
  expect(ran.stderr).not.toContain(TOKEN);
  return { ...ran, lines: service.sent.map(({ line }) => line) };
}

export const GET = ['schools', 'get', 's1'];
export const get = (reply: Answers[string]): Answers => ({ 'GET /v1/schools/s1': reply });
export const CREATE = ['schools', 'create', '--name', 'Lycée', '--country', 'FR', '--city', 'Lyon'];
