/** Checks whether an ID exists that no list shows: reads it once, by the resource's own `get`. */
import { resourceBehind } from '../../contract/by-reference.js';
import type { Language } from '../../contract/shared.js';
import type { Referent } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import type { Client } from '../request/client.js';

export interface IdHost {
  readonly client: () => Promise<Client>;
  readonly language: () => Language;
  readonly signal: AbortSignal;
}

/**
 * @returns true also where the thing may not be seen; false where no endpoint shows one, such as a role; undefined for 400,
 *   which may mean that no ID is written so
 * @throws EduError when the service does not answer
 */
export async function isKnownId(
  refersTo: Referent,
  id: string,
  { client, language, signal }: IdHost,
): Promise<boolean | undefined> {
  const endpoint = (await resourceBehind(refersTo))?.endpoints.get;
  const [name] = Object.keys(endpoint?.params ?? {});
  if (endpoint === undefined || name === undefined) return false;
  const query = endpoint.query?.language === undefined ? {} : { query: { language: language() } };
  try {
    await (await client()).call(endpoint, { params: { [name]: id }, ...query } as never, { signal });
  } catch (error) {
    if (!(error instanceof EduError)) throw error;
    if (error.kind === 'not_found') return false;
    // 400 is all that the API document has for `GET classes/:id`.
    if (error.status === 400) return endpoint.errors.includes(404) ? undefined : false;
    if (error.kind !== 'forbidden') throw error;
  }
  return true;
}
