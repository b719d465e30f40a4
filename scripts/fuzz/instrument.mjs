/** Adds counters to the branches of the bundled sources, so that the fuzzer knows which branches an input reaches. */
import { parseAst } from 'rolldown/parseAst';

/** The global variable with the counters: a typed array with one number for each branch. */
export const COUNTERS = '__fuzzCounters';

/** @typedef {{ type: string, start: number, end: number } & Record<string, unknown>} Node */

/** @param {unknown} value @returns {value is Node} */
const isNode = (value) =>
  typeof value === 'object' && value !== null && typeof (/** @type {Node} */ (value).type) === 'string';

/** @param {Node} node @returns {Node[]} */
const childrenOf = (node) =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []));

/**
 * @param {string} code of a module, in TypeScript or JavaScript
 * @param {'ts' | 'js'} lang
 * @param {() => number} next index of a new counter
 * @param {(text: string) => void} onText called with each string literal
 * @returns {string} the code with counters
 */
export function instrumented(code, lang, next, onText) {
  /** @type {Map<number, string>} */
  const opens = new Map();
  /** @type {Map<number, string>} */
  const closes = new Map();
  const open = (/** @type {number} */ at, /** @type {string} */ text) => opens.set(at, (opens.get(at) ?? '') + text);
  const close = (/** @type {number} */ at, /** @type {string} */ text) => closes.set(at, text + (closes.get(at) ?? ''));
  const count = () => `${COUNTERS}[${next()}]++`;

  /** @param {unknown} node a statement that runs conditionally */
  const statement = (node) => {
    if (!isNode(node)) return;
    if (node.type === 'BlockStatement') return void open(node.start + 1, `${count()};`);
    open(node.start, `{${count()};`);
    close(node.end, '}');
  };
  /** @param {unknown} node an expression that is evaluated conditionally */
  const expression = (node) => {
    if (!isNode(node)) return;
    open(node.start, `(${count()},`);
    close(node.end, ')');
  };
  /** @param {Node} node */
  const visit = (node) => {
    // Types have no code, `x as T` does.
    if (node.type.startsWith('TS') && !isNode(node.expression)) return;
    if (node.type === 'Literal' && typeof node.value === 'string') onText(node.value);
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type) && isNode(node.body)) {
      if (node.body.type === 'BlockStatement') statement(node.body);
      else expression(node.body);
    }
    if (node.type === 'IfStatement') [node.consequent, node.alternate].forEach(statement);
    if (/^(For|ForIn|ForOf|While|DoWhile)Statement$/.test(node.type) || node.type === 'CatchClause')
      statement(node.body);
    if (node.type === 'ConditionalExpression') [node.consequent, node.alternate].forEach(expression);
    if (node.type === 'LogicalExpression') expression(node.right);
    if (node.type === 'SwitchCase') {
      const [first] = /** @type {Node[]} */ (node.consequent);
      if (first !== undefined) open(first.start, `${count()};`);
    }
    for (const child of childrenOf(node)) visit(child);
  };
  visit(/** @type {Node} */ (/** @type {unknown} */ (parseAst(code, { lang, sourceType: 'module' }))));

  const places = [...new Set([...opens.keys(), ...closes.keys()])].sort((a, b) => a - b);
  let result = '';
  let last = 0;
  for (const at of places) {
    result += code.slice(last, at) + (closes.get(at) ?? '') + (opens.get(at) ?? '');
    last = at;
  }
  return result + code.slice(last);
}

/**
 * A rolldown plugin that instruments our sources and the packages that parse input.
 * @returns {import('rolldown').Plugin & { readonly size: () => number, readonly texts: Set<string> }}
 */
export function instrument() {
  let size = 0;
  /** @type {Set<string>} */
  const texts = new Set();
  const isRead = /[\\/](src|node_modules[\\/](papaparse|saxen|yauzl|@fastify[\\/]busboy))[\\/].*\.(ts|js|mjs)$/;
  return {
    name: 'fuzz-counters',
    size: () => size,
    texts,
    transform: {
      order: 'pre',
      handler(code, id) {
        if (!isRead.test(id)) return null;
        const isPackage = id.includes('node_modules');
        const note = (/** @type {string} */ text) => {
          if (text.length > 0 && text.length <= 40) texts.add(text);
        };
        return { code: instrumented(code, isPackage ? 'js' : 'ts', () => size++, note), map: null };
      },
    },
  };
}
