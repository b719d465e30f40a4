/**
 * `edu offline serve` under 64 connections with faults: every response follows the rules of the service or is an
 * injected fault, memory does not grow, no acknowledged write is lost, and nothing is left after it has stopped.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { edu } from '../support/spawned.js';
import { client, FAULTS, newTally } from './clients.js';
import { everythingIn, growth, processesWith, residentMegabytes, SECONDS } from './measures.js';
import { control, heldMegabytes, serving, teacherLicences } from './serving.js';

const CONNECTIONS = 64;
/** Interval of memory measurements in milliseconds. */
const STEP = 250;
/** Maximum growth of the heap from the second quarter of the time, when its code is compiled, to the end, in MiB. */
const MOST_HELD = 4;
/**
 * Maximum growth of the process's memory from the second quarter to the last, in MiB: V8's use fluctuates, and in a
 * short load it still grows.
 */
const MOST_GROWTH = SECONDS < 60 ? 128 : 48;

describe.each([
  ['in memory, 100,000 licences', ['--memory', '--seed', 'large']],
  ['kept in a folder', []],
] as const)(`${CONNECTIONS} connections for ${SECONDS} s, with faults, %s`, (name, flags) => {
  test('carries out exactly what was requested', async () => {
    const { child, done, home, env, ready } = await serving(flags, FAULTS);
    const pid = child.pid ?? 0;
    await control(ready, 'DELETE', '/faults');
    const before = await teacherLicences(ready);
    await control(ready, 'PUT', '/faults', FAULTS);
    const tally = newTally();
    const begun = performance.now();
    const goesOn = (): boolean => performance.now() < begun + 1000 * SECONDS && tally.wrong.length === 0;
    const clients = Array.from({ length: CONNECTIONS }, (_, number) =>
      client(number, ready.baseUrl, ready.personas.distributor ?? '', tally, goesOn),
    );
    const memory: number[] = [];
    const held: number[] = [];
    while (goesOn()) {
      memory.push(residentMegabytes(pid));
      const quarters = Math.floor((4 * (performance.now() - begun)) / (1000 * SECONDS));
      if (quarters > held.length) held.push(await heldMegabytes(pid, env.HEAP_REPORT ?? ''));
      await sleep(STEP);
    }
    held.push(await heldMegabytes(pid, env.HEAP_REPORT ?? ''));
    await Promise.all(clients);
    expect(tally.wrong).toEqual([]);

    // Each fault was injected, and each response that is not the service's own was one of them.
    const { faults } = (await control(ready, 'GET', '/faults')) as {
      readonly faults: readonly { readonly fault: { readonly action: string }; readonly hit: number }[];
    };
    expect(faults.filter(({ hit }) => hit === 0)).toEqual([]);
    const played = (...actions: readonly string[]): number =>
      faults.reduce((sum, { fault, hit }) => sum + (actions.includes(fault.action) ? hit : 0), 0);
    expect(tally.broken).toBe(played('reset', 'truncate'));
    expect(tally.injected).toBe(played('status'));

    // Acknowledged licences exist, and no others except those whose outcome is unknown.
    await control(ready, 'DELETE', '/faults');
    const after = await teacherLicences(ready);
    for (const [code, name] of tally.there) expect(after.get(code), code).toBe(name);
    for (const code of tally.gone) expect(after.has(code), code).toBe(false);
    const others = [...after.keys()].filter((code) => !tally.there.has(code) && !tally.unknown.has(code));
    expect(others.sort()).toEqual([...before.keys()].sort());

    child.kill('SIGTERM');
    const { code, stderr } = await done;
    expect(code).toBe(0);
    expect(stderr.split('\n').filter((line) => /error/i.test(line))).toEqual([]);
    expect(everythingIn(env.TMPDIR ?? '')).toEqual([]);
    expect(processesWith(home)).toEqual([]);
    if (existsSync(env.EDU_STATE_DIR ?? '')) {
      const left = everythingIn(join(env.EDU_STATE_DIR ?? '', 'offline')).filter((one) => !one.startsWith('files/'));
      expect(left).toEqual(['service.db']);
      const files = everythingIn(join(env.EDU_STATE_DIR ?? '', 'offline', 'files'));
      expect(files.filter((one) => one.endsWith('.part'))).toEqual([]);
      const again = await edu(['--offline', 'licenses', 'list', '--type', 'TEACHER', '-o', 'ids'], { env });
      expect(again).toMatchObject({ code: 0, stderr: '' });
      expect(again.stdout.split('\n')).toHaveLength(after.size + 1);
    }

    process.stdout.write(
      `${name}: ${tally.requests} requests, ${tally.uploads} uploads, ${tally.injected + tally.broken} faults; ` +
        `memory ${Math.round(memory[0] ?? 0)} → ${Math.round(Math.max(...memory))} MiB at most, ` +
        `held ${held.map((one) => one.toFixed(1)).join(', ')} MiB\n`,
    );
    expect((held.at(-1) ?? 0) - (held[1] ?? 0)).toBeLessThan(MOST_HELD);
    expect(growth(memory)).toBeLessThan(MOST_GROWTH);
  });
});
