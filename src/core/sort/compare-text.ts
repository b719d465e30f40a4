/** Compares texts by code point: the order is the same on every machine and equals that of UTF-8. */

/** UTF-16 units compare like code points, except that surrogates belong behind U+FFFF. */
function rank(unit: number): number {
  return unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/**
 * Compares two texts by code point.
 * @param from index in UTF-16 units at which to begin
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
