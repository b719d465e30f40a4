import { onTestFinished } from 'vitest';
import { createService, type ServiceOptions } from '../../../src/service/index.js';

export const NOW = Date.UTC(2026, 2, 1, 12);

export async function made(options: ServiceOptions = {}) {
  const service = await createService({ seed: 'demo', clock: () => NOW, ...options });
  onTestFinished(() => service.close());
  const call = (path: string, init: RequestInit = {}) =>
    service.fetch(path, {
      ...init,
      headers: { authorization: `Bearer ${service.personas.distributor}`, ...init.headers },
    });
  const create = (code: string) =>
    call('/v1/licenses', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Test', code, type: 'Teacher', maximumActivations: 1 }),
    });
  return { service, call, create };
}
