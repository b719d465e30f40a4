/**
 * The elements of a list in a flag or cell, trimmed. A backslash makes a separator or another backslash part of an element,
 * as `-o csv` writes lists.
 */
export function splitList(text: string, separators: ',' | ';' | ',;'): readonly string[] {
  // Most cells and flags have one element.
  if (!/[,;\\]/.test(text)) return [text.trim()];
  const elements = [''];
  for (const [piece] of text.matchAll(/\\[,;\\]|[\s\S]/g)) {
    if (separators.includes(piece)) elements.push('');
    else elements[elements.length - 1] += piece.slice(-1);
  }
  return elements.map((element) => element.trim());
}
