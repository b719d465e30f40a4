/** Normalizes text for searches that ignore case and accents. */

/** Letters that Unicode does not decompose into a base letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ð: 'd', þ: 'th', ı: 'i' };

/** `Übung GROSS` and `ubung groß` are equal; runs of spaces count as one. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // Via upper case, because ß and ss differ only in lower case.
    .toUpperCase()
    .toLowerCase()
    .replace(/[øłđæœðþı]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();
