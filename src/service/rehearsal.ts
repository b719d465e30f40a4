/**
 * The service with authorization pages, a movable clock, faults, a journal and snapshots, as `edu offline serve` and
 * JavaScript tests use it.
 */
import { existsSync } from 'node:fs';
import type { HttpRequest, Send } from '../core/http.js';
import { closeWhenIdle } from './close-when-idle.js';
import type * as ImportModule from './import/index.js';
import { PERSONAS, type PersonaName, personaToken } from './personas.js';
import { basePathOf } from './router.js';
import { CALLBACK_URL, CLIENT_ID, CLIENT_SECRET } from './seeds/cast.js';
import { isSeedName, SEED_SETTING, seed, seedFill } from './seeds/seed.js';
import { faultInWords, Journal } from './serve/call-journal.js';
import { type MovableClock, movableClock } from './serve/clock.js';
import type { DurationRange } from './serve/durations.js';
import { FaultPlan } from './serve/fault-plan.js';
import type { Fault } from './serve/faults.js';
import { withFaults } from './serve/faulty.js';
import { type ClientGiven, outbox, type People, peopleOf } from './serve/people.js';
import { Snapshots } from './serve/snapshots.js';
import { createService } from './service.js';
import { openState } from './state.js';
import { openStore, type Store, stateFile } from './store/store.js';
import { defaultVariants, type Variants } from './variants.js';

export interface RehearsalOptions {
  /** Folder of the state; default: in memory. */
  readonly directory?: string | undefined;
  /** Data of a new state: the name of a seed, or the path of an export or of a JSON file; default `demo`. */
  readonly seed?: string | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly random: (count: number) => Uint8Array;
  /** Callback URL of the bundled application. */
  readonly callbackUrl?: string | undefined;
  /** Delay of each request. */
  readonly latency?: DurationRange | undefined;
  readonly faults?: readonly Fault[] | undefined;
  /** Behaviour where the API document leaves a choice, as far as it differs from the default. */
  readonly variants?: Partial<Variants> | undefined;
  /** Applications to register in addition to the bundled one. */
  readonly clients?: readonly ClientGiven[] | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The settings that a client of the service needs. */
export interface ServiceFacts {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly callbackUrl: string;
  /** The access token of each persona. */
  readonly personas: Readonly<Record<PersonaName, string>>;
}

export interface Rehearsal {
  readonly facts: ServiceFacts;
  /** Handles and records a request, with faults. Throws `ConnectionReset` where a fault breaks the connection. */
  readonly send: Send;
  /** `send` for another base URL with the same path, which then starts the URLs in responses. */
  sendAt(baseUrl: string): Send;
  readonly clock: MovableClock;
  readonly faults: FaultPlan;
  readonly journal: Journal;
  readonly snapshots: Pick<Snapshots, 'names' | 'take' | 'restore' | 'remove'>;
  readonly people: People;
  /** May be changed while the service runs. */
  readonly variants: Variants;
  readonly store: Store;
  /** The seed that the state was last filled with. */
  seedName(): string;
  /** Replaces all data. The clock, the faults and the journal stay as they are. */
  reset(seed: string): Promise<void>;
  close(): void;
}

/**
 * Waits in real time, whatever the service's clock.
 * @throws the signal's reason if it is aborted meanwhile, so that the request is not carried out
 */
async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { setTimeout: sleep } = await import('node:timers/promises');
  try {
    await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

function factsOf(baseUrl: string, callbackUrl: string): ServiceFacts {
  const tokens = PERSONAS.map((name) => [name, personaToken(name)] as const);
  const personas = Object.fromEntries(tokens) as Record<PersonaName, string>;
  return { baseUrl, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, callbackUrl, personas };
}

/** Returns a whole number of milliseconds. */
function pickFrom({ from, to }: DurationRange, random: RehearsalOptions['random']): number {
  const share = Buffer.from(random(4)).readUInt32LE() / 2 ** 32;
  return Math.round(from + share * (to - from));
}

/** Registers the other applications, and the bundled one anew if this run gives it another callback URL. */
function register(store: Store, callbackUrl: string, people: People, clients: readonly ClientGiven[]): void {
  const client = store.read(() => store.oauthClients.get(CLIENT_ID));
  if (client !== undefined && client.callbackUrl !== callbackUrl) people.register({ ...client, callbackUrl });
  for (const one of clients) people.register(one);
}

/** @throws BadSeed, with the path in its message */
async function loadPath(
  path: string,
  load: (data: ImportModule.Import, module: typeof ImportModule) => Promise<void>,
): Promise<void> {
  const [module, { readSource }, { BadSeed }] = await Promise.all([
    import('./import/index.js'),
    import('./import/read-export.js'),
    import('./import/source.js'),
  ]);
  try {
    await load(readSource(path), module);
  } catch (error) {
    if (!(error instanceof BadSeed)) throw error;
    throw new BadSeed(`cannot load ${path}: ${error.message}`, error.hint, error);
  }
}

/** Opens the state, and fills it if it is new. */
async function openFilled(directory: string | undefined, seedName: string, now: number): Promise<Store> {
  const name = isSeedName(seedName) ? seedName : 'empty';
  if (directory === undefined) {
    const store = await openStore({ memory: true, fill: await seedFill(name, { now }) });
    try {
      if (name !== seedName) await refill(store, seedName, now);
    } catch (error) {
      store.close();
      throw error;
    }
    return store;
  }
  if (name !== seedName && !existsSync(stateFile(directory))) {
    await loadPath(seedName, (data, { importState }) => importState(directory, data, now));
  }
  return openState(directory, name, now);
}

async function refill(store: Store, seedName: string, now: number): Promise<void> {
  if (isSeedName(seedName)) return seed(store, seedName, { now });
  await loadPath(seedName, (data, { loadInto }) => loadInto(store, data, now));
}

/** An open state whose service has no base URL yet. */
export interface OpenRehearsal {
  /** Starts the service with this base URL. To be called once. */
  at(baseUrl: string): Rehearsal;
  /** Closes the state if `at` was not called. */
  close(): void;
}

/**
 * Opens the state. The base URL is given later, because it may contain a port that is not yet known.
 * @throws StateError when the state can't be used
 */
export async function openRehearsal(options: RehearsalOptions): Promise<OpenRehearsal> {
  const { directory, seed: seedName = 'demo', random, callbackUrl = CALLBACK_URL, latency, clients = [] } = options;
  const clock = movableClock(options.clock);
  const store = await openFilled(directory, seedName, clock.now());
  const { emails, add: onEmail } = outbox();
  const people = peopleOf({ store, now: clock.now, random }, () => emails);
  const prepare = (): void => register(store, callbackUrl, people, clients);
  prepare();
  return {
    close: () => store.close(),
    at(baseUrl): Rehearsal {
      const basePath = basePathOf(baseUrl);
      const variants = { ...defaultVariants(), ...options.variants };
      const journal = new Journal({ now: clock.now, basePath });
      const snapshots = new Snapshots(store);
      const faults = new FaultPlan();
      faults.add(options.faults ?? []);
      const closing = new AbortController();
      const { counted, close } = closeWhenIdle(() => store.close());
      const sendAt = (url: string): Send => {
        const { onError } = options;
        const service = createService({ store, clock: clock.now, random, baseUrl: url, onError, variants, onEmail });
        const faulty = withFaults(service.handle, {
          plan: faults,
          basePath,
          wait,
          now: clock.now,
          closed: closing.signal,
          store,
          latency: latency && (() => pickFrom(latency, random)),
          onFault: (request: HttpRequest, fault: Fault) => journal.noteFault(request, faultInWords(fault)),
        });
        return counted(journal.wrap(faulty));
      };
      return {
        facts: factsOf(baseUrl, callbackUrl),
        send: sendAt(baseUrl),
        sendAt,
        clock,
        faults,
        journal,
        people,
        variants,
        store,
        snapshots: {
          names: () => snapshots.names(),
          take: (name) => snapshots.take(name),
          remove: (name) => snapshots.remove(name),
          restore(name) {
            const found = snapshots.restore(name);
            prepare();
            return found;
          },
        },
        seedName: () => store.setting(SEED_SETTING) ?? '',
        async reset(name) {
          await refill(store, name, clock.now());
          prepare();
        },
        close() {
          snapshots.close();
          closing.abort();
          close();
        },
      };
    },
  };
}
