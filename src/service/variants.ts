/** Variants: the service's behaviour where the API document says "not shown" or leaves a choice. */
/** The choices of each variant, the default first. */
export const CHOICES = {
  /** Status of a successful creation: the API document lists 201, but not for which endpoints. */
  createdStatus: [200, 201],
  /** Body of errors other than those of the token endpoint. */
  errorBody: ['object', 'nested', 'list', 'text', 'html', 'empty'],
  /** Status of a request without a token: the API document says 403, but also lists 401. */
  noTokenStatus: [403, 401],
  badTokenStatus: [401, 403],
  tokenErrorStatus: [400, 401, 403, 200],
  /** `paging.nextCursor` of the last page. */
  lastCursor: ['null', 'absent', 'empty', 'no-paging'],
  /** "A page may hold fewer items than `limit`": all, half of them, or half of them after an empty first page. */
  pages: ['full', 'short', 'empty'],
  largeLimit: ['cut', 'refused'],
  blank: ['null', 'absent'],
  /** The response of `GET users/userId/:email`. */
  userId: ['id', 'userId', 'text'],
  /** The lists of `checkModified` and `modifications`. */
  idLists: ['bare', 'wrapped'],
  /** The body of cancel and anonymize, which "return 200". */
  doneBody: ['empty', 'object'],
} as const;

/** Choices where the document can be read both ways. `strange` leaves the default, because clients may rely on either. */
export const READINGS = {
  /** `deactivationDate` of a class: only in the responses that have `schoolId`, or also by ID. */
  deactivationDate: ['details', 'always'],
  /** Its format: that of `creationDate`, or the one of timestamps. */
  deactivationFormat: ['millis', 'timestamp'],
  /** Assigning an expired licence or subscription again to a user who holds it. */
  repeatedAssignment: ['accepted', 'refused'],
} as const;

type Reading = { [N in keyof typeof READINGS]: (typeof READINGS)[N][number] };

export type Choices = Reading & { [N in keyof typeof CHOICES]: (typeof CHOICES)[N][number] };

export interface Variants extends Choices {
  defaultLimit: number;
  maxLimit: number;
  cursorLifeMs: number;
  /** Unknown members and parameters are refused, not only noted. */
  strictInput: boolean;
  /** Time until an uploaded PDF is encrypted and its book can become active; null: never. */
  encryptionMs: number | null;
}

/** "Every endpoint has an upper maximum for `limit`": 100 for GET licenses; the others are not shown. */
export const MAX_LIMIT = 100;

export const defaultVariants = (): Variants => ({
  ...(Object.fromEntries(
    Object.entries({ ...CHOICES, ...READINGS }).map(([name, [first]]) => [name, first]),
  ) as Choices),
  defaultLimit: 50,
  maxLimit: MAX_LIMIT,
  cursorLifeMs: 5 * 60_000,
  strictInput: false,
  encryptionMs: 60_000,
});
