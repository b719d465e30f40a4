/** The place of a problem that several rows have. */
import type { Problem } from '../core/errors.js';

/** A problem of several places. @param where the first of them @param count number of all */
export const problemAt = (where: string, count: number, message: string): Problem => ({
  where: count === 1 ? where : `${where} and ${count - 1} more`,
  message,
});
