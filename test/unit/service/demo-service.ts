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
  const send =
    (method: string) =>
    (path: string, body?: object, init: RequestInit = {}) =>
      call(path, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...init,
      });
  const [post, put] = [send('POST'), send('PUT')];
  const create = (code: string, init: RequestInit = {}) =>
    post('/v1/licenses', { name: 'Test', code, type: 'Teacher', maximumActivations: 1 }, init);
  return { service, call, post, put, create };
}
