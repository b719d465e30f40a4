/** Checks whether the IDs that rows refer to exist, where an endpoint returns one item by its ID. */
import { type IdHost, isKnownId } from '../../client/references/known-id.js';
import type { Referent } from '../../contract/vocabulary.js';
import { EduError, type ErrorKind } from '../../core/errors.js';

/** Kinds whose list shows everything that a row may refer to. */
const WHOLE_LISTS: readonly Referent[] = ['subject', 'role'];
/** Kinds that may be asked for by ID, and what an ID of each may belong to. Others are the thing that a row writes to. */
const ASKED: ReadonlyMap<Referent, readonly Referent[]> = new Map([
  ['book', ['book']],
  ['class', ['class']],
  ['school', ['school']],
  ['organization', ['school', 'publisher']],
] satisfies readonly (readonly [Referent, readonly Referent[]])[]);

const OTHER_FAULTS: ReadonlySet<ErrorKind> = new Set(['refused', 'conflict', 'invalid_response', 'server_error']);

/** Whether an ID can be known not to exist. */
export const canBeMissing = (referent: Referent): boolean => WHOLE_LISTS.includes(referent) || ASKED.has(referent);

async function isUnknownTo(referent: Referent, id: string, host: IdHost): Promise<boolean> {
  try {
    return !(await isKnownId(referent, id, host));
  } catch (error) {
    // What else is wrong with it the service will say.
    if (error instanceof EduError && OTHER_FAULTS.has(error.kind)) return false;
    throw error;
  }
}

/** Asks the service for an ID that its lists do not show. @returns true when it does not exist */
export async function isMissing(referent: Referent, id: string, host: IdHost): Promise<boolean> {
  if (!canBeMissing(referent)) return false;
  for (const one of ASKED.get(referent) ?? []) if (!(await isUnknownTo(one, id, host))) return false;
  return true;
}
