/**
 * The types of the contract: fields, shapes and endpoints as plain data, and the TypeScript types inferred from them.
 */
import type { Column } from './columns.js';

/** The type of a field. `any` is for responses whose shape the API document does not show. */
export type Kind =
  | 'text'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'choice'
  | 'date'
  | 'timestamp'
  | 'object'
  | 'list'
  | 'file'
  | 'any';

/** What an ID can refer to. */
export type Referent =
  | 'book'
  | 'bookType'
  | 'class'
  | 'endUser'
  | 'file'
  | 'licence'
  | 'licenceCategory'
  | 'organization'
  | 'publisher'
  | 'reader'
  | 'role'
  | 'school'
  | 'subject'
  | 'subscription'
  | 'user';

export interface Condition {
  readonly field: string;
  readonly is: string;
}

/** Properties of fields of any kind. */
export interface Traits {
  readonly required?: true;
  /** Input: the field is required if the condition holds. Its field is a dotted path from the body's root. */
  readonly requiredWhen?: Condition;
  /** Response: the API document allows null. */
  readonly nullable?: true;
  /** Maximum length in characters (API document, "Limits"). */
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** What an ID refers to, for completion, choices and lookups. */
  readonly refersTo?: Referent;
  /** Input: path of the value in responses, if the name differs (`stream` is read as `level`). */
  readonly readAs?: string;
  /** Input: false if responses contain it in another form, so that it can be neither compared nor sent again. */
  readonly readBack?: false;
  /** Object: the field that identifies it; `id` by default, if there is such a field. */
  readonly id?: string | undefined;
  /** Object: the path that `-o ids` prints, if it is not the ID. */
  readonly prints?: string | undefined;
  /** The choices are those known so far. Others may exist and are passed through. */
  readonly open?: true;
  /** Format of a date or timestamp, in the notation of the API document. */
  readonly format?: string;
  readonly default?: string;
}

/** A field of any kind. Members that only some kinds have are optional. */
export interface Field extends Traits {
  readonly kind: Kind;
  /** For help pages and the reference: without capital and full stop. */
  readonly description: string;
  readonly choices?: readonly (string | number)[];
  readonly of?: Field;
  readonly fields?: Fields;
  readonly name?: string;
  readonly columns?: readonly Column[] | undefined;
}

export type Fields = { readonly [name: string]: Field };

type Make<K extends Kind, O> = { readonly kind: K; readonly description: string } & (O extends Traits ? O : unknown);

const make = <K extends Kind, const O extends Traits>(kind: K, description: string, traits?: O): Make<K, O> =>
  ({ kind, description, ...traits }) as unknown as Make<K, O>;

const field =
  <const K extends Kind>(kind: K) =>
  <const O extends Traits>(description: string, traits?: O) =>
    make(kind, description, traits);

/** A string. IDs, EANs and codes are text too, because they may have leading zeros. */
export const text = field('text');
export const number = field('number');
export const integer = field('integer');
export const boolean = field('boolean');
/** A calendar day, `yyyy-MM-dd`. */
export const date = <const O extends Traits>(description: string, traits?: O) =>
  make('date', description, { format: 'yyyy-MM-dd', ...traits } as O & { format: string });
/** A point in time. @param traits `format` describes its notation */
export const timestamp = field('timestamp');
/** A file in a multipart body. */
export const file = field('file');
/** A response whose shape the API document does not show. */
export const any = (description: string) => make('any', description);

/** One of a set of values. */
export const choice = <const C extends readonly (string | number)[], const O extends Traits>(
  choices: C,
  description: string,
  traits?: O,
) => ({ ...make('choice', description, traits), choices });

export const list = <const F extends Field, const O extends Traits>(of: F, description: string, traits?: O) => ({
  ...make('list', description, traits),
  of,
});

const identified = (fields: Fields): { readonly id?: string } => (Object.hasOwn(fields, 'id') ? { id: 'id' } : {});

export const object = <const F extends Fields, const O extends Traits>(fields: F, description: string, traits?: O) => ({
  ...identified(fields),
  ...make('object', description, traits),
  fields,
});

/** A named object that an endpoint returns. Columns of missing fields are left out, so variants can share columns. */
export const shape = <const F extends Fields>(
  name: string,
  description: string,
  fields: F,
  facts: Pick<Field, 'id' | 'prints' | 'columns'> = {},
) => ({ ...identified(fields), ...facts, kind: 'object' as const, description, name, fields });

/** The same resource in other responses: other fields with the name, ID and columns of the shape. */
export const variant = <const F extends Fields>(
  { name, id, prints, columns }: Pick<Field, 'id' | 'prints' | 'columns'> & { readonly name: string },
  description: string,
  fields: F,
) => shape(name, description, fields, { id, prints, columns });

/** How a call may be repeated after an unknown outcome. Depends on the endpoint, not on its method. */
export type Repeat =
  /** Repeating it changes nothing: reads, and writes addressed by ID. */
  | 'safe'
  /** Creates an item with a natural key: it is looked up by `key` before the call is repeated. */
  | 'keyed'
  /** Creates an item that no field identifies: never repeated automatically. */
  | 'unkeyed';

export interface ListAnswer {
  /** The member of the response that contains the items; null if the response is an array. */
  readonly key: string | null;
  readonly of: Field;
  /** The list is read in pages with `limit` and `cursor`. */
  readonly paged?: true;
  readonly maxPerPage?: number;
  /** Which items it holds, behind their noun in messages: `that your organization created`. Left out: all, or as requested. */
  readonly scope?: string;
}

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path below the base URL, with `{name}` for path parameters. */
  readonly path: string;
  /** One sentence for help pages and the reference. */
  readonly description: string;
  readonly params?: Fields;
  readonly query?: Fields;
  readonly body?: Fields;
  /** Encoding of the body; `json` if left out. Names in multipart bodies are dotted paths: `settings.indexPageNumber`. */
  readonly encoding?: 'json' | 'multipart' | 'form';
  /** The response body. Without `returns` and `list`, it is empty. */
  readonly returns?: Field;
  readonly list?: ListAnswer;
  readonly repeat: Repeat;
  /** The body field that identifies the item of a keyed create. */
  readonly key?: string;
  readonly destroys?: true;
  /** For an assignment: the field of the item that names its users, and whether the user is among them afterwards. */
  readonly assigns?: { readonly in: string; readonly is: boolean };
  /** The error statuses that the API document lists. */
  readonly errors: readonly number[];
  /** False for the two OAuth endpoints, which need no access token. */
  readonly authenticated?: false;
}

type Facts = Omit<Partial<Endpoint>, 'method' | 'path' | 'description'>;

/** Declares endpoints with the exact types of their fields. Unless stated, a POST is `unkeyed` and all others `safe`. */
const endpoint =
  <M extends Endpoint['method']>(method: M) =>
  <const P extends string, const E extends Facts>(path: P, description: string, facts: E) =>
    ({
      method,
      path,
      description,
      repeat: method === 'POST' ? 'unkeyed' : 'safe',
      errors: [],
      ...facts,
    }) as unknown as E & {
      readonly method: M;
      readonly path: P;
    } & Pick<Endpoint, 'description' | 'repeat' | 'errors'>;

export const get = endpoint('GET');
export const post = endpoint('POST');
export const put = endpoint('PUT');
export const del = endpoint('DELETE');

// ---- types inferred from the data ----------------------------------------------------------------------------------

type Choice<F> = F extends { readonly choices: readonly (infer C)[] }
  ? F extends { readonly open: true }
    ? C | (string & {})
    : C
  : never;

type Plain<F> = F extends { readonly kind: 'text' | 'date' | 'timestamp' }
  ? string
  : F extends { readonly kind: 'number' | 'integer' }
    ? number
    : F extends { readonly kind: 'boolean' }
      ? boolean
      : F extends { readonly kind: 'choice' }
        ? Choice<F>
        : unknown;

/** The value of a field in responses. */
export type Answer<F> = F extends { readonly kind: 'object'; readonly fields: infer S }
  ? AnswerFields<S> | (F extends { readonly nullable: true } ? null : never)
  : F extends { readonly kind: 'list'; readonly of: infer I }
    ? Answer<I>[] | (F extends { readonly nullable: true } ? null : never)
    : Plain<F> | (F extends { readonly nullable: true } ? null : never);

type AnswerFields<S> = { -readonly [K in keyof S]: Answer<S[K]> };

/** A file to upload. `size` is in bytes; each call of `open` reads the file anew. */
export interface FilePart {
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** The value of a field in requests. @typeParam U the value of files: the service receives other objects than it is sent */
export type Input<F, U = FilePart> = F extends { readonly kind: 'object'; readonly fields: infer S }
  ? InputFields<S, U>
  : F extends { readonly kind: 'list'; readonly of: infer I }
    ? readonly Input<I, U>[]
    : F extends { readonly kind: 'file' }
      ? U
      : Plain<F>;

type Needed<S> = { [K in keyof S]: S[K] extends { readonly required: true } ? K : never }[keyof S];

/** An object in requests; only required fields must be present. */
export type InputFields<S, U = FilePart> = { readonly [K in Needed<S>]: Input<S[K], U> } & {
  readonly [K in Exclude<keyof S, Needed<S>>]?: Input<S[K], U>;
};

type Part<E, K extends 'params' | 'query' | 'body'> = E extends { readonly [P in K]: infer S }
  ? [Needed<S>] extends [never]
    ? { readonly [P in K]?: InputFields<S> }
    : { readonly [P in K]: InputFields<S> }
  : unknown;

/** The input of a call: path parameters, query and body, as far as the endpoint has them. */
export type CallOf<E> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>;

/** An item of the list that an endpoint returns. */
export type ItemOf<E> = E extends { readonly list: { readonly of: infer F } } ? Answer<F> : never;

/** The response of an endpoint that does not return a list. */
export type AnswerOf<E> = E extends { readonly returns: infer F } ? Answer<F> : undefined;
