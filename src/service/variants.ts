/**
 * Variants: the service's behaviour where the API document says "not shown" or leaves a choice. The first choice is
 * the default; clients must cope with all.
 */
/** The choices of each variant, the default first. */
export const CHOICES = {
  /** Status of the answer to a creation: the table of statuses lists 201, and no endpoint names it. */
  createdStatus: [200, 201],
  /** Body of errors other than those of the token endpoint. */
  errorBody: ['object', 'nested', 'list', 'text', 'html', 'empty'],
  /** Status of a request without a token: "Requests that lack it are answered with 403", and 401 stands in the table. */
  noTokenStatus: [403, 401],
  /** Status of a request with a token that is not, or no longer, valid. */
  badTokenStatus: [401, 403],
  /** Status of the token endpoint's errors. */
  tokenErrorStatus: [400, 401, 403, 200],
  /** `paging.nextCursor` of the last page. */
  lastCursor: ['null', 'absent', 'empty', 'no-paging'],
  /** "A page may hold fewer items than `limit`": half of them, or now and then none at all. */
  pages: ['full', 'short', 'empty'],
  /** A `limit` above the maximum, which is not shown. */
  largeLimit: ['cut', 'refused'],
  /** Blank members of answers. */
  blank: ['null', 'absent'],
  /** The answer of `GET users/userId/:email`. */
  userId: ['id', 'userId', 'text'],
  /** The lists of `checkModified` and `modifications`. */
  idLists: ['bare', 'wrapped'],
  /** The body of cancel and anonymize, which "return 200". */
  doneBody: ['empty', 'object'],
} as const;

export type Choices = { [N in keyof typeof CHOICES]: (typeof CHOICES)[N][number] };

export interface Variants extends Choices {
  /** The default number of items of a page, and its maximum. */
  defaultLimit: number;
  maxLimit: number;
  /** "Cursors are short-lived." */
  cursorLifeMs: number;
  /** Until an uploaded PDF is encrypted and its book may become active; null: never. */
  encryptionMs: number | null;
}

/** "Every endpoint has an upper maximum for `limit`": 100 for GET licenses, not shown for the others. */
export const MAX_LIMIT = 100;

export const defaultVariants = (): Variants => ({
  ...(Object.fromEntries(Object.entries(CHOICES).map(([name, [first]]) => [name, first])) as Choices),
  defaultLimit: 50,
  maxLimit: MAX_LIMIT,
  cursorLifeMs: 5 * 60_000,
  encryptionMs: 60_000,
});
