/** Compares texts by code point, which is the same on every machine and equals the order of UTF-8. */

/** Maps UTF-16 units to the order of code points, in which surrogates follow all others. */
const rank = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit);

/**
 * Compares two texts by code point.
 * @param from first index to compare, in UTF-16 units
 * @returns a negative number, 0 or a positive number
 */
export function compareText(a: string, b: string, from = 0): number {
  const length = Math.min(a.length, b.length);
  for (let index = from; index < length; index++) {
    const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}
