/**
 * A small reference of licences, classes and users, written from the API document and docs/service-rules.md, without
 * storage or HTTP. IDs come from the service.
 */
export interface LicenceState {
  readonly type: 'Books' | 'Teacher';
  readonly code: string;
  maximum: number;
  books: readonly string[];
  cancelled: boolean;
  readonly holders: Set<string>;
}

export interface ClassState {
  name: string;
  deleted: boolean;
  readonly users: Set<string>;
}

export interface UserState {
  firstName: string;
  anonymized: boolean;
}

export interface LicenceInput {
  readonly type: 'Books' | 'Teacher';
  readonly maximum: number;
  readonly books: readonly string[];
}

/** The status that the service must return. */
export type Verdict = 200 | 204 | 400 | 403 | 404;

export class Reference {
  readonly licences = new Map<string, LicenceState>();
  readonly classes = new Map<string, ClassState>();
  readonly users = new Map<string, UserState>();
  readonly books: ReadonlySet<string>;

  /** @param books IDs of existing books */
  constructor(books: readonly string[]) {
    this.books = new Set(books);
  }

  #booksFit({ type, books }: LicenceInput): boolean {
    return type === 'Teacher' || (books.length > 0 && books.every((book) => this.books.has(book)));
  }

  /** [licence-code-unique], [licence-code-format], [licence-books-known], [licence-books-some] */
  mayCreate(input: LicenceInput, code: string | undefined): Verdict {
    if (!this.#booksFit(input) || input.maximum < 0) return 400;
    if (code === undefined) return 200;
    const taken = [...this.licences.values()].some((licence) => licence.code === code);
    return taken || !/^[a-z0-9]+$/.test(code) ? 400 : 200;
  }

  /** [licence-type-fixed], [licence-books-change], [licence-books-fixed], [licence-maximum-covers] */
  mayUpdate(id: string, input: LicenceInput): Verdict {
    const licence = this.licences.get(id);
    if (!licence) return 404;
    if (licence.type !== input.type || input.maximum < licence.holders.size || !this.#booksFit(input)) return 400;
    const wanted = input.type === 'Teacher' ? [] : input.books;
    const same = wanted.length === licence.books.length && wanted.every((book) => licence.books.includes(book));
    return licence.holders.size > 0 && !same ? 400 : 200;
  }

  update(id: string, input: LicenceInput): void {
    const licence = this.licences.get(id);
    if (!licence) return;
    licence.maximum = input.maximum;
    licence.books = input.type === 'Teacher' ? [] : [...input.books];
  }

  /** [licence-deleted], [licence-delete-unused] */
  mayDelete(id: string): Verdict {
    const licence = this.licences.get(id);
    if (!licence) return 404;
    return licence.holders.size > 0 ? 400 : 204;
  }

  /** [licence-assigned], [licence-maximum], [licence-assign-again], [licence-cancelled-takes-nobody], [anonymized-takes-nothing] */
  mayHold(licenceId: string, userId: string): Verdict {
    const licence = this.licences.get(licenceId);
    const user = this.users.get(userId);
    if (!licence || !user || user.anonymized) return 400;
    if (licence.holders.has(userId)) return 200;
    return licence.cancelled || licence.holders.size >= licence.maximum ? 400 : 200;
  }

  /** [activations-none] */
  mayListActivations(id: string): Verdict {
    const licence = this.licences.get(id);
    if (!licence) return 404;
    return licence.holders.size > 0 ? 200 : 403;
  }

  /** [class-assigned], [class-deleted-takes-nobody], [anonymized-takes-nothing] */
  mayJoin(classId: string, userId: string): Verdict {
    const state = this.classes.get(classId);
    const user = this.users.get(userId);
    return state && !state.deleted && user && !user.anonymized ? 200 : 400;
  }

  /** [class-unassigned] */
  mayLeave(classId: string, userId: string): Verdict {
    return this.classes.has(classId) && this.users.has(userId) ? 200 : 400;
  }

  /** [class-deleted] */
  deleteClass(id: string): void {
    const state = this.classes.get(id);
    if (!state) return;
    state.deleted = true;
    state.users.clear();
  }
}
