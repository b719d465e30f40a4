/**
 * The types of the contract: fields, shapes and endpoints as plain data, and the TypeScript types inferred from them.
 */
import type { Column } from './columns.js';

/** What a field holds. `any` is for answers whose shape the API document does not show. */
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

/** The things that an id can point to. */
export type Referent =
  | 'book'
  | 'bookType'
  | 'class'
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

/** A field is needed only when another field of the same object has this value. */
export interface Condition {
  readonly field: string;
  readonly is: string;
}

/** What can be said about any field besides its kind. */
export interface Traits {
  /** Input: the field must be given. */
  readonly required?: true;
  /** Input: the field must be given when the condition holds (dotted path from the body's root). */
  readonly requiredWhen?: Condition;
  /** Answer: null is a documented value. */
  readonly nullable?: true;
  /** Longest text in characters (API document, "Limits"). */
  readonly maxLength?: number;
  /** Smallest number. */
  readonly minimum?: number;
  /** What an id points to, so that it can be completed, chosen from a list or looked up. */
  readonly refersTo?: Referent;
  /** Input: the path under which an answer shows this value, when it is another name (`stream` is read as `level`). */
  readonly readAs?: string;
  /** Input: answers show it in another form, so that it can be neither compared nor sent back. */
  readonly readBack?: false;
  /** Object: the field that tells one from another; set to `id` where there is one of that name. */
  readonly id?: string | undefined;
  /** Object: the path that `-o ids` prints, where that is not its id. */
  readonly prints?: string | undefined;
  /** The choices are those seen so far; others may exist and are passed through. */
  readonly open?: true;
  /** Written form of a date or timestamp, in the notation of the API document. */
  readonly format?: string;
  /** Input: value that the service assumes when the field is left out. */
  readonly default?: string;
}

/** One field of any kind. The kinds' own members are optional here, so that readers can walk any contract. */
export interface Field extends Traits {
  readonly kind: Kind;
  /** A phrase for help pages and references: no capital, no full stop. */
  readonly description: string;
  readonly choices?: readonly (string | number)[];
  readonly of?: Field;
  readonly fields?: Fields;
  /** The name of a shape, such as `Book`. */
  readonly name?: string;
  /** The columns of its table. */
  readonly columns?: readonly Column[] | undefined;
}

export type Fields = { readonly [name: string]: Field };

type Make<K extends Kind, O> = { readonly kind: K; readonly description: string } & (O extends Traits ? O : unknown);

const make = <K extends Kind, const O extends Traits>(kind: K, description: string, traits?: O): Make<K, O> =>
  ({ kind, description, ...traits }) as unknown as Make<K, O>;

/** A string. Ids, EANs and codes are text as well: they may have leading zeros. */
export const text = <const O extends Traits>(description: string, traits?: O) => make('text', description, traits);
export const number = <const O extends Traits>(description: string, traits?: O) => make('number', description, traits);
export const integer = <const O extends Traits>(description: string, traits?: O) =>
  make('integer', description, traits);
export const boolean = <const O extends Traits>(description: string, traits?: O) =>
  make('boolean', description, traits);
/** A calendar day, `yyyy-MM-dd`. */
export const date = <const O extends Traits>(description: string, traits?: O) =>
  make('date', description, { format: 'yyyy-MM-dd', ...traits } as O & { format: string });
/** A point in time, in the written form that `format` names. */
export const timestamp = <const O extends Traits>(description: string, traits?: O) =>
  make('timestamp', description, traits);
/** A part of a multipart body that holds a file's bytes. */
export const file = <const O extends Traits>(description: string, traits?: O) => make('file', description, traits);
/** An answer whose shape the API document does not show. */
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

/** A named object: what an endpoint returns. Columns of fields that it lacks are left out, so that variants share them. */
export const shape = <const F extends Fields>(
  name: string,
  description: string,
  fields: F,
  facts: Pick<Field, 'id' | 'prints' | 'columns'> = {},
) => ({ ...identified(fields), ...facts, kind: 'object' as const, description, name, fields });

/** The same resource in other answers: another set of fields under the name, id and columns of its shape. */
export const variant = <const F extends Fields>(
  { name, id, prints, columns }: Pick<Field, 'id' | 'prints' | 'columns'> & { readonly name: string },
  description: string,
  fields: F,
) => shape(name, description, fields, { id, prints, columns });

/** How a call may be repeated after an unknown outcome; a property of the endpoint, never of its verb. */
export type Repeat =
  /** Sending it again changes nothing more: reads, and writes addressed by id. */
  | 'safe'
  /** Creates something with a natural key: look it up by `key` first, then send again. */
  | 'keyed'
  /** Creates something that no field tells apart from another of its kind: never sent again by itself. */
  | 'unkeyed';

export interface ListAnswer {
  /** The member of the answer that holds the items; `null` when the answer is a bare array. */
  readonly key: string | null;
  readonly of: Field;
  /** The collection is read page by page with `limit` and `cursor`. */
  readonly paged?: true;
  /** Maximum number of items the service gives on a page, where the API document says it. */
  readonly mostPerPage?: number;
}

export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path under the base URL, with `{name}` for each path segment that the caller fills in. */
  readonly path: string;
  /** One sentence, for help and references. */
  readonly description: string;
  readonly params?: Fields;
  readonly query?: Fields;
  readonly body?: Fields;
  /** How the body is sent; `json` unless said otherwise. Multipart names are flat: `settings.indexPageNumber`. */
  readonly encoding?: 'json' | 'multipart' | 'form';
  /** The answer's body. Neither `returns` nor `list`: the body is empty. */
  readonly returns?: Field;
  readonly list?: ListAnswer;
  readonly repeat: Repeat;
  /** The body field by which a keyed create is recognised. */
  readonly key?: string;
  /** What the call takes away can't be brought back. */
  readonly destroys?: true;
  /** The service answers 403 as long as this is so. */
  readonly forbiddenWhile?: string;
  /** The statuses besides success that the API document lists for this endpoint. */
  readonly errors: readonly number[];
  /** False for the two OAuth endpoints: the call carries no access token. */
  readonly authenticated?: false;
}

/** Declares one endpoint, keeping the exact types of its fields. */
export const endpoint = <const E extends Endpoint>(row: E): E => row;

// ---- types that follow from the data -------------------------------------------------------------------------------

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

/** The value that an answer holds for a field. */
export type Answer<F> = F extends { readonly kind: 'object'; readonly fields: infer S }
  ? AnswerFields<S> | (F extends { readonly nullable: true } ? null : never)
  : F extends { readonly kind: 'list'; readonly of: infer I }
    ? Answer<I>[] | (F extends { readonly nullable: true } ? null : never)
    : Plain<F> | (F extends { readonly nullable: true } ? null : never);

type AnswerFields<S> = { -readonly [K in keyof S]: Answer<S[K]> };

/** What `edu` reads a file part from: a name, a content type, the size in bytes, and the bytes, readable once per call. */
export interface FilePart {
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** The value that a caller gives for a field. */
export type Input<F> = F extends { readonly kind: 'object'; readonly fields: infer S }
  ? InputFields<S>
  : F extends { readonly kind: 'list'; readonly of: infer I }
    ? readonly Input<I>[]
    : F extends { readonly kind: 'file' }
      ? FilePart
      : Plain<F>;

type Needed<S> = { [K in keyof S]: S[K] extends { readonly required: true } ? K : never }[keyof S];

/** An object of fields as a caller gives it: required ones must be there. */
export type InputFields<S> = { readonly [K in Needed<S>]: Input<S[K]> } & {
  readonly [K in Exclude<keyof S, Needed<S>>]?: Input<S[K]>;
};

type Part<E, K extends 'params' | 'query' | 'body'> = E extends { readonly [P in K]: infer S }
  ? [Needed<S>] extends [never]
    ? { readonly [P in K]?: InputFields<S> }
    : { readonly [P in K]: InputFields<S> }
  : unknown;

/** What a call of this endpoint needs: path parameters, query and body, each only where the endpoint has it. */
export type CallOf<E> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>;

/** One item of the list that this endpoint answers with. */
export type ItemOf<E> = E extends { readonly list: { readonly of: infer F } } ? Answer<F> : never;

/** The whole answer of an endpoint that does not answer with a list. */
export type AnswerOf<E> = E extends { readonly returns: infer F } ? Answer<F> : undefined;
