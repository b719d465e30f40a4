/**
 * The service with everything that a rehearsal needs around it: authorization pages, a clock that moves, faults, a
 * journal, snapshots. `edu offline serve` and JavaScript tests share it; it knows no sockets.
 */
import type { HttpRequest, Send } from '../core/http.js';
import { PERSONAS, type PersonaName, personaToken } from './personas.js';
import { CALLBACK_URL, CLIENT_ID, CLIENT_SECRET } from './seeds/cast.js';
import { SEED_SETTING, type SeedName, seed, seedFill } from './seeds/seed.js';
import { faultInWords, Journal } from './serve/call-journal.js';
import { type MovableClock, movableClock } from './serve/clock.js';
import type { DurationRange } from './serve/durations.js';
import { FaultPlan } from './serve/fault-plan.js';
import type { Fault } from './serve/faults.js';
import { withFaults } from './serve/faulty.js';
import { Snapshots } from './serve/snapshots.js';
import { createService } from './service.js';
import { openState } from './state.js';
import { openStore, type Store } from './store/store.js';

export interface RehearsalOptions {
  /** Folder of the state; it is kept in memory if left out. */
  readonly directory?: string | undefined;
  /** What a new state is filled with; `demo` if left out. */
  readonly seed?: SeedName | undefined;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly random: (count: number) => Uint8Array;
  /** The registered callback URL of the bundled application. */
  readonly callbackUrl?: string | undefined;
  /** Added to each request, in milliseconds. */
  readonly latency?: DurationRange | undefined;
  readonly faults?: readonly Fault[] | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** What a program needs to use the service. */
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
  /** Answers any request, with faults, and writes it down. Throws `ConnectionReset` where a fault breaks the connection. */
  readonly send: Send;
  readonly clock: MovableClock;
  readonly faults: FaultPlan;
  readonly journal: Journal;
  readonly snapshots: Pick<Snapshots, 'names' | 'take' | 'restore' | 'remove'>;
  /** What the state was last filled with. */
  seedName(): string;
  /** Fills the state anew. The clock, the faults and the journal stay as they are. */
  reset(name: SeedName): Promise<void>;
  close(): void;
}

/** Waits in real time; the end of the caller's interest ends the wait. */
async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  const { setTimeout: sleep } = await import('node:timers/promises');
  try {
    await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

function factsOf(baseUrl: string, callbackUrl: string): ServiceFacts {
  const tokens = PERSONAS.map((name) => [name, personaToken(name)] as const);
  const personas = Object.fromEntries(tokens) as Record<PersonaName, string>;
  return { baseUrl, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, callbackUrl, personas };
}

/** A whole number of milliseconds in the range. */
function pickFrom({ from, to }: DurationRange, random: RehearsalOptions['random']): number {
  const share = Buffer.from(random(4)).readUInt32LE() / 2 ** 32;
  return Math.round(from + share * (to - from));
}

/** Registers the bundled application with the callback URL of this run. */
function register(store: Store, callbackUrl: string): void {
  store.write(() => {
    const client = store.oauthClients.get(CLIENT_ID);
    if (client !== undefined && client.callbackUrl !== callbackUrl)
      store.oauthClients.update({ ...client, callbackUrl });
  });
}

/** A state that is open and has no address yet. */
export interface OpenRehearsal {
  /** Puts the service behind an address. To be called once. */
  at(baseUrl: string): Rehearsal;
  /** Closes the state, where no address was had. */
  close(): void;
}

/**
 * Opens the state. The address may be known only later, when a listener has got its port.
 * @throws StateError when the state can't be used
 */
export async function openRehearsal(options: RehearsalOptions): Promise<OpenRehearsal> {
  const { directory, seed: seedName = 'demo', random, callbackUrl = CALLBACK_URL, latency } = options;
  const clock = movableClock(options.clock);
  const store =
    directory === undefined
      ? await openStore({ memory: true, fill: await seedFill(seedName, { now: clock.now() }) })
      : await openState(directory, seedName, clock.now());
  register(store, callbackUrl);
  return {
    close: () => store.close(),
    at(baseUrl): Rehearsal {
      const basePath = new URL(baseUrl).pathname.replace(/(?<!\/)\/+$/, '');
      const service = createService({ store, clock: clock.now, random, baseUrl, onError: options.onError });
      const journal = new Journal({ now: clock.now, basePath });
      const snapshots = new Snapshots(store);
      const faults = new FaultPlan();
      faults.add(options.faults ?? []);
      const faulty = withFaults(service.handle, {
        plan: faults,
        basePath,
        wait,
        latency: latency && (() => pickFrom(latency, random)),
        onFault: (request: HttpRequest, fault: Fault) => journal.noteFault(request, faultInWords(fault)),
      });
      return {
        facts: factsOf(baseUrl, callbackUrl),
        send: journal.wrap(faulty),
        clock,
        faults,
        journal,
        snapshots: {
          names: () => snapshots.names(),
          take: (name) => snapshots.take(name),
          remove: (name) => snapshots.remove(name),
          restore(name) {
            const found = snapshots.restore(name);
            register(store, callbackUrl);
            return found;
          },
        },
        seedName: () => store.setting(SEED_SETTING) ?? '',
        async reset(name) {
          await seed(store, name, { now: clock.now() });
          register(store, callbackUrl);
        },
        close() {
          snapshots.close();
          service.close();
        },
      };
    },
  };
}
