/** Finds where the names of a command line or row are looked up, according to its other values. */
import { resourcesBehind } from '../../contract/by-reference.js';
import type { OrganizationType } from '../../contract/shared.js';
import type { Referent } from '../../contract/vocabulary.js';
import { textOf, type Values } from '../../core/flag-values.js';
import type { Found, Scope } from './resolver.js';

type Find = (refersTo: Referent, text: string, scope?: Scope) => Promise<Found>;

/** A flag, argument or column with references. */
export interface Place {
  readonly name: string;
  readonly refersTo: Referent;
}

/** The type that `--organization-type` gives to the organization of a command. */
const typeFor = ({ name, refersTo }: Place, values: Values): Scope =>
  refersTo === 'organization' && name === 'organization'
    ? { type: textOf(values, 'organization-type') as OrganizationType | undefined }
    : {};

/**
 * Returns where the names of a place are looked up.
 * @param find finds the organization, school or user that other values refer to; unknown ones are ignored here, because
 *   they are reported for their own place
 */
export async function scopeFor(place: Place, values: Values, find: Find): Promise<Scope> {
  const [resource] = await resourcesBehind(place.refersTo);
  const { flags = {}, of = '' } = resource?.within ?? {};
  for (const [name, refersTo] of Object.entries(flags)) {
    const text = textOf(values, name);
    if (text === undefined) continue;
    const found = await find(refersTo, text, typeFor({ name, refersTo }, values));
    if (found.is !== 'one') continue;
    const { id, type } = found.match;
    if (type !== undefined) return { organization: { id, type } };
  }
  const owner = textOf(values, of);
  if (owner === undefined) return typeFor(place, values);
  const found = await find('user', owner, await scopeFor({ name: of, refersTo: 'user' }, values, find));
  if (found.is !== 'one') return {};
  const read = found.match.organization === undefined ? await find('user', `id:${found.match.id}`) : found;
  return read.is === 'one' && read.match.organization !== undefined ? { organization: read.match.organization } : {};
}
