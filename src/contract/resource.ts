/** The description of resources: endpoints, shapes and keys of licences, classes, users and others. */
import type { Endpoint, Field, Fields, Referent } from './vocabulary.js';

/** Endpoints by name; `list`, `get`, `create` and `update` have the meaning that their names say. */
export type Endpoints = { readonly [name: string]: Endpoint };

/** A way to name one item besides its id. */
export interface Written<F extends string = string, E extends string = string> {
  /** The field that holds the name; several are joined by a blank. */
  readonly field: F | readonly F[];
  /** What the field is called in messages: `EAN`. */
  readonly noun: string;
  /** Must stand before the name: `code:`. */
  readonly prefix?: string;
  /** Matches a name that stands without the prefix; anything may be a name if both are left out. */
  readonly form?: RegExp;
  /** The endpoint that finds the item by this name; its list is searched if left out. */
  readonly through?: E;
}

/** How a create whose outcome is unknown is found again. */
export type Recognised<F extends string = string, E extends string = string> =
  /** By a natural key. `unique`: the service refuses a second item with the same key. `through`: endpoints to call in turn, each with what the one before returned; the list is searched if left out. `orListed`: the list may show what these endpoints may not. */
  | {
      readonly by: 'key';
      readonly field: F;
      readonly unique: boolean;
      readonly through?: readonly E[];
      readonly orListed?: true;
    }
  /** By fields of the create's body that its list shows. `shows`: the list has only what belongs to the caller's own organization. `distinct`: no two in one list are meant to be equal. */
  | { readonly by: 'equality'; readonly fields: readonly F[]; readonly shows?: 'own'; readonly distinct?: true }
  /** Not at all. `advice`: what to do instead of looking. */
  | { readonly by: 'nothing'; readonly advice: string };

/** How what was created is taken back: by an endpoint, unless a field of the item holds a number above zero; then by another. */
export interface Undo<F extends string = string, E extends string = string> {
  readonly by: E;
  readonly unless?: F;
  readonly else?: E;
}

/** Everything that is known of a resource. Holds data only: no functions. */
export interface Resource {
  /** The word of its command group, of exports and, mostly, of its paths. */
  readonly name: string;
  /** One of them and several, as messages call them. */
  readonly noun: readonly [one: string, several: string];
  /** The kind of reference that points to it, if any field does. */
  readonly refersTo?: Referent;
  readonly endpoints: Endpoints;
  /** An item as a list shows it; carries its id and its columns. */
  readonly shape: Field & { readonly fields: Fields };
  /** How a picker shows one: `{name} ({code})`. */
  readonly label: string;
  /** The fields in which people look for one. */
  readonly search: readonly string[];
  /** The field by which people know an item, where it has one. */
  readonly natural: string | null;
  /** What may be written in place of its id, the most exact first. */
  readonly written: readonly Written[];
  /** The fields that tell items of an export apart, in sort order; its id if left out. */
  readonly exportKey?: readonly string[];
  readonly recognised?: Recognised;
  readonly undo?: Undo;
}

type NameOf<T> = keyof T & string;
type BodyOf<E> = E extends { readonly body: infer B } ? NameOf<B> : never;
/** Names of the fields of an answer, and of the fields in those that are objects. */
type PathOf<F> = {
  [N in NameOf<F>]: F[N] extends { readonly fields: infer I } ? N | `${N}.${NameOf<I>}` : N;
}[NameOf<F>];

type Facts<E extends Endpoints, S extends Resource['shape']> = {
  readonly name: string;
  readonly noun: readonly [string, string];
  readonly refersTo?: Referent;
  readonly endpoints: E;
  readonly shape: S;
  readonly label: string;
  readonly search: readonly PathOf<S['fields']>[];
  readonly natural: NameOf<S['fields']> | null;
  readonly written: readonly Written<PathOf<S['fields']>, NameOf<E>>[];
  readonly exportKey?: readonly string[];
  readonly undo?: Undo<NameOf<S['fields']>, NameOf<E>>;
} & (E extends { readonly create: infer C } ? { readonly recognised: Recognised<BodyOf<C>, NameOf<E>> } : unknown);

const resources = new WeakMap<Endpoint, Resource>();

/** Declares a resource. Each of its endpoints leads to it from then on: `resourceOf`. */
export function resource<const N extends string, const E extends Endpoints, const S extends Resource['shape']>(
  facts: Facts<E, S> & { readonly name: N },
): Resource & { readonly name: N; readonly endpoints: E; readonly shape: S } {
  for (const endpoint of Object.values(facts.endpoints)) resources.set(endpoint, facts);
  return facts;
}

/** The resource that an endpoint is about; undefined for those of OAuth. */
export const resourceOf = (endpoint: Endpoint): Resource | undefined => resources.get(endpoint);

/**
 * An item as people know it, by the label of its resource.
 * @param item as a list shows it; a field that it lacks is left blank
 */
export function labelOf({ label }: Pick<Resource, 'label'>, item: unknown): string {
  const fields = item as Readonly<Record<string, unknown>>;
  return label.replace(/\{(\w+)\}/g, (_, name: string) => String(fields[name] ?? ''));
}
