/** Collects what is wrong with a roster and what is left out, while it is read. */
import type { Problem } from '../../core/errors.js';
import { getOrSet } from '../../core/maps.js';

interface Group {
  readonly first: { readonly where: string; readonly message: string };
  count: number;
}

const counted = ({ first: { where, message }, count }: Group): Problem => ({
  where: count === 1 ? where : `${where} and ${count - 1} more`,
  message,
});

export class Findings {
  readonly #problems = new Map<string, Group>();
  readonly #notes = new Map<string, Group>();
  /** Why rows cannot be used, by file and line. */
  readonly rows = new Map<string, string[]>();
  /** Whether there is a problem that is not one of single rows. */
  isUnusable = false;

  /** Adds a problem. @param at the row, if only one has the problem, so that the others can be used without it */
  readonly problem = (where: string, message: string, at?: string): void => {
    if (at === undefined) this.isUnusable = true;
    else this.skip(at, message);
    getOrSet(this.#problems, message, () => ({ first: { where, message }, count: 0 })).count++;
  };

  /** Adds a problem of one row. */
  readonly row = (at: string, message: string): void => this.problem(at, message, at);

  /** Notes why a row cannot be used, if the problem was added for another one. */
  skip(at: string, reason: string): void {
    getOrSet(this.rows, at, () => []).push(reason);
  }

  /** Counts data that is left out. */
  note(what: string, where: string): void {
    getOrSet(this.#notes, what, () => ({ first: { where, message: what }, count: 0 })).count++;
  }

  /** Equal problems once, with the first place and their number. */
  get problems(): readonly Problem[] {
    return [...this.#problems.values()].map(counted);
  }

  get notes(): readonly string[] {
    return [...this.#notes.values()].map(({ first: { where, message }, count }) =>
      count === 1 ? `${message}: ${where}` : `${message}: ${count} times, first ${where}`,
    );
  }
}
