/** Opens the bundled service for the suite: in process or over loopback HTTP, each in memory. */
import { randomBytes } from 'node:crypto';
import type { Send } from '../../src/core/http.js';
import { personaToken } from '../../src/service/personas.js';
import { CALLBACK_URL, CLIENT_ID, CLIENT_SECRET } from '../../src/service/seeds/cast.js';
import { seedFill } from '../../src/service/seeds/seed.js';
import { listen } from '../../src/service/serve/listen.js';
import { createService, type Service } from '../../src/service/service.js';
import { openStore } from '../../src/service/store/store.js';
import { defaultVariants, type Variants } from '../../src/service/variants.js';
import type { Door } from './door.js';
import { checked } from './openapi-check.js';
import { overSockets } from './sockets.js';

interface Opened {
  readonly service: Service;
  readonly now: () => number;
  readonly advance: (milliseconds: number) => void;
  readonly errors: unknown[];
}

/** A service in memory with the demo data, at a noon that tests can advance from. */
async function openService(baseUrl: string, variants = defaultVariants()): Promise<Opened> {
  let time = Date.UTC(2026, 10, 20, 12);
  const errors: unknown[] = [];
  const store = await openStore({ fill: await seedFill('demo', time) });
  const service = createService({
    store,
    clock: () => time,
    random: (count) => randomBytes(count),
    baseUrl,
    variants,
    onError: (error) => errors.push(error),
  });
  const advance = (milliseconds: number): void => {
    time += milliseconds;
  };
  return { service, now: () => time, advance, errors };
}

function doorTo(
  { service, now, advance, errors }: Opened,
  baseUrl: string,
  send: Send,
  stop?: () => Promise<void>,
): Door {
  const undocumented = new Set<string>();
  return {
    baseUrl,
    send: checked(send, baseUrl, undocumented),
    token: personaToken,
    application: { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, callbackUrl: CALLBACK_URL },
    advance,
    encryptionMs: 60_000,
    now: () => new Date(now()),
    async close() {
      await stop?.();
      service.close();
      for (const problem of undocumented) errors.push(new Error(`not as docs/openapi.json has it: ${problem}`));
      // a 500 of the service is a defect, whether or not a test looked at the status
      if (errors.length > 0) throw new AggregateError(errors, `the service failed ${errors.length} times`);
    },
  };
}

/**
 * Calls the service's function. Its base URL has a path, as another operator's may.
 * @param variants behaviour outside docs/openapi.json; exchanges are then not compared with it
 */
export async function bundledInProcess(variants?: Variants): Promise<Door> {
  const baseUrl = 'https://service.example/base';
  const opened = await openService(baseUrl, variants);
  const door = doorTo(opened, baseUrl, opened.service.handle);
  return variants === undefined ? door : { ...door, send: opened.service.handle };
}

/** Calls the service over HTTP on a free port, with strict input: valid requests make no difference. */
export async function bundledOverHttp(): Promise<Door> {
  let handle: Send = async () => ({ status: 503, headers: {}, body: '' });
  const listener = await listen((request) => handle(request), { port: 0 });
  const opened = await openService(listener.origin, { ...defaultVariants(), strictInput: true });
  handle = opened.service.handle;
  return { ...doorTo(opened, listener.origin, overSockets, () => listener.stop()), isStrict: true };
}
