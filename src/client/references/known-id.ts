/** Checks whether an ID that no list shows exists, with the resource's `get`. */
import { resourceBehind } from '../../contract/by-reference.js';
import type { Referent } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import type { ResolverHost } from './resolver.js';

export type IdHost = Omit<ResolverHost, 'callersOrganization'>;

/**
 * @returns true also if the caller may not see the item; false if no endpoint returns one, as for a role; undefined for
 *   400, which may mean that the ID has an invalid form
 * @throws EduError if the service does not respond
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
    // For `GET classes/:id`, the API document has 400 but no 404.
    if (error.status === 400) return endpoint.errors.includes(404) ? undefined : false;
    if (error.kind !== 'forbidden') throw error;
  }
  return true;
}
