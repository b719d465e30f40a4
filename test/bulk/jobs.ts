/** Inputs of jobs that create licences, and a service for them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type LicenceServerOptions, licenceServer } from './licence-server.js';
import type { Program } from './program.js';

export async function served(options: LicenceServerOptions = {}) {
  const server = await licenceServer(options);
  onTestFinished(() => server.close());
  return server;
}

export const fileIn = ({ env }: Program, name: string, text?: string): string => {
  const file = join(env.EDU_STATE_DIR ?? '', '..', name);
  if (text !== undefined) writeFileSync(file, text);
  return file;
};

export const HEADER = 'name,type,maximum-activations,code';
export const csv = (...rows: readonly string[]): string => `${[HEADER, ...rows].join('\n')}\n`;
export const create = (...more: readonly string[]): readonly string[] => ['licenses', 'create', ...more];

export const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise((resolve) => setTimeout(resolve, 5));
};
