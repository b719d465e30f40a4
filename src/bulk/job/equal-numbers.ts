/** Numbers equal rows of an input, from 0. The number is part of a row's identity. */
import { seenKeys } from '../../core/seen-keys.js';

/** Gives equal texts different numbers: the wanted one if it is free, else the lowest free one. */
class Numbers {
  readonly #taken = seenKeys();
  /** The lowest number of a text that may be free, plus 1. */
  readonly #next = seenKeys();

  has(text: string, number: number): boolean {
    return this.#taken.get(`${number}\n${text}`) !== undefined;
  }

  /** @param others numbers that are not free, either */
  take(text: string, wanted?: number, others?: Numbers): number {
    const isFree = (number: number): boolean => !this.has(text, number) && others?.has(text, number) !== true;
    if (wanted !== undefined && isFree(wanted)) return this.#note(text, wanted);
    let number = (this.#next.get(text) ?? 1) - 1;
    while (!isFree(number)) number++;
    this.#next.set(text, number + 2);
    return this.#note(text, number);
  }

  #note(text: string, number: number): number {
    this.#taken.set(`${number}\n${text}`, 1);
    return number;
  }
}

/**
 * Numbers rows in two passes. Rows of a results file that name their item keep its number, so that an equal row added to
 * the file counts after them and is another item.
 */
export class EqualNumbers {
  readonly #reserved = new Numbers();
  readonly #named = new Numbers();
  readonly #others = new Numbers();

  /** First pass. @param wanted the number in a results file, if it has one */
  reserve(text: string, wanted: number | undefined): void {
    this.#reserved.take(text, wanted);
  }

  /** Second pass: a row that was reserved, in the same order. */
  reserved(text: string, wanted: number | undefined): number {
    return this.#named.take(text, wanted);
  }

  /** Second pass: any other row. */
  other(text: string): number {
    return this.#others.take(text, undefined, this.#reserved);
  }
}
