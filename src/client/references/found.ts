/** The outcome of looking up a reference: one item, several, or none. */
import type { OrganizationReference, OrganizationType } from '../../contract/shared.js';
import type { EduError } from '../../core/errors.js';
import type { Match } from './item-index.js';

/** Where names are looked up; left out: by default. */
export interface Scope {
  /** The organization of users and roles, or the school of classes; by default all lists of the caller. */
  readonly organization?: OrganizationReference | undefined;
  /** The type of a referenced organization. */
  readonly type?: OrganizationType | undefined;
}

/** The items that a reference can mean. */
export interface Listed {
  readonly matches: readonly Match[];
  /** True if there are more items than requested. */
  readonly isCut: boolean;
  /** The only organization or school whose lists were read, if it is not the caller's. */
  readonly organization?: OrganizationReference;
  /** The items among them that a text means, its prefix included. */
  readonly find: (typed: string) => readonly Match[];
}

export type Found =
  | { readonly is: 'one'; readonly match: Match }
  | { readonly is: 'several'; readonly matches: readonly Match[] }
  /** An item has the key, but the caller may not see it. */
  | { readonly is: 'hidden' }
  | {
      readonly is: 'none';
      /** Similar keys and names. */
      readonly closest: readonly string[];
      /** True if the caller may read a list that contains names. */
      readonly isRead: boolean;
      /** The only organization or school whose lists were read, if it is not the caller's. */
      readonly organization?: OrganizationReference;
      /** The lists that the caller may not read. */
      readonly unread?: readonly string[];
      /** True if the lists of all organizations that the caller owns were read. */
      readonly isEverywhere?: true;
      /** The response to the request for the ID. */
      readonly cause?: EduError;
    };

/** One of many references. */
export interface Wanted {
  readonly text: string;
  readonly scope: Scope;
  found?: Found;
  /** The response that prevents it from being looked up. */
  error?: EduError;
}

export const one = (match: Match): Found => ({ is: 'one', match });

/** @returns undefined for no items */
export const oneOf = (matches: readonly Match[]): Found | undefined => {
  const [first, ...others] = matches;
  if (first === undefined) return undefined;
  return others.length === 0 ? one(first) : { is: 'several', matches };
};

/** Equal for equal scopes. */
export const scopeKey = ({ organization, type }: Scope): string =>
  JSON.stringify([organization?.type, organization?.id, type]);
