/** Finds the places of a module where a small fault can be planted, and the blocks that show which tests reach them. */
import { parseAst } from 'rolldown/parseAst';

/** @typedef {{ type: string, start: number, end: number } & Record<string, unknown>} Node */

/**
 * A fault: the text between `start` and `end` is replaced by `text`.
 * @typedef {{ start: number, end: number, text: string, operator: string, block: number }} Mutant
 */

/** @param {unknown} value @returns {value is Node} */
const isNode = (value) =>
  typeof value === 'object' && value !== null && typeof (/** @type {Node} */ (value).type) === 'string';

const SWAPPED = new Map(
  Object.entries({
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
    '===': '!==',
    '!==': '===',
    '+': '-',
    '-': '+',
    '*': '/',
    '/': '*',
    '%': '*',
    '&&': '||',
    '||': '&&',
    '+=': '-=',
    '-=': '+=',
    '++': '--',
    '--': '++',
  }),
);

/** @param {unknown} node @returns {boolean} whether it may be a text, which cannot be subtracted */
const mayBeText = (node) =>
  isNode(node) &&
  (node.type === 'TemplateLiteral' ||
    (node.type === 'Literal' && typeof node.value === 'string') ||
    (node.type === 'BinaryExpression' && node.operator === '+' && (mayBeText(node.left) || mayBeText(node.right))));

const CONDITIONAL = /^(If|While|DoWhile|For)Statement$|^ConditionalExpression$/;
const FUNCTION = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

/**
 * @param {string} code of a module in TypeScript
 * @returns {{ mutants: Mutant[], blocks: { at: number, end: number | undefined }[] }} blocks in the order of their
 *   numbers, which begin at 1: the start of a block of statements, or start and end of an expression; block 0 is the module
 */
export function mutantsOf(code) {
  /** @type {Mutant[]} */
  const mutants = [];
  /** @type {{ at: number, end: number | undefined }[]} */
  const blocks = [];
  let block = 0;

  /** @param {number} start @param {number} end @param {string} text @param {string} operator */
  const add = (start, end, text, operator) => mutants.push({ start, end, text, operator, block });
  const textOf = (/** @type {Node} */ { start, end }) => code.slice(start, end);

  /** Swaps the operator between two operands. @param {Node} node @param {Node} left @param {Node} right */
  function swap(node, left, right) {
    const operator = String(node.operator);
    const swapped = SWAPPED.get(operator);
    if (swapped === undefined || (operator.startsWith('+') && (mayBeText(left) || mayBeText(right)))) return;
    const at = code.indexOf(operator, left.end);
    if (at < right.start) add(at, at + operator.length, swapped, 'operator');
  }

  /** @param {Node} node */
  function plant(node) {
    const { type, start, end, test, left, right, argument, expression, value } = node;
    // Swapping `===` or leaving out `!` is the same.
    if (CONDITIONAL.test(type) && isNode(test) && !/^([!=]==|!)$/.test(String(test.operator)))
      add(test.start, test.end, `!(${textOf(test)})`, 'condition');
    if (/^(Binary|Logical)Expression$/.test(type) && isNode(left) && isNode(right)) swap(node, left, right);
    if (type === 'AssignmentExpression' && node.operator !== '=' && isNode(left) && isNode(right))
      swap(node, left, right);
    if (type === 'AwaitExpression' && isNode(argument)) add(start, end, `(${textOf(argument)})`, 'await');
    if (type === 'UnaryExpression' && node.operator === '!' && isNode(argument))
      add(start, end, `(${textOf(argument)})`, 'condition');
    if (type === 'ExpressionStatement' && isNode(expression) && expression.type !== 'Literal' && !isSuper(expression))
      add(start, end, ';', 'statement');
    if (type === 'ReturnStatement' && isNode(argument) && !/^(undefined|true|false|0|'')$/.test(textOf(argument)))
      add(argument.start, argument.end, 'undefined', 'return');
    if (type === 'Literal') {
      if (typeof value === 'number') add(start, end, `(${value + 1})`, 'number');
      if (typeof value === 'boolean') add(start, end, String(!value), 'boolean');
      if (typeof value === 'string' && value !== '') add(start, end, "''", 'text');
    }
    if (type === 'TemplateLiteral') add(start, end, "''", 'text');
  }

  /** Visits code that runs as a whole, or not at all. @param {Node} node @param {boolean} isExpression */
  function enter(node, isExpression) {
    const outer = block;
    blocks.push(isExpression ? { at: node.start, end: node.end } : { at: node.start + 1, end: undefined });
    block = blocks.length;
    if (isExpression) {
      add(node.start, node.end, 'undefined', 'return');
      plant(node);
    }
    visitChildren(node);
    block = outer;
  }

  /** @param {Node} node */
  function visit(node) {
    // Types have no code, `x as T` does.
    if (node.type.startsWith('TS')) {
      if (isNode(node.expression)) visit(node.expression);
      return;
    }
    if (/^(Import|ExportAll)/.test(node.type) && node.type !== 'ImportExpression') return;
    if (node.type === 'BlockStatement') return enter(node, false);
    plant(node);
    visitChildren(node);
  }

  /** @param {Node} node */
  function visitChildren(node) {
    for (const [name, value] of Object.entries(node)) {
      // The name of a member, and what a module imports.
      if ((name === 'key' && node.computed !== true) || name === 'source') continue;
      for (const child of Array.isArray(value) ? value : [value]) {
        if (!isNode(child)) continue;
        if (name === 'body' && FUNCTION.test(node.type) && child.type !== 'BlockStatement') enter(child, true);
        else visit(child);
      }
    }
  }

  visit(/** @type {Node} */ (/** @type {unknown} */ (parseAst(code, { lang: 'ts', sourceType: 'module' }))));
  return { mutants, blocks };
}

/** @param {Node} node @returns {boolean} whether it calls the constructor of the base class, which cannot be left out */
const isSuper = ({ type, callee }) => type === 'CallExpression' && isNode(callee) && callee.type === 'Super';

/** @param {string} code @param {Mutant} mutant @returns {string} */
export const planted = (code, { start, end, text }) => code.slice(0, start) + text + code.slice(end);

/** The global set of the blocks that were reached. */
export const REACHED = '__reachedBlocks';

/** In place of the number of a block: the module was loaded. */
export const AFTER_LOAD = 'loaded';

/** @param {string} code @param {string} name of the module @returns {string} code that notes the blocks that it reaches */
export function noting(code, name) {
  /** @type {{ at: number, text: string, order: number }[]} */
  const inserted = [];
  const note = (/** @type {number | string} */ block) =>
    `globalThis.${REACHED}?.add(${JSON.stringify(`${name}#${block}`)})`;
  for (const [index, { at, end }] of mutantsOf(code).blocks.entries()) {
    inserted.push({ at, text: end === undefined ? `${note(index + 1)};` : `(${note(index + 1)},(`, order: index });
    // Of expressions that end together, the inner one is closed first.
    if (end !== undefined) inserted.push({ at: end, text: '))', order: -1 - index });
  }
  inserted.sort((a, b) => a.at - b.at || a.order - b.order);
  let result = `${note(0)};`;
  let last = 0;
  for (const { at, text } of inserted) {
    result += code.slice(last, at) + text;
    last = at;
  }
  return `${result}${code.slice(last)}\n;${note(AFTER_LOAD)}`;
}
