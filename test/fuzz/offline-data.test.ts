/** Fuzzing of the offline data: its database, cut, overwritten or with flipped bits, as a failing disk leaves it. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeAll, describe, expect } from 'vitest';
import { createService } from '../../src/service/index.js';
import { StateError } from '../../src/service/store/state-error.js';
import { stateFile } from '../../src/service/store/store.js';
import { sharedFolder } from '../support/run.js';
import { fuzz, tryTo } from './fuzz.js';
import { bytes } from './hostile.js';

const FOLDER = sharedFolder();
const file = stateFile(FOLDER);
let sound: Buffer;

beforeAll(async () => {
  const service = await createService({ directory: FOLDER, seed: 'demo' });
  await service.close();
  sound = readFileSync(file);
});

const PAGE = 4096;
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const byte = fc.nat(255);

/** How the database is spoiled. */
const damage = fc.oneof(
  fc.record({ cutAt: place }),
  fc.record({ flips: fc.array(fc.tuple(place, byte), { minLength: 1, maxLength: 40 }) }),
  fc.record({ header: fc.array(fc.tuple(fc.nat(99), byte), { minLength: 1, maxLength: 10 }) }),
  fc.record({ page: place, filledWith: byte }),
  fc.record({ page: place, start: fc.array(byte, { minLength: 1, maxLength: 12 }) }),
  fc.record({ other: bytes }),
);
type Damage = typeof damage extends fc.Arbitrary<infer D> ? D : never;

function spoil(one: Damage): Uint8Array {
  if ('other' in one) return one.other;
  if ('cutAt' in one) return sound.subarray(0, Math.floor(one.cutAt * sound.length));
  const spoiled = Buffer.from(sound);
  for (const [at, mask] of 'flips' in one ? one.flips : []) {
    const index = Math.floor(at * sound.length);
    spoiled[index] = (sound[index] ?? 0) ^ mask;
  }
  if ('header' in one) for (const [at, value] of one.header) spoiled[at] = value;
  if ('page' in one) {
    const start = PAGE * Math.floor((one.page * sound.length) / PAGE);
    if ('filledWith' in one) spoiled.fill(one.filledWith, start, start + PAGE);
    else spoiled.set(one.start, start);
  }
  return spoiled;
}

const READS = ['/v1/account', '/v1/schools', '/v1/users', '/v1/books', '/v1/licenses?type=BOOKS'];

/** Reads lists, and creates a school. */
async function use(): Promise<void> {
  const service = await createService({ directory: FOLDER });
  const headers = { authorization: `Bearer ${service.personas.distributor}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'New', country: 'DE', city: 'Berlin' });
  try {
    const answers = [
      ...(await Promise.all(READS.map((path) => service.fetch(path, { headers })))),
      await service.fetch('/v1/schools', { method: 'POST', headers, body }),
    ];
    for (const answer of answers) {
      if (answer.status < 500) continue;
      expect(await answer.text()).toContain(file);
    }
  } finally {
    await service.close();
  }
}

describe('offline data', () => {
  fuzz('that are damaged are used, or are an error that names the file', damage, async (one) => {
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER, { mode: 0o700 });
    writeFileSync(file, spoil(one), { mode: 0o600 });
    await tryTo(use, (error) => error instanceof StateError && error.message.includes(file) && error.hint !== '');
  });
});
