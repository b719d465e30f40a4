/** Opens the bundled service for the suite: in process or over loopback HTTP, each in memory. */
import type { Send } from '../../src/core/http.js';
import { personaToken } from '../../src/service/personas.js';
import { CALLBACK_URL, CLIENT_ID, CLIENT_SECRET } from '../../src/service/seeds/cast.js';
import { listen } from '../../src/service/serve/listen.js';
import { defaultVariants, type Variants } from '../../src/service/variants.js';
import { type Bundled, bundled } from '../support/bundled-service.js';
import type { Door } from './door.js';
import { checked } from './openapi-check.js';
import { overSockets } from './sockets.js';

function doorTo({ now, pass, errors, close }: Bundled, baseUrl: string, send: Send, stop?: () => Promise<void>): Door {
  const undocumented = new Set<string>();
  return {
    baseUrl,
    send: checked(send, baseUrl, undocumented),
    token: personaToken,
    application: { clientId: CLIENT_ID, clientSecret: CLIENT_SECRET, callbackUrl: CALLBACK_URL },
    advance: pass,
    encryptionMs: 60_000,
    now: () => new Date(now()),
    async close() {
      await stop?.();
      close();
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
  const opened = await bundled({ baseUrl, variants });
  const door = doorTo(opened, baseUrl, opened.service.handle);
  return variants === undefined ? door : { ...door, send: opened.service.handle };
}

/** Calls the service over HTTP on a free port, with strict input: valid requests make no difference. */
export async function bundledOverHttp(): Promise<Door> {
  let handle: Send = async () => ({ status: 503, headers: {}, body: '' });
  const listener = await listen((request) => handle(request), { port: 0 });
  const opened = await bundled({ baseUrl: listener.origin, variants: { ...defaultVariants(), strictInput: true } });
  handle = opened.service.handle;
  return { ...doorTo(opened, listener.origin, overSockets, () => listener.stop()), isStrict: true };
}
