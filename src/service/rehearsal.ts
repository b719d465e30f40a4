/** The service with authorization pages, clock, faults, journal and snapshots, for `edu offline serve` and tests. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../core/fs/temporary.js';
import type { Send } from '../core/http.js';
import { PERSONAS, type PersonaName, personaToken } from './personas.js';
import { CALLBACK_URL, CLIENT_ID, CLIENT_SECRET } from './seeds/cast.js';
import { isSeedName, SEED_SETTING, seedFill } from './seeds/seed.js';
import { journalOf } from './serve/call-journal.js';
import { FaultPlan } from './serve/fault-plan.js';
import { withFaults } from './serve/faulty.js';
import type { DurationRange } from './serve/option-values.js';
import { readOptions, type SharedOptions } from './serve/service-options.js';
import { peopleOf } from './serve/test-users.js';
import { closeWhenIdle, createService } from './service.js';
import type { ServiceContext } from './service-context.js';
import { openState } from './state.js';
import { openStore, type Store, stateFile } from './store/store.js';
import { defaultVariants } from './variants.js';

/** @param onRestore called after a snapshot was restored */
function snapshotsOf(store: Store, onRestore: () => void) {
  /** The file of each snapshot. */
  const taken = new Map<string, string>();
  let folder: TemporaryFolder | undefined;
  let count = 0;
  /** Returns false if there is no snapshot of this name. */
  const remove = (name: string): boolean => {
    const file = taken.get(name);
    if (file !== undefined) rmSync(file, { force: true });
    return taken.delete(name);
  };
  return {
    names: (): string[] => [...taken.keys()],
    /** Copies the state. @param name replaces a snapshot of the same name */
    take(name = `snapshot-${count + 1}`): string {
      folder ??= temporaryFolder('snapshots');
      const file = join(folder.path, `${++count}.db`);
      store.copyTo(file);
      remove(name);
      taken.set(name, file);
      return name;
    },
    /** Restores the state; returns false if there is no snapshot of this name. */
    restore(name: string): boolean {
      const file = taken.get(name);
      if (file === undefined) return false;
      store.restoreFrom(file);
      onRestore();
      return true;
    },
    remove,
    close(): void {
      taken.clear();
      folder?.remove();
      folder = undefined;
    },
  };
}

export interface ServiceFacts {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly callbackUrl: string;
  /** The access token of each persona. */
  readonly personas: Readonly<Record<PersonaName, string>>;
}

function pickFrom({ from, to }: DurationRange, random: ServiceContext['random']): number {
  const share = Buffer.from(random(4)).readUInt32LE() / 2 ** 32;
  return Math.round(from + share * (to - from));
}

/** Loads an export into a store, or into a new state in a folder. @throws BadSeed, with the path in its message */
async function load(path: string, target: Store | string, now: number): Promise<void> {
  const { BadSeed, importState, loadInto, readSource } = await import('./import/index.js');
  try {
    const data = readSource(path);
    await (typeof target === 'string' ? importState(target, data, now) : loadInto(target, data, now));
  } catch (error) {
    if (!(error instanceof BadSeed)) throw error;
    throw new BadSeed(`cannot load ${path}: ${error.message}`, error.hint, error);
  }
}

/** Opens the state, and fills it if it is new. */
async function openFilled(directory: string | undefined, seed: string, now: number): Promise<Store> {
  const [name, path] = isSeedName(seed) ? [seed] : (['empty', seed] as const);
  if (directory !== undefined) {
    if (path !== undefined && !existsSync(stateFile(directory))) await load(path, directory, now);
    return openState(directory, name, now);
  }
  const store = await openStore({ memory: true, fill: await seedFill(name, now) });
  try {
    if (path !== undefined) await load(path, store, now);
  } catch (error) {
    store.close();
    throw error;
  }
  return store;
}

export type Rehearsal = Awaited<ReturnType<typeof openRehearsal>>;

/** Opens the state. @throws OptionError for an invalid option, StateError when the state can't be used */
export async function openRehearsal(given: SharedOptions, basePath: string, onError?: (error: unknown) => void) {
  const options = readOptions(given);
  const { clock, random, callbackUrl = CALLBACK_URL, latency, clients } = options;
  const store = await openFilled(options.directory, options.seed, clock.now());
  const people = peopleOf({ store, now: clock.now, random });
  /** Registers the other applications, and the bundled one anew if this run gives it another callback URL. */
  const register = (): void => {
    const client = store.read(() => store.oauthClients.get(CLIENT_ID));
    if (client !== undefined && client.callbackUrl !== callbackUrl) people.register({ ...client, callbackUrl });
    for (const one of clients) people.register(one);
  };
  await store.whenFree(register);
  const variants = { ...defaultVariants(), ...options.variants };
  const journal = journalOf({ now: clock.now, basePath });
  const snapshots = snapshotsOf(store, register);
  const faults = new FaultPlan();
  faults.add(options.faults);
  const closing = new AbortController();
  const { counted, close } = closeWhenIdle(() => store.close());
  return {
    factsAt: (baseUrl: string): ServiceFacts => ({
      baseUrl,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      callbackUrl,
      personas: Object.fromEntries(PERSONAS.map((name) => [name, personaToken(name)])) as ServiceFacts['personas'],
    }),
    /** Handles and records requests, with faults; may throw `ConnectionReset`. @param baseUrl starts URLs in responses */
    sendAt(baseUrl: string): Send {
      const { now } = clock;
      const service = createService({ store, clock: now, random, baseUrl, onError, variants, onEmail: people.onEmail });
      const faulty = withFaults(service.handle, {
        plan: faults,
        basePath,
        now,
        closed: closing.signal,
        store,
        latency: latency && (() => pickFrom(latency, random)),
      });
      return counted(journal.wrap(faulty));
    },
    basePath,
    clock,
    faults,
    journal,
    people,
    variants,
    store,
    snapshots,
    seedName: () => store.setting(SEED_SETTING) ?? '',
    /** Replaces all data. The clock, the faults and the journal stay as they are. */
    async reset(seed: string): Promise<void> {
      if (isSeedName(seed)) {
        const fill = await seedFill(seed, clock.now());
        await store.whenFree(() => store.refill(fill));
      } else await load(seed, store, clock.now());
      await store.whenFree(register);
    },
    close(): void {
      snapshots.close();
      closing.abort();
      close();
    },
  };
}
