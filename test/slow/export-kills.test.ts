/** Exports killed at many places, and finished by the same command. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { worldService } from '../export/world.js';
import { home, run, temporaryFolder } from '../support/run.js';

/** EDU_KILLS=100 kills more often. */
const KILLS = Number(process.env.EDU_KILLS ?? 20);
const DATA = /^[a-z]+\.ndjson$/;

it(
  `leaves no unfinished file under a final name after ${KILLS} kills, and ends with the bytes of one run`,
  async () => {
    const service = await worldService(250);
    const env = { PATH: process.env.PATH, ...service.env, ...home() };
    const whole = temporaryFolder();
    const flags = ['--with', 'activations'];
    expect((await run(['export', ...flags, '--to', whole], { env: service.env })).code).toBe(0);
    // Pages; activations of a licence are not read from a list.
    const requests = service.asked.filter((list) => !list.endsWith('/activations')).length;
    const to = join(temporaryFolder(), 'to');
    for (let kill = 0; kill < KILLS; kill++) {
      // In the first half, each kill has a new folder; in the second half, all kills hit the same export.
      const folder = kill < KILLS / 2 ? `${to}${kill}` : to;
      const argv = [resolve('bin/edu.js'), 'export', ...flags, '--to', folder];
      const child = spawn(process.execPath, argv, { env, stdio: 'ignore' });
      const ended = once(child, 'exit');
      let left = 1 + Math.floor((kill * requests) / KILLS);
      service.onPage = () => {
        left--;
        if (left > 0) return undefined;
        child.kill('SIGKILL');
        return ended.then(() => undefined);
      };
      await ended;
      service.onPage = () => undefined;
      for (const name of existsSync(folder) ? readdirSync(folder).filter((one) => DATA.test(one)) : []) {
        expect(readFileSync(join(folder, name), 'utf8'), `${name} after kill ${kill}`).toBe(
          readFileSync(join(whole, name), 'utf8'),
        );
      }
      if (folder === to && kill < KILLS - 1) continue;
      expect((await run(['export', ...flags, '--to', folder], { env: service.env })).code).toBe(0);
      const names = readdirSync(whole).filter((name) => name !== 'run.json');
      expect(readdirSync(folder).sort()).toEqual([...names, 'run.json'].sort());
      for (const name of names) {
        expect(readFileSync(join(folder, name), 'utf8'), name).toBe(readFileSync(join(whole, name), 'utf8'));
      }
    }
  },
  KILLS * 10_000,
);
