/** References in rows as they are noted, and the problems of those that cannot be used. */
import type { Match } from '../../client/references/item-index.js';
import { choicesAmong, describeMissing, nounsOf } from '../../client/references/reference-messages.js';
import type { Resolver, Wanted } from '../../client/references/resolver.js';
import { resources } from '../../contract/index.js';
import type { Resource } from '../../contract/resource.js';
import type { OrganizationReference } from '../../contract/shared.js';
import type { Referent } from '../../contract/vocabulary.js';
import type { Values, Verb } from '../row-command.js';
import { alsoName } from './read-row.js';

/** A reference that rows use. */
export interface Reference extends Wanted {
  readonly name: string;
  readonly referent: Referent;
  /** The values of the first row that uses it. */
  readonly values: Values;
  scope: Wanted['scope'];
  /** The other reference of a row that has two for one item. */
  pair?: Reference;
  id?: string | undefined;
  type?: OrganizationReference['type'] | undefined;
  problem?: string | undefined;
}

/** A reference column, with the names of the values on which a name's meaning depends. */
export interface Place {
  readonly name: string;
  readonly referent: Referent;
  readonly also: string;
  readonly scope: readonly string[];
}

const withins = new Map(resources.map(({ refersTo, within }: Resource) => [refersTo, within]));

/** The other values of a row on which the meaning of a name depends. */
function scopeNames(name: string, referent: Referent): readonly string[] {
  const { flags = {}, of } = withins.get(referent) ?? {};
  const ofOwner = of === undefined ? [] : [of, ...Object.keys(withins.get('user')?.flags ?? {})];
  return [...Object.keys(flags), ...ofOwner, ...(name === 'organization' ? ['organization-type'] : [])];
}

/** The reference columns of a command; two for one item are one. */
export const placesIn = ({ columns }: Verb): readonly Place[] =>
  columns.flatMap(({ name, refersTo: referent }, index) =>
    referent === undefined || columns.findIndex((one) => one.name === name) < index
      ? []
      : [{ name, referent, also: alsoName(name), scope: scopeNames(name, referent) }],
  );

/** The key of a reference: what it refers to, its text, and the other values on which its meaning depends. */
export function keyOf({ referent, scope }: Place, text: string, values: Values): string {
  const others = scope.map((name) => values[name]);
  return others.every((other) => other === undefined)
    ? `${referent} ${text}`
    : JSON.stringify([referent, text, ...others]);
}

/**
 * The item that a reference means. An address that nobody has is no contradiction to the ID of an end user, whose
 * address the service does not show.
 */
export function matchOf({ found, pair }: Reference): Match | undefined {
  if (found?.is === 'one') return found.match;
  const other = found?.is === 'none' && pair?.found?.is === 'one' ? pair.found.match : undefined;
  return other?.names.length === 0 && other.denied === undefined ? other : undefined;
}

/** Why a reference cannot be resolved; undefined if it can. */
export async function problemOfMissing(
  { referent, text, scope, found: result, error }: Reference,
  resolver: Resolver,
): Promise<string | undefined> {
  if (error !== undefined) return `${JSON.stringify(text)} cannot be read: ${error.message}`;
  if (result === undefined || result.is === 'one') return undefined;
  if (result.is === 'several') {
    const [, nouns] = await nounsOf(referent, scope);
    const choices = await choicesAmong(result.matches, resolver);
    const ids = choices.map(({ match: { id }, message }) => `${id} (${message})`).join(', ');
    return `${JSON.stringify(text)} matches ${choices.length} ${nouns}; give one of the IDs ${ids}`;
  }
  const { message, suggestion } = await describeMissing(referent, text, result, scope);
  return suggestion === undefined ? message : `${message}. ${suggestion}`;
}

/** Why two references of a row cannot be used together. */
export function problemOfPair(first: Reference, second: Reference): string | undefined {
  if (first.id === undefined || second.id === undefined || first.id === second.id) return undefined;
  const shown = [first, second].map(({ text, id }) =>
    text === id ? JSON.stringify(text) : `${JSON.stringify(text)} (${id})`,
  );
  return `${shown.join(' and ')} are not the same ${first.referent}`;
}
