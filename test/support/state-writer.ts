/**
 * Creates licences in a state on disk, one after the other, and writes each code to a file once it was acknowledged.
 * Arguments: folder of the state, prefix of the codes, number, file, SQLite driver.
 */
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { personaToken } from '../../src/service/personas.js';
import { seedFill } from '../../src/service/seeds/seed.js';
import { createService } from '../../src/service/service.js';
import { openStore } from '../../src/service/store/store.js';

/** Writes before the state is opened again, as each command of `edu` opens it. */
const PER_OPENING = 20;

async function main(): Promise<void> {
  const [directory = '', prefix = '', count = '', log = '', driver = ''] = process.argv.slice(2);
  // The version of Node selects the driver.
  if (driver === 'libsql') Object.defineProperty(process.versions, 'node', { value: '20.18.1' });
  const fill = await seedFill('demo', Date.now());
  const headers = { authorization: `Bearer ${personaToken('distributor')}`, 'content-type': 'application/json' };
  for (let done = 0; done < Number(count); ) {
    const store = await openStore({ directory, fill });
    const service = createService({ store, clock: Date.now, random: randomBytes, baseUrl: 'http://service.test' });
    for (let one = 0; one < PER_OPENING && done < Number(count); one++, done++) {
      const code = `${prefix}n${done}`;
      const body = JSON.stringify({ name: 'L', type: 'Teacher', maximumActivations: 1, code });
      const answer = await service.handle({ method: 'POST', url: 'http://service.test/v1/licenses', headers, body });
      if (answer.status !== 200) throw new Error(`${answer.status} ${String(answer.body)}`);
      appendFileSync(log, `${code}\n`);
    }
    service.close();
  }
}

void main();
