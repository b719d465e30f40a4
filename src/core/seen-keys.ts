/** A table of keys with marks, in little memory. */

/** A 32-bit hash of a text, to use as a mark. Two texts share it with a probability of 2⁻³². */
export const markOf = (text: string): number => hash(text)[0] || 1;

/** Two independent 32-bit hashes of a text (the mixing steps of MurmurHash3, doubled), as signed numbers. */
function hash(text: string): readonly [number, number] {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return [a, b];
}

/** Remembers keys at 12 bytes each, as 64-bit hashes. Two keys of a million collide with a probability of 2⁻²⁵. */
export function seenKeys(expected = 0) {
  let size = 64;
  while (size * 3 < expected * 4) size *= 2;
  let used = 0;
  let high = new Int32Array(size);
  let low = new Int32Array(size);
  let marks = new Int32Array(size);

  /** Index of a hash, or the free one for it. */
  function place(a: number, b: number): number {
    let at = a & (size - 1);
    while (marks[at] !== 0 && (high[at] !== a || low[at] !== b)) at = (at + 1) & (size - 1);
    return at;
  }

  /** Index of a hash, which is stored if it is new. */
  function store(a: number, b: number): number {
    const at = place(a, b);
    high[at] = a;
    low[at] = b;
    return at;
  }

  function grow(): void {
    const oldHigh = high;
    const oldLow = low;
    const oldMarks = marks;
    size *= 2;
    high = new Int32Array(size);
    low = new Int32Array(size);
    marks = new Int32Array(size);
    for (let at = 0; at < oldMarks.length; at++)
      if (oldMarks[at] !== 0) marks[store(oldHigh[at] ?? 0, oldLow[at] ?? 0)] = oldMarks[at] ?? 0;
  }

  function find(key: string): number {
    if (used * 4 > size * 3) grow();
    const [a, b] = hash(key);
    const at = store(a, b);
    if (marks[at] === 0) used++;
    return at;
  }

  return {
    get(key: string): number | undefined {
      return used === 0 ? undefined : marks[place(...hash(key))] || undefined;
    },
    /** Notes a key, replacing an earlier mark. @param mark a number above 0 */
    set(key: string, mark: number): void {
      // Finding may replace the table.
      const at = find(key);
      marks[at] = mark;
    },
    /** Counts a key. A table of counts must hold no marks. @returns how often the key was counted before */
    count(key: string): number {
      const at = find(key);
      const before = marks[at] ?? 0;
      marks[at] = before + 1;
      return before;
    },
    /**
     * Notes a key with a mark above 0, such as a line.
     * @returns the mark of the first row with this key; undefined when it is new
     */
    note(key: string, mark: number): number | undefined {
      const at = find(key);
      const before = marks[at] || undefined;
      if (before === undefined) marks[at] = mark;
      return before;
    },
  };
}
