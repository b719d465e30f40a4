/** The bundled service over HTTP, for a program on a terminal. */
import { onTestFinished } from 'vitest';
import { serve } from '../../src/service/serve/serve.js';

/**
 * Serves fresh data over HTTP.
 * @param latencyMs delay of each response
 * @returns an environment for it, and the requests so far
 */
export async function served(latencyMs = 0) {
  const requests: string[] = [];
  const serving = await serve({
    port: 0,
    clock: Date.now,
    latency: latencyMs,
    log: (line) => void requests.push(line),
  });
  onTestFinished(() => serving.stop());
  const { baseUrl, personas } = serving.facts;
  return { requests, env: { EDU_OFFLINE: '0', EDU_BASE_URL: baseUrl, EDU_TOKEN: personas.distributor ?? '' } };
}
