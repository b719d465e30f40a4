/** Finds the resource that a reference points to. */
import type { Resource } from './resource.js';
import type { Referent } from './vocabulary.js';

/**
 * Loads all resources and returns the one that a reference points to.
 * @returns undefined for an organization, which can be a publisher, a school or the caller's own, and for a licence
 *   category, which no endpoint returns
 */
export async function resourceBehind(refersTo: Referent): Promise<Resource | undefined> {
  const { resources } = await import('./index.js');
  return resources.find((one) => one.refersTo === refersTo);
}
