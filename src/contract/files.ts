/** Uploaded files (service-api-v1.md, "Files"). */
import { resource } from './resource.js';
import { choice, file, post, shape, text } from './vocabulary.js';

export const FILE_TYPES = ['Audio', 'Document', 'Image', 'Video'] as const;

/** `type` is the kind of storage, not the `fileType` of the request. */
export const File = shape('File', 'an uploaded file', {
  type: text('kind of storage, such as CloudStorage'),
  id: text('file ID'),
  url: text('address of the file'),
});

/** How `File.url` begins, after the base URL. The API document does not list it as an endpoint. */
export const FILE_PATH = '/v1/api/file/get/';

export const files = {
  upload: post('/v1/files', 'Upload a file.', {
    encoding: 'multipart',
    body: {
      file: file('the file', { required: true }),
      fileType: choice(FILE_TYPES, 'what the file is', { required: true }),
    },
    returns: File,
    errors: [400, 403],
  }),
};

export const storedFile = resource({
  name: 'files',
  noun: ['file', 'files'],
  refersTo: 'file',
  endpoints: { create: files.upload },
  shape: File,
  label: '{url}',
  search: [],
  natural: null,
  written: [],
  recognised: { by: 'nothing', advice: 'Files cannot be listed. If you run it again, it is stored twice at worst.' },
});
