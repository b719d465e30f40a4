/**
 * Runs one set of tests against every service. Tests get callers, and register choices of the bundled service as
 * `ours`.
 */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { Actor } from './actor.js';
import { bundledInProcess, bundledOverHttp } from './bundled.js';
import type { Door } from './door.js';
import { remote, remoteUrl } from './remote.js';
import { strangeInProcess } from './strange-door.js';

export interface Service {
  readonly door: () => Door;
  readonly distributor: Actor;
  readonly publisher: Actor;
  readonly school: Actor;
  /** May read everything and change nothing. */
  readonly viewer: Actor;
  /** Sends no token. */
  readonly nobody: Actor;
  /** Sends this token. */
  bearing(token: string): Actor;
  /**
   * A test of behaviour that the document leaves open, marked "(ours)" in docs/service-rules.md. Other implementations
   * may differ.
   */
  ours(title: string, run: () => Promise<void>): void;
  /** A group of only such tests. */
  describeOurs(title: string, tests: () => void): void;
}

const url = remoteUrl();
const mixes = process.env.EDU_CONFORMANCE_MIXES?.split(',') ?? [];

const own: readonly (readonly [name: string, open: () => Promise<Door>])[] =
  process.env.EDU_CONFORMANCE_HTTP === undefined
    ? [['in process', () => bundledInProcess()]]
    : [['over loopback HTTP', bundledOverHttp]];
const mixed = mixes.map((seed) => [`under mix ${seed}`, () => strangeInProcess(Number(seed))] as const);
const doors = url === undefined ? (mixes.length > 0 ? mixed : own) : [[`at ${url}`, () => remote(url)] as const];

/** Declares tests that run once against each service, each time with a new one. */
export function conformance(title: string, tests: (service: Service) => void): void {
  describe.each(doors)(`${title}, %s`, (_, open) => {
    let opened: Door | undefined;
    const door = (): Door => {
      if (!opened) throw new Error('the service is not open yet');
      return opened;
    };
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());
    tests({
      door,
      distributor: new Actor(door, (at) => at.token('distributor')),
      publisher: new Actor(door, (at) => at.token('publisher')),
      school: new Actor(door, (at) => at.token('school')),
      viewer: new Actor(door, (at) => at.token('viewer')),
      nobody: new Actor(door, () => undefined),
      bearing: (token) => new Actor(door, () => token),
      ours: (name, run) => {
        if (url === undefined) it(name, run);
      },
      describeOurs: (name, group) => {
        if (url === undefined) describe(name, group);
      },
    });
  });
}
