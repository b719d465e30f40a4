/** GET /v1/api/file/get/<id>, the address that a File's `url` has (service-api-v1.md, "File"). */
import { createReadStream, statSync } from 'node:fs';
import { FILE_PATH } from '../contract/files.js';
import type { HttpRequest, HttpResponse } from '../core/http.js';
import { mayUse } from './access.js';
import type { Callers } from './caller.js';
import { forbidden, notFound } from './error-answer.js';
import type { ServiceContext } from './service-context.js';

/** The path of a download, as the router takes it. */
export const DOWNLOAD_PATH = `${FILE_PATH}{id}`;

/** A name for Content-Disposition: plain for old readers, and in full (RFC 6266, RFC 8187). */
function disposition(filename: string): string {
  const name = filename.toWellFormed();
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/**
 * The bytes of a file. Needs the same authorization as everything else; files of own and owned organizations may be had.
 * @throws Refusal
 */
export function download(core: ServiceContext, callers: Callers, request: HttpRequest, id: string): HttpResponse {
  const file = core.store.read(() => {
    const caller = callers(request.headers);
    const found = core.store.files.get(id);
    if (found === undefined) throw notFound('file', id);
    if (!mayUse(core, caller, found.organizationId))
      throw forbidden(`the file ${id} is not of an organization that you may see`);
    return found;
  });
  const path = core.store.blobs.path(file.blob);
  // A file that was taken out of the state's folder is an error now, not in the middle of the answer.
  statSync(path);
  const headers = {
    'content-type': /^[\x21-\x7e]+$/.test(file.contentType) ? file.contentType : 'application/octet-stream',
    'content-length': String(file.size),
    'content-disposition': disposition(file.filename),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
  return { status: 200, headers, body: createReadStream(path) };
}
