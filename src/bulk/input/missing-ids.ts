/** Checks whether the IDs that rows refer to exist, where an endpoint returns one item by its ID. */
import { type IdHost, isKnownId } from '../../client/references/known-id.js';
import type { Referent } from '../../contract/vocabulary.js';
import { isKind } from '../../core/errors.js';

/** Kinds whose list shows everything that a row may refer to. */
const WHOLE_LISTS: readonly Referent[] = ['subject', 'role'];
/** Kinds that an endpoint returns by ID, each with the resources that its ID may belong to. */
const READ_BY_ID: ReadonlyMap<Referent, readonly Referent[]> = new Map([
  ['book', ['book']],
  ['class', ['class']],
  ['school', ['school']],
  ['organization', ['school', 'publisher']],
  ['licence', ['licence']],
  ['subscription', ['subscription']],
] satisfies readonly (readonly [Referent, readonly Referent[]])[]);

/** Whether an ID can be known not to exist. */
export const canBeMissing = (referent: Referent): boolean => WHOLE_LISTS.includes(referent) || READ_BY_ID.has(referent);

async function isUnknownTo(referent: Referent, id: string, host: IdHost): Promise<boolean> {
  try {
    return !(await isKnownId(referent, id, host));
  } catch (error) {
    // The write gets the same error and reports it with its row.
    if (isKind(error, 'refused', 'conflict', 'invalid_response', 'server_error')) return false;
    throw error;
  }
}

/** Asks the service for an ID that its lists do not show. @returns true when it does not exist */
export async function isMissing(referent: Referent, id: string, host: IdHost): Promise<boolean> {
  if (!canBeMissing(referent)) return false;
  for (const one of READ_BY_ID.get(referent) ?? []) if (!(await isUnknownTo(one, id, host))) return false;
  return true;
}
