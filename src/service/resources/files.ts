/** POST files (service-api-v1.md, "Files"). */
import { FILE_PATH } from '../../contract/files.js';
import type { Handlers } from '../handler-types.js';
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
