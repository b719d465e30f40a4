/**
 * The set of items that a list has returned, at about twelve bytes each, so that a restarted list of a million items
 * repeats none.
 */

/** Slots of a bucket; a power of two. A slot is two words: 16 kB a bucket. */
const SLOTS = 2048;
/** A bucket with more entries is split in two. */
const FULL = SLOTS * 0.8;
/** Bits of the second word that hold the pass. Its other bits and the whole first word hold the hash. */
const PASS_BITS = 3;
/** The last pass that is distinguished; later ones count as this one. */
export const LAST_PASS = 2 ** PASS_BITS - 1;

/** Entries whose first words have the same last `depth` bits, with linear probing. Pass 0 marks an empty slot. */
class Bucket {
  readonly depth: number;
  readonly words = new Uint32Array(SLOTS * 2);
  size = 0;

  constructor(depth: number) {
    this.depth = depth;
  }

  /** Adds an entry and returns its previous pass, 0 if it is new. */
  add(low: number, high: number, pass: number): number {
    const { words } = this;
    // The second word selects the slot, because the first words in a bucket have equal bits.
    let slot = ((high >>> PASS_BITS) % SLOTS) * 2;
    for (;;) {
      const found = words[slot + 1] ?? 0;
      const before = found & LAST_PASS;
      // One slot stays empty, so that the search for a missing entry ends.
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

/** IDs per block of `Ascending`. */
const BLOCK = 512;

/** Strings of which each is longer or later than the one before, so that none can repeat. */
class Ascending {
  /** As the bytes of JSON: strings would need four times the memory, and let V8's heap grow by as much again. */
  readonly #blocks: Buffer[] = [];
  #open: string[] = [];
  #last = '';

  /** @returns false if the string does not belong behind the last one */
  add(text: string): boolean {
    const last = this.#last;
    if (text.length < last.length || (text.length === last.length && text <= last)) return false;
    this.#last = text;
    if (this.#open.push(text) < BLOCK) return true;
    this.#blocks.push(Buffer.from(JSON.stringify(this.#open)));
    this.#open = [];
    return true;
  }

  *all(): Generator<string> {
    for (const block of this.#blocks) yield* JSON.parse(block.toString()) as string[];
    yield* this.#open;
  }
}

/**
 * A set of strings that also stores the last pass over the list in which each occurred. It stores 61 bits of a hash:
 * among a million strings, the probability of a collision is about 1 in 5 million. It grows by splitting buckets
 * (extendible hashing), so that it is never copied as a whole. Strings that ascend in the first pass are not hashed: a
 * list in the order of its IDs takes 4 % less time.
 */
export class IdSet {
  /** Indexed by the last `#depth` bits of the first word; a bucket of less depth has several entries. */
  #directory: Bucket[] = [new Bucket(0)];
  #depth = 0;
  #size = 0;
  /** All strings, until the first one that does not ascend or is of another pass. */
  #ascending: Ascending | undefined = new Ascending();

  /** Number of different strings. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds a string.
   * @param pass from 1 to `LAST_PASS`
   * @returns the last pass in which it occurred before, 0 if none
   */
  add(text: string, pass: number): number {
    if (this.#ascending !== undefined) {
      if (pass === 1 && this.#ascending.add(text)) {
        this.#size++;
        return 0;
      }
      this.#hashAll(this.#ascending);
    }
    const [low, high] = hash(text);
    const at = low & (this.#directory.length - 1);
    const bucket = this.#directory[at];
    if (bucket === undefined) return 0;
    const before = bucket.add(low, (high & ~LAST_PASS) >>> 0, pass);
    if (before !== 0) return before;
    this.#size++;
    // Without bits left a bucket cannot be split; no real list is that long.
    if (bucket.size > FULL && bucket.depth < 30) this.#split(bucket, at);
    return before;
  }

  #hashAll(ascending: Ascending): void {
    this.#ascending = undefined;
    this.#size = 0;
    for (const text of ascending.all()) this.add(text, 1);
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
      if (pass !== 0) halves[(low & bit) === 0 ? 0 : 1].add(low, (found & ~LAST_PASS) >>> 0, pass);
    }
    for (let place = at & (bit - 1); place < this.#directory.length; place += bit) {
      this.#directory[place] = halves[(place & bit) === 0 ? 0 : 1];
    }
  }
}

/**
 * Two 32-bit words: multiply-and-xor over the characters with different primes, then the finaliser of MurmurHash3 on
 * each, crossed, so that IDs that differ in one digit differ in half of the bits.
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
