/** POST files, and GET of the address that a File has as `url` (service-api-v1.md, "Files", "File"). */
import { FILE_PATH } from '../../contract/files.js';
import { streamRegularFile } from '../../core/fs/regular-file.js';
import type { HttpRequest, HttpResponse } from '../../core/http.js';
import { callerOf, requireInSight } from '../access.js';
import { requireFound } from '../error-answer.js';
import type { Handlers } from '../handler-types.js';
import type { ServiceContext } from '../service-context.js';
import { damaged, stateErrorOf } from '../store/state-error.js';
import { storeFile } from './materials.js';

/** "A storage-kind string whose observed value has the form `CloudStorage`." */
const STORAGE_KIND = 'CloudStorage';

export const files: Handlers<'files'> = {
  upload: {
    needs: ['File', 'Create'],
    run({ core, caller, body }) {
      const { id } = storeFile(core, caller.organization.id, body.fileType, body.file);
      return { type: STORAGE_KIND, id, url: `${core.baseUrl}${FILE_PATH}${id}` };
    },
  },
};

export const DOWNLOAD_PATH = `${FILE_PATH}{id}`;

/** Content-Disposition with an ASCII name for old clients and the full one (RFC 6266, RFC 8187). */
function disposition(filename: string): string {
  const name = filename.toWellFormed();
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function opened(path: string, size: number) {
  try {
    return streamRegularFile(path, size === 0 ? {} : { maxBytes: size });
  } catch (error) {
    throw stateErrorOf(path, error) ?? damaged(path, error);
  }
}

/** Returns the bytes of a file of the caller's own organization or of one that it owns. @throws Refusal */
export function download(core: ServiceContext, request: HttpRequest, id: string): HttpResponse {
  const file = core.store.read(() => {
    const caller = callerOf(core, request.headers);
    const found = requireFound(core.store.files.get(id), 'file', id);
    requireInSight(core, caller, 'file', found);
    return found;
  });
  const path = core.store.blobs.path(file.blob);
  // Throws now, not in the middle of the response, if the file is missing from the state's folder, or is a pipe or device.
  const body = opened(path, file.size);
  const headers = {
    'content-type': /^[\x21-\x7e]+$/.test(file.contentType) ? file.contentType : 'application/octet-stream',
    'content-length': String(file.size),
    'content-disposition': disposition(file.filename),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
  return { status: 200, headers, body };
}
