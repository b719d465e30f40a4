/** The page at an editor address, which works once and within a minute (service-api-v1.md, "GET books/:id/editor"). */
import type { HttpResponse } from '../core/http.js';
import type { ServiceContext } from './service-context.js';
import { secretId } from './store/store.js';

async function page(status: number, title: string, text: string): Promise<HttpResponse> {
  const [{ escapeHtml }, { pageResponse }] = await Promise.all([import('../core/html.js'), import('./oauth/pages.js')]);
  return pageResponse(status, { title, main: `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>` });
}

function redeem({ store, now }: ServiceContext, token: string) {
  const grant = store.editorTokens.get(secretId(token));
  if (grant === undefined) return undefined;
  store.editorTokens.remove(grant.id);
  const item = grant.kind === 'book' ? store.books.get(grant.itemId) : store.readers.get(grant.itemId);
  return grant.expiresAt <= now() || item === undefined ? undefined : { ...grant, title: item.title };
}

/** Answers `GET {editor_url}/…?token=…`. */
export function openEditor(core: ServiceContext, path: string, query: string): Promise<HttpResponse> {
  const token = new URLSearchParams(query).get('token') ?? '';
  const opened = core.store.write(() => redeem(core, token));
  if (opened === undefined || path !== `/editor/${opened.kind}s/${encodeURIComponent(opened.itemId)}`) {
    const reason = 'An address works once, within one minute. Request a new one and open it at once.';
    return page(403, 'This address no longer opens the editor', reason);
  }
  const { kind, itemId, title } = opened;
  return page(200, title, `The editor of the ${kind} ${itemId} would open here. The bundled service has none.`);
}
