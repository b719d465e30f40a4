import { onTestFinished } from 'vitest';
import { type ServeOptions, serve } from '../../../../src/service/serve/serve.js';

export const NOW = Date.UTC(2026, 2, 1, 12);

export async function start(options: Partial<ServeOptions> = {}) {
  const lines: string[] = [];
  const serving = await serve({
    port: 0,
    clock: () => NOW,
    log: (text) => lines.push(...text.split(/(?<=\n)/)),
    ...options,
  });
  onTestFinished(() => serving.stop());
  const { baseUrl, personas } = serving.facts;
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${baseUrl}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { authorization: `Bearer ${personas.distributor}`, ...init.headers },
    });
  const control = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${baseUrl}/_control${path}`, {
      method,
      headers: { 'x-edu-control': '1' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  };
  return { serving, lines, call, control };
}

export const licence = (code: string): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'Served', code, type: 'Teacher', maximumActivations: 1 }),
});
