/** Whether an id that a row refers to exists, where an endpoint shows one thing by its id. */
import type { Client } from '../../client/request/client.js';
import { resourceBehind } from '../../contract/by-reference.js';
import type { Language } from '../../contract/shared.js';
import type { Referent } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';

/** Kinds whose list shows everything that a row may refer to. */
const WHOLE_LISTS: readonly Referent[] = ['subject', 'role'];
/** Kinds that may be asked for by ID, and what an ID of each may belong to. Others are the thing that a row writes to. */
const ASKED: ReadonlyMap<Referent, readonly Referent[]> = new Map([
  ['book', ['book']],
  ['school', ['school']],
  ['organization', ['school', 'publisher']],
] satisfies readonly (readonly [Referent, readonly Referent[]])[]);

export interface IdHost {
  readonly client: () => Promise<Client>;
  readonly language: () => Language;
  readonly signal: AbortSignal;
}

/** Whether an ID can be known not to exist. */
export const canBeMissing = (referent: Referent): boolean => WHOLE_LISTS.includes(referent) || ASKED.has(referent);

async function isUnknownTo(referent: Referent, id: string, host: IdHost): Promise<boolean> {
  const get = (await resourceBehind(referent))?.endpoints.get;
  if (get === undefined) return false;
  const query = get.query?.language === undefined ? {} : { query: { language: host.language() } };
  try {
    await (await host.client()).call(get, { params: { id }, ...query } as never, { signal: host.signal });
    return false;
  } catch (error) {
    if (!(error instanceof EduError)) throw error;
    if (error.kind === 'not_found') return true;
    // What may not be read exists, and what else is wrong with it the service will say.
    if (['forbidden', 'refused', 'conflict', 'invalid_response', 'server_error'].includes(error.kind)) return false;
    throw error;
  }
}

/** Asks the service for an ID that its lists do not show. @returns true when it does not exist */
export async function isMissing(referent: Referent, id: string, host: IdHost): Promise<boolean> {
  if (!canBeMissing(referent)) return false;
  for (const one of ASKED.get(referent) ?? []) if (!(await isUnknownTo(one, id, host))) return false;
  return true;
}
