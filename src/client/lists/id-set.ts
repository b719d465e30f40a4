/**
 * The set of items that a list has returned, at about twelve bytes each, so that a restarted list of a million items
 * repeats none.
 */

/** Slots of a bucket; a power of two. A slot is two words: 16 kB a bucket. */
const SLOTS = 2048;
/** A bucket with more entries is split in two. */
const FULL = SLOTS * 0.8;
/** Bits of the second word that hold the pass; the rest, and the whole first word, are hash. */
const PASS_BITS = 3;
/** Passes are told apart up to this one; later ones count as it. */
export const LAST_PASS = 2 ** PASS_BITS - 1;

/** Entries whose first words agree in their last `depth` bits, with linear probing; a slot whose pass is 0 is empty. */
class Bucket {
  readonly depth: number;
  readonly words = new Uint32Array(SLOTS * 2);
  size = 0;

  constructor(depth: number) {
    this.depth = depth;
  }

  /** Notes an entry and returns the pass it had, 0 if it is new. */
  meet(low: number, high: number, pass: number): number {
    const { words } = this;
    // The second word chooses the slot: the bits of the first one are alike in a bucket.
    let slot = ((high >>> PASS_BITS) % SLOTS) * 2;
    for (;;) {
      const found = words[slot + 1] ?? 0;
      const before = found & LAST_PASS;
      // The last slot stays empty, or the search for what is not there would not end.
      if (before === 0 && this.size === SLOTS - 1) return 0;
      if (before === 0 || (words[slot] === low && (found & ~LAST_PASS) >>> 0 === high)) {
        words[slot] = low;
        words[slot + 1] = high | pass;
        if (before === 0) this.size++;
        return before;
      }
      slot = (slot + 2) % words.length;
    }
  }
}

/**
 * A set of strings that also knows in which pass over the list each was last met. It keeps 61 bits of a hash: among a
 * million strings two different ones are taken for one with a chance of about 1 in 5 million. It grows by splitting
 * buckets (extendible hashing), so that it never copies itself and leaves nothing behind.
 */
export class Seen {
  /** By the last `#depth` bits of the first word; a bucket of less depth stands in several places. */
  #directory: Bucket[] = [new Bucket(0)];
  #depth = 0;
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
    const at = low & (this.#directory.length - 1);
    const bucket = this.#directory[at];
    if (bucket === undefined) return 0;
    const before = bucket.meet(low, (high & ~LAST_PASS) >>> 0, pass);
    if (before !== 0) return before;
    this.#size++;
    // When the bits are used up there is nothing left to split by; no list of this world gets there.
    if (bucket.size > FULL && bucket.depth < 30) this.#split(bucket, at);
    return before;
  }

  #split(bucket: Bucket, at: number): void {
    if (bucket.depth === this.#depth) {
      this.#directory = [...this.#directory, ...this.#directory];
      this.#depth++;
    }
    const bit = 1 << bucket.depth;
    const halves = [new Bucket(bucket.depth + 1), new Bucket(bucket.depth + 1)] as const;
    const { words } = bucket;
    for (let slot = 0; slot < words.length; slot += 2) {
      const [low = 0, found = 0] = [words[slot], words[slot + 1]];
      const pass = found & LAST_PASS;
      if (pass !== 0) halves[(low & bit) === 0 ? 0 : 1].meet(low, (found & ~LAST_PASS) >>> 0, pass);
    }
    for (let place = at & (bit - 1); place < this.#directory.length; place += bit) {
      this.#directory[place] = halves[(place & bit) === 0 ? 0 : 1];
    }
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
