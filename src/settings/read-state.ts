/** Reads small files of the state folder; ignores files that another user could have written. */
import { usageError } from '../core/errors.js';
import { readTrustedFile, type Trust, WRITABLE_BY_OTHERS } from '../core/fs/trusted-file.js';

const STATE_TRUST: Trust = {
  refuse: usageError,
  forbidden: WRITABLE_BY_OTHERS,
  maxBytes: 64 * 1024,
  mayBeLink: false,
};

/** @returns undefined when there is no such file @throws EduError `usage` when it cannot be trusted or read */
export const readState = (file: string): string | undefined => readTrustedFile(file, STATE_TRUST);
