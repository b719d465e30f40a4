/** Folds text for searches: letter case and accents do not matter. */

/** Letters that Unicode does not take apart into a plain one and a mark. */
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ð: 'd', þ: 'th', ı: 'i' };

/** `Übung GROSS` and `ubung groß` are the same, and so are runs of blanks. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // Through capitals, because ß and ss differ in small letters only.
    .toUpperCase()
    .toLowerCase()
    .replace(/[øłđæœðþı]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();
