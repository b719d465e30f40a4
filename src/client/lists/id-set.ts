/** A set of IDs at about 16 bytes each, so that a restarted list of a million items repeats none. */

/** Slots at first; a power of two. A slot is two words of a hash; the second is 0 while it is empty. */
const FIRST_SLOTS = 1024;
const MAX_LOAD = 0.75;

/** Adds a hash by linear probing. @returns false if it was in the table */
function put(words: Uint32Array, low: number, high: number): boolean {
  for (let at = (low * 2) & (words.length - 1); ; at = (at + 2) & (words.length - 1)) {
    if (words[at] === low && words[at + 1] === high) return false;
    if (words[at + 1] === 0) {
      words[at] = low;
      words[at + 1] = high;
      return true;
    }
  }
}

/** A set of strings, of which it stores 64-bit hashes: a million have a collision in 1 of 40 million cases. */
export class IdSet {
  #words = new Uint32Array(FIRST_SLOTS * 2);
  #size = 0;

  /** Number of different strings. */
  get size(): number {
    return this.#size;
  }

  /** Adds a string. @returns false if it was in the set */
  add(text: string): boolean {
    const [low, high] = hash(text);
    if (!put(this.#words, low, high)) return false;
    this.#size++;
    if (this.#size > (this.#words.length / 2) * MAX_LOAD) this.#grow();
    return true;
  }

  #grow(): void {
    const before = this.#words;
    this.#words = new Uint32Array(before.length * 2);
    for (let at = 0; at < before.length; at += 2) {
      const [low = 0, high = 0] = [before[at], before[at + 1]];
      if (high !== 0) put(this.#words, low, high);
    }
  }
}

/**
 * Two 32-bit words: multiply-and-xor over the characters with different primes, then the finaliser of MurmurHash3 on
 * each, crossed, so that IDs that differ in one digit differ in half of the bits. The second word is never 0.
 */
function hash(text: string): [low: number, high: number] {
  let a = 0x9e3779b9 ^ text.length;
  let b = 0x85ebca6b;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b + code, 0x5bd1e995);
    b ^= b >>> 13;
  }
  const x = finish(a + Math.imul(b, 0xc2b2ae35));
  const y = finish(b ^ Math.imul(a, 0x27d4eb2f) ^ x);
  return [x, y === 0 ? 1 : y];
}

function finish(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
