/** Reads small files of the state folder. */
import { usageError } from '../core/errors.js';
import { readTrustedFile, type Trust, WRITABLE_BY_OTHERS } from '../core/fs/trusted-file.js';

const STATE_TRUST: Trust = {
  refuse: usageError,
  forbidden: WRITABLE_BY_OTHERS,
  maxBytes: 64 * 1024,
  mayBeLink: false,
};

/** @returns undefined if the file does not exist @throws EduError `usage` if it cannot be read or others can write it */
export const readState = (file: string): string | undefined => readTrustedFile(file, STATE_TRUST);
