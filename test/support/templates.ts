/** Finds the template literals of a source file. */

export interface Template {
  /** The fixed texts, as written: one before each expression, and one behind the last. */
  readonly texts: readonly string[];
  readonly expressions: readonly string[];
}

/** Comments, strings and regular expressions, in which a backtick or brace has no meaning. */
const OPAQUE =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|(?<=[(,=:[!&|?{;>\n]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/y;

/** The template literals with expressions, nested ones included. */
export function templatesIn(source: string): readonly Template[] {
  const found: Template[] = [];
  /** @returns the index behind the closing brace, or the end */
  function skipCode(from: number): number {
    let depth = 0;
    for (let at = from; at < source.length; ) {
      OPAQUE.lastIndex = at;
      const opaque = OPAQUE.exec(source);
      if (opaque !== null) at += opaque[0].length;
      else if (source[at] === '`') at = skipTemplate(at);
      else if (source[at] === '}' && depth === 0) return at + 1;
      else {
        if (source[at] === '{') depth++;
        if (source[at] === '}') depth--;
        at++;
      }
    }
    return source.length;
  }
  function skipTemplate(from: number): number {
    const [texts, expressions]: [string[], string[]] = [[], []];
    let text = '';
    let at = from + 1;
    while (at < source.length && source[at] !== '`') {
      if (source.startsWith('${', at)) {
        const end = skipCode(at + 2);
        expressions.push(source.slice(at + 2, end - 1).trim());
        texts.push(text);
        text = '';
        at = end;
      } else {
        const length = source[at] === '\\' ? 2 : 1;
        text += source.slice(at, at + length);
        at += length;
      }
    }
    if (expressions.length > 0) found.push({ texts: [...texts, text], expressions });
    return at + 1;
  }
  // The whole file is code; a brace too many would end it early.
  for (let at = 0; at < source.length; ) at = skipCode(at);
  return found;
}
