/** The service as one function from request to response. */

import { contract } from '../contract/index.js';
import { createRouter, type Route } from '../contract/routes.js';
import type { Endpoint } from '../contract/vocabulary.js';
import { type HttpRequest, type HttpResponse, type Send, withoutTrailingSlash } from '../core/http.js';
import { type AnyHandler, dispatch, type RequestContext, type Target } from './dispatch.js';
import { Refusal, refusalResponse } from './error-answer.js';
import type { OAuth } from './oauth/oauth-router.js';
import { cursorsOf, ensureCursorSecret } from './paging.js';
import { DOWNLOAD_PATH, download } from './resources/files.js';
import { handlers } from './resources/index.js';
import { openEditor } from './resources/materials.js';
import { addressOf, basePathOf } from './router.js';
import type { Answered, ServiceContext } from './service-context.js';
import { StateError } from './store/state-error.js';
import { defaultVariants, type Variants } from './variants.js';

export function closeWhenIdle(close: () => void) {
  let running = 0;
  let isClosing = false;
  const closeIfIdle = (): void => {
    if (isClosing && running === 0) close();
  };
  return {
    /** Wraps a `Send` so that its requests are waited for. */
    counted:
      (send: Send): Send =>
      async (request) => {
        running++;
        try {
          return await send(request);
        } finally {
          running--;
          closeIfIdle();
        }
      },
    close(): void {
      isClosing = true;
      closeIfIdle();
    },
  };
}

export type ServiceOptions = Pick<ServiceContext, 'store' | 'random'> & {
  /** Requests must start with it, and URLs in responses do. */
  readonly baseUrl: string;
  readonly clock: () => number;
  /** Rejects requests whose state cannot be used, instead of responding with 500. */
  readonly throwsStateErrors?: true | undefined;
  /** Called with unexpected errors; their response is 500. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** May be changed while the service runs. */
  readonly variants?: Variants | undefined;
};

export interface Service {
  /** Throws only as `throwsStateErrors` says, and the reason of a request that was aborted. */
  readonly handle: Send;
  /** Closes the store after the last running request, which may still have files to remove. */
  close(): void;
}

type ByName<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

/** The compiler has checked that each endpoint of the contract has a handler (`resources/index.ts`). */
function routes(): Route<Target | 'download'>[] {
  const found: Route<Target | 'download'>[] = [{ method: 'GET', path: DOWNLOAD_PATH, target: 'download' }];
  for (const [resource, endpoints] of Object.entries(contract as ByName<Endpoint>)) {
    for (const [name, endpoint] of Object.entries(endpoints)) {
      const handler = (handlers as unknown as ByName<AnyHandler>)[resource]?.[name] as AnyHandler;
      found.push({ method: endpoint.method, path: endpoint.path, target: { endpoint, handler } });
    }
  }
  return found;
}

/** @throws StateError when the store cannot be written */
export function createService(options: ServiceOptions): Service {
  const { store, clock: now, random, variants = defaultVariants() } = options;
  const baseUrl = withoutTrailingSlash(options.baseUrl);
  const basePath = basePathOf(baseUrl);
  const core: ServiceContext = { store, now, random, baseUrl, variants };
  const context: RequestContext = { core, cursors: cursorsOf(core) };
  const route = createRouter(routes());
  let oauth: Promise<OAuth> | undefined;
  ensureCursorSecret(core);

  const answer = async (request: HttpRequest, warnings: string[]): Promise<HttpResponse> => {
    const { path, query } = addressOf(request.url, basePath);
    if (path.startsWith('/login/')) {
      // Loaded with the first such request, because the API itself does not need it.
      oauth ??= import('./oauth/oauth-router.js').then(({ createOAuth }) => createOAuth(core));
      const page = (await oauth)(request, path);
      if (page !== undefined) return page;
    }
    if (request.method === 'GET' && path.startsWith('/editor/'))
      return store.whenFree(() => openEditor(core, path, query), request.signal);
    const match = route(request.method, path);
    // A path that exists only for other methods is 404 too: the API document's table of statuses has no 405.
    if (match === undefined) throw new Refusal(404, `there is no ${request.method} ${path}`);
    if (match.target === 'download')
      return store.whenFree(() => download(core, request, match.params.id ?? ''), request.signal);
    return dispatch(context, match.target, request, { path, params: match.params, query, warnings });
  };

  const respond = async (request: HttpRequest, warnings: string[]): Promise<HttpResponse> => {
    try {
      return await answer(request, warnings);
    } catch (error) {
      if (error instanceof Refusal) return refusalResponse(error, variants);
      if (error instanceof URIError) return refusalResponse(new Refusal(400, 'the path is not well encoded'), variants);
      if (options.throwsStateErrors && error instanceof StateError) throw error;
      request.signal?.throwIfAborted();
      options.onError?.(error);
      if (!(error instanceof StateError)) return refusalResponse(new Refusal(500, 'the service failed'), variants);
      const refusal = new Refusal(error.isLocked ? 503 : 500, `${error.message}. ${error.hint}`);
      return refusalResponse(refusal, variants);
    }
  };
  const handle = async (request: HttpRequest): Promise<Answered> => {
    const warnings: string[] = [];
    const response = await respond(request, warnings);
    return warnings.length === 0 ? response : { ...response, warnings };
  };
  const { counted, close } = closeWhenIdle(() => store.close());
  return { handle: counted(handle), close };
}
