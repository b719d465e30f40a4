/**
 * The page of an editor address: it opens once, within a minute (service-api-v1.md, "GET books/:id/editor"). A page
 * stands in for the editor, which is not part of the interface.
 */
import type { HttpResponse } from '../core/http.js';
import type { ServiceContext } from './service-context.js';
import type { EditorToken } from './store/records.js';
import { secretId } from './store/store.js';

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
} as const;

const escaped = (text: string): string => text.replace(/[&<>"']/g, (mark) => `&#${mark.charCodeAt(0)};`);

const page = (status: number, title: string, text: string): HttpResponse => ({
  status,
  headers: HEADERS,
  body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>body{font:1.1rem/1.6 system-ui,sans-serif;max-width:38rem;margin:4rem auto;padding:0 1.5rem;color:#1c2330;background:#fbfbfd}
@media(prefers-color-scheme:dark){body{color:#e8eaf0;background:#14171f}}</style>
<main><h1>${escaped(title)}</h1><p>${escaped(text)}</p></main>
</html>
`,
});

function spend({ store, now }: ServiceContext, token: string): { grant: EditorToken; title: string } | undefined {
  const grant = store.editorTokens.get(secretId(token));
  if (grant === undefined) return undefined;
  store.editorTokens.remove(grant.id);
  const item = grant.kind === 'book' ? store.books.get(grant.itemId) : store.readers.get(grant.itemId);
  return grant.expiresAt <= now() || item === undefined ? undefined : { grant, title: item.title };
}

/** Answers `GET {editor_url}/…?token=…` and takes the token away. */
export function openEditor(core: ServiceContext, path: string, query: string): HttpResponse {
  const token = new URLSearchParams(query).get('token') ?? '';
  const opened = core.store.write(() => spend(core, token));
  if (opened === undefined || path !== `/editor/${opened.grant.kind}s/${encodeURIComponent(opened.grant.itemId)}`) {
    return page(
      403,
      'This address no longer opens the editor',
      'It works once, and for one minute after it was made. Ask for another one and open it at once.',
    );
  }
  const { grant, title } = opened;
  return page(
    200,
    title,
    `Here the editor of the ${grant.kind} ${grant.itemId} would open. The sample service has none.`,
  );
}
