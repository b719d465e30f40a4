/**
 * The service as one function from request to response. The command line calls it in process, tests call it in memory,
 * and `edu offline serve` puts it behind HTTP.
 */
import { contract } from '../contract/index.js';
import type { Endpoint } from '../contract/vocabulary.js';
import type { HttpRequest, HttpResponse, Send } from '../core/http.js';
import { callersOf } from './caller.js';
import { cursorsOf, ensureCursorSecret } from './cursors.js';
import { type AnyHandler, dispatch, type RequestContext, type Target } from './dispatch.js';
import { DOWNLOAD_PATH, download } from './download.js';
import { openEditor } from './editor.js';
import { JSON_HEADERS, Refusal, refusalResponse } from './error-answer.js';
import type { OAuth } from './oauth/oauth.js';
import { handlers } from './resources/index.js';
import { addressOf, createRouter, type Route } from './router.js';
import type { ServiceContext } from './service-context.js';
import { StateError } from './store/state-error.js';
import type { Store } from './store/store.js';
import { defaultVariants, type Variants } from './variants.js';

export interface ServiceOptions {
  readonly store: Store;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** So many random bytes. */
  readonly random: (count: number) => Uint8Array;
  /** Where callers reach the service: requests are addressed under it, and answers hold addresses under it. */
  readonly baseUrl: string;
  /** Where editor addresses lead; `<baseUrl>/editor`, which this service answers itself, if left out. */
  readonly editorUrl?: string | undefined;
  /** Called with unexpected errors, which are answered with 500. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** What it does where the document leaves it open; the defaults if left out. May be changed while it runs. */
  readonly variants?: Variants | undefined;
  readonly onEmail?: ServiceContext['onEmail'];
}

export interface Service {
  /** Answers any request; never throws. */
  readonly handle: Send;
  /** Closes the store, once no request is being answered any more: those that are may still have files to remove. */
  close(): void;
}

type Resources = Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;
type ResourceHandlers = Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>;

/** The contract's endpoints with their handlers. */
function routes(): Route<Target | 'download'>[] {
  const all = handlers as unknown as ResourceHandlers;
  const found: Route<Target | 'download'>[] = [{ method: 'GET', path: DOWNLOAD_PATH, target: 'download' }];
  for (const [resource, endpoints] of Object.entries(contract as Resources)) {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const handler = all[resource]?.[name];
      if (handler === undefined) throw new Error(`${resource}.${name} has no handler`);
      found.push({ method: endpoint.method, path: endpoint.path, target: { endpoint, handler } });
    }
  }
  return found;
}

const internalError = (message: string): HttpResponse => ({
  status: 500,
  headers: JSON_HEADERS,
  body: JSON.stringify({ error: 'InternalServerError', message }),
});

/** The authorization pages and token requests, loaded by the first request for one: the API itself needs none of it. */
function oauthOn({ store, now, random, variants }: ServiceContext): () => Promise<OAuth> {
  let made: Promise<OAuth> | undefined;
  const make = async (): Promise<OAuth> => {
    const [{ createOAuth }, { recordsOn }] = await Promise.all([
      import('./oauth/oauth.js'),
      import('./oauth/store-records.js'),
    ]);
    return createOAuth({ records: recordsOn(store, now), now, random, variants });
  };
  return () => {
    made ??= make();
    return made;
  };
}

/** The path of a base URL without a slash at the end. */
const pathOf = (url: string): string => new URL(url).pathname.replace(/(?<!\/)\/+$/, '');

/**
 * Makes a service on a store.
 * @throws what the store throws when it can't be written
 */
export function createService(options: ServiceOptions): Service {
  const { store, clock, random } = options;
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '');
  const basePath = pathOf(baseUrl);
  const { editorUrl = `${baseUrl}/editor`, variants = defaultVariants() } = options;
  const core: ServiceContext = { store, now: clock, random, baseUrl, editorUrl, variants, onEmail: options.onEmail };
  const context: RequestContext = { core, callers: callersOf(core), cursors: cursorsOf(core) };
  const route = createRouter(routes());
  const oauth = oauthOn(core);
  ensureCursorSecret(core);

  const answer = async (request: HttpRequest): Promise<HttpResponse> => {
    const { path, query } = addressOf(request.url, basePath);
    if (path.startsWith('/login/')) {
      const page = (await oauth())(request, path);
      if (page !== undefined) return page;
    }
    if (request.method === 'GET' && path.startsWith('/editor/')) return openEditor(core, path, query);
    const match = route(request.method, path);
    // A path that exists for other methods only is 404 as well: the document's table of statuses has no 405.
    if (match === undefined) throw new Refusal(404, `there is no ${request.method} ${path}`);
    if (match.target === 'download') return download(core, context.callers, request, match.params.id ?? '');
    return dispatch(context, match.target, request, { path, params: match.params, query });
  };

  let answering = 0;
  let isClosing = false;
  const closeIfIdle = (): void => {
    if (isClosing && answering === 0) store.close();
  };
  return {
    async handle(request) {
      answering++;
      try {
        return await answer(request);
      } catch (error) {
        if (error instanceof Refusal) return refusalResponse(error, variants);
        if (error instanceof URIError)
          return refusalResponse(new Refusal(400, 'the path is not well encoded'), variants);
        // A caller who went away is nothing to report.
        if (!request.signal?.aborted) options.onError?.(error);
        if (error instanceof StateError) return internalError(`${error.message}. ${error.hint}`);
        return internalError('the service failed');
      } finally {
        answering--;
        closeIfIdle();
      }
    },
    close() {
      isClosing = true;
      closeIfIdle();
    },
  };
}
