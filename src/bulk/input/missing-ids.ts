/** Checks whether the IDs that rows refer to exist, where an endpoint returns one item by its ID. */
import { type IdHost, isKnownId } from '../../client/references/known-id.js';
import type { Referent } from '../../contract/vocabulary.js';
import { isKind } from '../../core/errors.js';

/** Kinds of which an ID can be known not to exist, each with the resources that are read by it; none if its list shows all. */
const READ_BY_ID: Partial<Record<Referent, readonly Referent[]>> = {
  subject: [],
  role: [],
  book: ['book'],
  class: ['class'],
  school: ['school'],
  organization: ['school', 'publisher'],
  licence: ['licence'],
  subscription: ['subscription'],
};

export const canBeMissing = (referent: Referent): boolean => READ_BY_ID[referent] !== undefined;

/** Asks the service for an ID that its lists do not show. @returns true when it does not exist */
export async function isMissing(referent: Referent, id: string, host: IdHost): Promise<boolean> {
  try {
    for (const one of READ_BY_ID[referent] ?? []) if (await isKnownId(one, id, host)) return false;
    return canBeMissing(referent);
  } catch (error) {
    // The write gets the same error and reports it with its row.
    if (isKind(error, 'refused', 'conflict', 'invalid_response', 'server_error')) return false;
    throw error;
  }
}
