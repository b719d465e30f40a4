/** The service with authorization pages, clock, faults, journal and snapshots, for `edu offline serve` and tests. */
import { existsSync } from 'node:fs';
import type { Send } from '../core/http.js';
import { Refusal } from './error-answer.js';
import { ensureCursorSecret } from './paging.js';
import { PERSONAS, type PersonaName, personaToken } from './personas.js';
import { CALLBACK_URL, CLIENT_ID, CLIENT_SECRET } from './seeds/cast.js';
import { isSeedName, SEED_SETTING, seedFill } from './seeds/seed.js';
import { journalOf } from './serve/call-journal.js';
import { FaultPlan } from './serve/fault-plan.js';
import { withFaults } from './serve/faulty.js';
import { OptionError } from './serve/option-values.js';
import {
  prepareUsers,
  readAuthorize,
  readOptions,
  type SharedOptions,
  type UserOptions,
} from './serve/service-options.js';
import { type ClientGiven, type People, peopleOf } from './serve/test-users.js';
import { verifyRequests } from './serve/verify-requests.js';
import { closeWhenIdle, createService } from './service.js';
import type { ServiceContext } from './service-context.js';
import { type Part, saverOf, snapshotsOf, tablesOf } from './snapshots.js';
import { openState } from './state.js';
import type { TableName } from './store/schema.js';
import { openStore, type Store, type StoreOptions, stateFile } from './store/store.js';
import { defaultVariants } from './variants.js';

export interface ServiceFacts {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly callbackUrl: string;
  /** The access token of each persona. */
  readonly personas: Readonly<Record<PersonaName, string>>;
}

/** Loads an export into a store, or into a new state in a folder. @throws OptionError, with the path in its message */
async function load(path: string, target: Store | string, now: number, kept?: readonly TableName[]): Promise<void> {
  const { importState, loadInto, readSource } = await import('./import/index.js');
  try {
    const data = readSource(path);
    await (typeof target === 'string' ? importState(target, data, now) : loadInto(target, data, now, kept));
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw new OptionError(`cannot load ${path}: ${error.message}`, error.hint, error);
  }
}

type OpenOptions = Pick<StoreOptions, 'directory' | 'say'> & { readonly seed: string };

/** Opens the state, and fills it if it is new. */
async function openFilled({ directory, seed, say }: OpenOptions, now: number): Promise<Store> {
  const [name, path] = isSeedName(seed) ? [seed] : (['empty', seed] as const);
  if (directory !== undefined) {
    if (path !== undefined && !existsSync(stateFile(directory))) await load(path, directory, now);
    return openState(directory, name, now, { say });
  }
  const store = await openStore({ fill: await seedFill(name, now) });
  try {
    if (path !== undefined) await load(path, store, now);
  } catch (error) {
    store.close();
    throw error;
  }
  return store;
}

async function authorizeAs(
  context: Pick<ServiceContext, 'store' | 'random' | 'now'>,
  people: People,
  options: unknown,
): Promise<string> {
  const { clientId = CLIENT_ID, user, deny = false, ...rest } = readAuthorize(options);
  const { authorize } = await import('./oauth/authorize.js');
  const userId = people.findLogin(user).id;
  const address = await authorize(context, { ...rest, clientId, userId: deny ? undefined : userId });
  if (address === undefined) throw new Refusal(404, `no application has the client ID ${JSON.stringify(clientId)}`);
  return address;
}

/**
 * Registers the other applications, and the bundled one anew if this run gives it another callback URL.
 * @returns the bundled one
 */
function registerApplications(store: Store, people: People, callbackUrl: string, others: readonly ClientGiven[]) {
  const client = store.read(() => store.oauthClients.get(CLIENT_ID));
  if (client !== undefined && client.callbackUrl !== callbackUrl) people.register({ ...client, callbackUrl });
  for (const one of others) people.register(one);
  return store.read(() => store.oauthClients.get(CLIENT_ID));
}

export type Rehearsal = Awaited<ReturnType<typeof openRehearsal>>;

/** Opens the state. @param say receives lines for people @throws OptionError for an invalid option, StateError when the state cannot be used */
export async function openRehearsal(
  given: SharedOptions & UserOptions,
  basePath: string,
  say: (line: string) => void,
  onError?: (error: unknown) => void,
) {
  const options = readOptions(given);
  const { clock, callbackUrl = CALLBACK_URL, latency, clients } = options;
  const random = options.random.bytes;
  const store = await openFilled({ ...options, say }, clock.now());
  const people = peopleOf({ store, now: clock.now, random });
  const register = () => registerApplications(store, people, callbackUrl, clients);
  const faults = new FaultPlan(random, people.isUser);
  let application = { secret: CLIENT_SECRET, callbackUrl };
  let users: ReturnType<typeof prepareUsers>;
  try {
    users = await store.whenFree(() => {
      application = register() ?? application;
      ensureCursorSecret({ store, random });
      faults.add(options.faults, true);
      return prepareUsers(given, people);
    });
  } catch (error) {
    store.close();
    throw error;
  }
  const variants = { ...defaultVariants(), ...options.variants };
  const journal = journalOf({ now: clock.now, basePath, callerOf: people.callerOf });
  const saveVariants = (): (() => void) => {
    const given = { ...variants };
    return () => Object.assign(variants, given);
  };
  const save = saverOf({ requests: journal, faults, clock, variants: { save: saveVariants } }, options.random);
  const setBackToStart = save();
  const snapshots = snapshotsOf(store, save);
  const { counted, close } = closeWhenIdle(() => store.close());
  return {
    factsAt: (baseUrl: string): ServiceFacts => ({
      baseUrl,
      clientId: CLIENT_ID,
      clientSecret: application.secret,
      callbackUrl: application.callbackUrl,
      personas: Object.fromEntries(PERSONAS.map((name) => [name, personaToken(name)])) as ServiceFacts['personas'],
    }),
    /** Handles requests without faults, with the default variants. @param baseUrl starts URLs in responses */
    plainSendAt: (baseUrl: string): Send => createService({ store, clock: clock.now, random, baseUrl }).handle,
    /** Handles and records requests, with faults; may throw `ConnectionReset`. @param baseUrl starts URLs in responses */
    sendAt(baseUrl: string): Send {
      const { now } = clock;
      const service = createService({ store, clock: now, random, baseUrl, onError, variants });
      const faulty = withFaults(service.handle, {
        plan: faults,
        basePath,
        now,
        store,
        callerOf: people.callerOf,
        latency,
      });
      return counted(journal.wrap(faulty));
    },
    /** Decides as a user of the consent page would. @returns the callback address @throws OptionError, Refusal 404 */
    authorize: (given: unknown) => authorizeAs({ store, random, now: clock.now }, people, given),
    tokens: users.tokens,
    basePath,
    clock,
    faults,
    journal,
    people,
    variants,
    store,
    snapshots,
    verify: (expected: readonly unknown[], only: boolean) =>
      verifyRequests(journal.entries(), expected, { only, forgotten: journal.forgotten(), isUser: people.isUser }),
    seedName: () => store.setting(SEED_SETTING) ?? '',
    /** Replaces the data by a seed, and sets everything else back to the start. Snapshots and open ports stay. */
    async reset(kept: readonly Part[] = [], seed = options.seed): Promise<void> {
      const tables = tablesOf(kept);
      if (!kept.includes('clock')) clock.restore();
      if (kept.includes('data')) return setBackToStart(kept);
      if (isSeedName(seed)) {
        const fill = await seedFill(seed, clock.now());
        await store.whenFree(() => store.refill(fill, tables));
      } else await load(seed, store, clock.now(), tables);
      // Before the registration, whose requests for random bytes are part of the start.
      setBackToStart(kept);
      await store.whenFree(register);
      await store.whenFree(() => users.again(kept));
    },
    /** Like a new process with the same options: data in a folder stays, data in memory starts from its seed. */
    restart(): Promise<void> {
      return this.reset(store.file === undefined ? [] : ['data']);
    },
    close(): void {
      snapshots.close();
      faults.end();
      close();
    },
  };
}
