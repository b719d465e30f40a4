/**
 * Which items a list has given out, in eight bytes each plus one: a list of a million items that must be started again
 * repeats none and loses none, at 32 MB instead of a hundred. Knows strings only.
 */

/** Slots at first; a power of two, so that a mask finds the slot. */
const FIRST_SLOTS = 1024;

/**
 * A set of strings that also knows in which pass over the list each was last met. It keeps 64-bit hashes: among a
 * million items two different ones are taken for one with a chance of about 3 in 100 million.
 */
export class Seen {
  #mask = FIRST_SLOTS - 1;
  #low = new Uint32Array(FIRST_SLOTS);
  #high = new Uint32Array(FIRST_SLOTS);
  /** Pass in which the slot was last met; 0 for an empty slot. */
  #pass = new Uint8Array(FIRST_SLOTS);
  #size = 0;

  /** How many different strings were met. */
  get size(): number {
    return this.#size;
  }

  /**
   * Notes that a string was met.
   * @param pass from 1 to 255
   * @returns the pass in which it was met last, 0 if never
   */
  meet(text: string, pass: number): number {
    const [low, high] = hash(text);
    const slot = this.#slotOf(low, high);
    const before = this.#pass[slot] ?? 0;
    this.#low[slot] = low;
    this.#high[slot] = high;
    this.#pass[slot] = pass;
    if (before === 0 && ++this.#size * 3 > this.#pass.length * 2) this.#grow();
    return before;
  }

  /** Linear probing: the slot that holds the hash, or the empty one where it belongs. */
  #slotOf(low: number, high: number): number {
    let slot = (low ^ high) & this.#mask;
    while (this.#pass[slot] !== 0 && (this.#low[slot] !== low || this.#high[slot] !== high)) {
      slot = (slot + 1) & this.#mask;
    }
    return slot;
  }

  #grow(): void {
    const [lows, highs, passes] = [this.#low, this.#high, this.#pass];
    const slots = passes.length * 2;
    this.#mask = slots - 1;
    this.#low = new Uint32Array(slots);
    this.#high = new Uint32Array(slots);
    this.#pass = new Uint8Array(slots);
    for (let old = 0; old < passes.length; old++) {
      const pass = passes[old] ?? 0;
      if (pass === 0) continue;
      const [low, high] = [lows[old] ?? 0, highs[old] ?? 0];
      const slot = this.#slotOf(low, high);
      this.#low[slot] = low;
      this.#high[slot] = high;
      this.#pass[slot] = pass;
    }
  }
}

/**
 * Two independent 32-bit halves: multiply-and-xor over the characters with different primes, then the finaliser of
 * MurmurHash3 on each, crossed, so that ids that differ in one digit differ in half of the bits.
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
