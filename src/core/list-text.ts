/**
 * The elements of a list in a flag or cell, trimmed. A backslash makes a separator or another backslash part of an element,
 * as `-o csv` writes lists.
 */
export const splitList = (text: string, separators: ',' | ';' | ',;'): readonly string[] =>
  text
    .split(new RegExp(`(?<=(?:^|[^\\\\])(?:\\\\\\\\)*)[${separators}]`))
    .map((part) => part.trim().replace(/\\([,;\\])/g, '$1'));
