/** The types of resources: their endpoints, shapes and keys. */
import type { OrganizationType } from './shared.js';
import type { Endpoint, Field, Fields, Referent } from './vocabulary.js';

/** Endpoints by name. `list`, `get`, `create` and `update` are used by generic commands. */
export type Endpoints = { readonly [name: string]: Endpoint };

/** A way to refer to an item other than by ID. */
export interface Written<F extends string = string, E extends string = string> {
  /** The field with the name. Several fields are joined by a space. */
  readonly field: F | readonly F[];
  /** Name of the field in messages, such as `EAN`. */
  readonly noun: string;
  /** May precede it, such as `code:`. */
  readonly prefix?: string;
  /**
   * Set for a key, which identifies an item; left out for a name. `code`: lowercase; `address`: in any case; `number`:
   * also written with hyphens and without leading zeros.
   */
  readonly key?: 'code' | 'address' | 'number';
  /** Matches every key of this kind, so that no other text is looked up as one. */
  readonly form?: RegExp;
  /** The endpoint that finds the item by this name. If left out, the list is searched. */
  readonly through?: E;
}

/** How the item of a create with unknown outcome is found. */
export type Recognised<F extends string = string, E extends string = string> =
  /**
   * By a natural key. `unique`: the service refuses a second item with the same key. `through`: endpoints to call in
   * turn, each with the result of the previous one; if left out, the list is searched. `orListed`: the list is searched
   * too, because it may contain items that these endpoints refuse to return.
   */
  | {
      readonly by: 'key';
      readonly field: F;
      readonly unique: boolean;
      readonly through?: readonly E[];
      readonly orListed?: true;
    }
  /**
   * By comparing fields of the request body with the list. `shows: 'own'`: the list contains only items of the caller's
   * own organization. `distinct`: two equal items in a list are a mistake.
   */
  | { readonly by: 'equality'; readonly fields: readonly F[]; readonly shows?: 'own'; readonly distinct?: true }
  /** Not at all. `advice`: what the user can do instead. */
  | { readonly by: 'nothing'; readonly advice: string };

/** How a create is undone: by endpoint `by`, or by endpoint `else` if the item's field `unless` is above zero. */
export interface Undo<F extends string = string, E extends string = string> {
  readonly by: E;
  readonly unless?: F;
  readonly else?: E;
}

/** Which lists contain the items that a name can mean. Left out: all items that the caller may list. */
export interface Within {
  /** The flags that name the school or organization, in order of precedence; by default that of the command. */
  readonly flags: Readonly<Record<string, 'organization' | 'school'>>;
  /** The flag or argument of an item whose `organization` is meant if none of `flags` is given. */
  readonly of?: string;
  /** Without `flags`, also the organizations of this type that the caller owns. */
  readonly owned?: OrganizationType;
}

/** Describes a resource with data only, without functions. */
export interface Resource {
  /** Its name in commands, in exports and usually in paths. */
  readonly name: string;
  /** Singular and plural for messages. */
  readonly noun: readonly [one: string, several: string];
  /** The kind of reference to it, if any field refers to it. */
  readonly refersTo?: Referent;
  /** Set if each item is an organization of this type. */
  readonly organizationType?: OrganizationType;
  readonly within?: Within;
  /** Takes the IDs of items that `get` does not return. */
  readonly takesAnyId?: Endpoint;
  readonly endpoints: Endpoints;
  /** An item as returned by the list, with ID and columns. */
  readonly shape: Field & { readonly fields: Fields };
  /** Fields that `edu` adds to the items of lists, and ignores when it reads them. */
  readonly addedFields?: Fields;
  /** How an item is displayed in a choice, such as `{name} ({code})`. */
  readonly label: string;
  /** The fields that a search looks at. */
  readonly search: readonly string[];
  /** The field that people know items by, if any. */
  readonly natural: string | null;
  /** What can be given instead of its ID, the most exact first. */
  readonly written: readonly Written[];
  /** The fields that identify an item of an export, in sort order; the ID if left out. */
  readonly exportKey?: readonly string[];
  readonly recognised?: Recognised;
  readonly undo?: Undo;
}

type NameOf<T> = keyof T & string;
type BodyOf<E> = E extends { readonly body: infer B } ? NameOf<B> : never;
/** Names of fields, and paths of the fields of nested objects. */
type PathOf<F> = {
  [N in NameOf<F>]: F[N] extends { readonly fields: infer I } ? N | `${N}.${NameOf<I>}` : N;
}[NameOf<F>];

type Facts<E extends Endpoints, S extends Resource['shape']> = Omit<Resource, 'recognised'> & {
  readonly endpoints: E;
  readonly shape: S;
  readonly search: readonly PathOf<S['fields']>[];
  readonly natural: NameOf<S['fields']> | null;
  readonly written: readonly Written<PathOf<S['fields']>, NameOf<E>>[];
  readonly undo?: Undo<NameOf<S['fields']>, NameOf<E>>;
} & (E extends { readonly create: infer C } ? { readonly recognised: Recognised<BodyOf<C>, NameOf<E>> } : unknown);

const resources = new Map<Endpoint, Resource>();

/** Declares a resource and registers its endpoints for `resourceOf`. */
export function resource<const N extends string, const E extends Endpoints, const S extends Resource['shape']>(
  facts: Facts<E, S> & { readonly name: N },
): Resource & { readonly name: N; readonly endpoints: E; readonly shape: S } {
  for (const endpoint of Object.values(facts.endpoints)) resources.set(endpoint, facts);
  return facts;
}

/** The resource of an endpoint; undefined for the OAuth endpoints. */
export const resourceOf = (endpoint: Endpoint): Resource | undefined => resources.get(endpoint);

/** True for a literal segment of the paths of a resource: an ID `subjects` would reach `books/subjects`. */
export function isSegment({ endpoints }: Resource, id: string): boolean {
  const [base] = endpoints.get?.path.split('{') ?? [];
  return [...resources.keys()].some(({ path }) => path === `${base}${id}` || path.startsWith(`${base}${id}/`));
}

/** The field of a body for the ID of an item of the resource. */
export const fieldFor = ({ body = {} }: Endpoint, { refersTo }: Pick<Resource, 'refersTo'>): string =>
  Object.keys(body).find((name) => body[name]?.refersTo === refersTo) ?? 'id';

/** What a reference to this resource can be, such as `ID, code or name`. */
export const waysOf = ({ written }: Pick<Resource, 'written'>): readonly string[] => [
  'ID',
  ...written.map(({ noun }) => noun),
];

/** Describes an item with the label of its resource. @param item as returned by a list; blank fields are left out */
export function labelOf({ label }: Pick<Resource, 'label'>, item: unknown): string {
  const fields = item as Readonly<Record<string, unknown>>;
  const shown = (name: string): unknown => (typeof fields[name] === 'object' ? '' : (fields[name] ?? ''));
  return label.replace(/\{(\w+)\}/g, (_, name: string) => String(shown(name))).replace(/ ?(?:<>|\(\))/, '');
}
