/** Lets expressions work with numbers that JavaScript cannot represent, and prints them as they were read. */
import { exactJson, JsonText, mayHoldExactNumbers, putNumber, tokenAt } from '../../core/exact-json.js';

/** The next larger double. @param value a positive number */
function nextUp(value: number): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  view.setBigUint64(0, view.getBigUint64(0) + 1n);
  return view.getFloat64(0);
}

/** The numbers of one evaluation: each token is a different double, near its value, so that it can be found again. */
export class QueryNumbers {
  readonly #tokens = new Map<number, string>();
  readonly #doubles = new Map<string, number>();

  #doubleOf(token: string): number {
    const known = this.#doubles.get(token);
    if (known !== undefined) return known;
    const sign = token.startsWith('-') ? -1 : 1;
    let size = Math.abs(Number(token));
    while (this.#tokens.has(sign * size)) size = nextUp(size);
    this.#doubles.set(token, sign * size);
    this.#tokens.set(sign * size, token);
    return sign * size;
  }

  /** A copy of the data in which all numbers are JavaScript numbers; the data itself if that holds already. */
  toNumbers(value: unknown): unknown {
    return mayHoldExactNumbers() ? this.#copy(value) : value;
  }

  #copy(value: unknown): unknown {
    if (typeof value === 'number' && !Number.isSafeInteger(value) && Number.isInteger(value)) {
      return this.#doubleOf(String(value));
    }
    if (typeof value !== 'object' || value === null) return value;
    if (value instanceof JsonText) return this.#doubleOf(value.text);
    const member = (key: string, inner: unknown): unknown => {
      const token = tokenAt(value, key);
      return token === undefined || !Number.isFinite(Number(token)) ? this.#copy(inner) : this.#doubleOf(token);
    };
    if (Array.isArray(value)) return value.map((inner, index) => member(String(index), inner));
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, member(key, inner)]));
  }

  /** Puts the tokens back. The value itself, and an item of a list, become a `JsonText`. */
  toTokens(value: unknown): unknown {
    if (this.#tokens.size === 0) return value;
    return Array.isArray(value) ? value.map((item) => this.#restored(item)) : this.#restored(value);
  }

  #restored(value: unknown): unknown {
    if (typeof value === 'number') {
      const token = this.#tokens.get(value);
      return token === undefined ? value : new JsonText('', token);
    }
    if (typeof value !== 'object' || value === null) return value;
    const result: object = Array.isArray(value) ? [] : {};
    for (const [key, inner] of Object.entries(value)) {
      const found = this.#restored(inner);
      const plain = found instanceof JsonText ? null : found;
      Object.defineProperty(result, key, { value: plain, enumerable: true, writable: true, configurable: true });
      if (found instanceof JsonText) putNumber(result, key, found.text);
    }
    return result;
  }

  /** Like the function `to_string`. */
  text(value: unknown): string {
    return typeof value === 'string' ? value : exactJson(this.#restored(value));
  }
}
