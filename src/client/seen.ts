/**
 * Which items a list has given out, in some twelve bytes each: a list of a million items that must be started again
 * repeats none and loses none, at 12 MB instead of a hundred. Knows strings only.
 */

/** Tables that grow one by one, so that there are never two large copies of everything. A power of two. */
const TABLES = 64;
/** Slots of a table at first. */
const FIRST_SLOTS = 16;
/** Bits of the second word that hold the pass; the rest, and the whole first word, are hash. */
const PASS_BITS = 3;
/** Passes are told apart up to this one; later ones count as it. */
export const LAST_PASS = 2 ** PASS_BITS - 1;

/** Hash → the pass in which it was met last: two words a slot, linear probing; a slot whose pass is 0 is empty. */
class Table {
  #words = new Uint32Array(FIRST_SLOTS * 2);
  #size = 0;

  meet(low: number, high: number, pass: number): number {
    const slot = this.#slotOf(low, high);
    const before = (this.#words[slot + 1] ?? 0) & LAST_PASS;
    this.#words[slot] = low;
    this.#words[slot + 1] = high | pass;
    if (before === 0 && ++this.#size * 10 > this.#words.length * 4) this.#grow();
    return before;
  }

  /** The place of the hash, or the empty one where it belongs. */
  #slotOf(low: number, high: number): number {
    const words = this.#words;
    const { length } = words;
    // The hash's share of 2^32, as a share of the slots: works for any number of them.
    let slot = Math.floor((low / 2 ** 32) * (length / 2)) * 2;
    for (;;) {
      const found = words[slot + 1] ?? 0;
      if ((found & LAST_PASS) === 0 || (words[slot] === low && (found & ~LAST_PASS) >>> 0 === high)) return slot;
      slot += 2;
      if (slot === length) slot = 0;
    }
  }

  #grow(): void {
    const old = this.#words;
    this.#words = new Uint32Array(Math.ceil((old.length / 2) * 1.5) * 2);
    for (let at = 0; at < old.length; at += 2) {
      const [low = 0, found = 0] = [old[at], old[at + 1]];
      if ((found & LAST_PASS) === 0) continue;
      const slot = this.#slotOf(low, (found & ~LAST_PASS) >>> 0);
      this.#words[slot] = low;
      this.#words[slot + 1] = found;
    }
  }
}

/**
 * A set of strings that also knows in which pass over the list each was last met. It keeps 61 bits of a hash: among a
 * million strings two different ones are taken for one with a chance of about 1 in 5 million.
 */
export class Seen {
  readonly #tables = Array.from({ length: TABLES }, () => new Table());
  #size = 0;

  /** How many different strings were met. */
  get size(): number {
    return this.#size;
  }

  /**
   * Notes that a string was met.
   * @param pass from 1 to `LAST_PASS`
   * @returns the pass in which it was met last, 0 if never
   */
  meet(text: string, pass: number): number {
    const [low, high] = hash(text);
    // The table is chosen by bits that do not choose the slot in it.
    const table = this.#tables[(high >>> PASS_BITS) % TABLES];
    const before = table?.meet(low, (high & ~LAST_PASS) >>> 0, pass) ?? 0;
    if (before === 0) this.#size++;
    return before;
  }
}

/**
 * Two 32-bit words: multiply-and-xor over the characters with different primes, then the finaliser of MurmurHash3 on
 * each, crossed, so that ids that differ in one digit differ in half of the bits.
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
  return [x, y];
}

function finish(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
