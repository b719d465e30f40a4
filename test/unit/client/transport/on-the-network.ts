import { onTestFinished } from 'vitest';
import { NoResponse } from '../../../../src/client/request/no-response.js';
import { createNetwork, type Transport } from '../../../../src/client/transport/network.js';
import type { HttpRequest } from '../../../../src/core/http.js';
import type { Env } from '../../../../src/core/io.js';
import { rejection } from '../../../support/failure.js';
import { type MisbehavingOptions, type Misdeed, misbehavingServer } from '../../../support/misbehaving-server.js';

export function network(env: Env = {}, timeoutMs = 10_000): Transport {
  const made = createNetwork({ timeoutMs, env });
  onTestFinished(() => made.close());
  return made;
}

export async function misbehaving(misdeeds: readonly Misdeed[], options?: MisbehavingOptions) {
  const server = await misbehavingServer(misdeeds, options);
  onTestFinished(() => server.close());
  return server;
}

export const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  headers: {},
  ...more,
});

export const noAnswer = (work: Promise<unknown>): Promise<NoResponse> => rejection(work, NoResponse);
