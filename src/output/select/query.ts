/** Compiles and runs JMESPath expressions (https://jmespath.site) for `--query`. */
import { compile, registerFunction, TreeInterpreter, TYPE_ANY, tokenize } from '@jmespath-community/jmespath';
import { endSentence } from '../../core/clean-text.js';
import { EduError, usageError } from '../../core/errors.js';
import { compareText } from '../../core/sort/compare-text.js';
import { didYouMean } from '../../core/suggest.js';

export type QueryNode = ReturnType<typeof compile>;
type Json = Parameters<typeof TreeInterpreter.search>[1];

export type Query = ReturnType<typeof compileQuery>;

/** Accepts literals without quotes, which are deprecated but common: [?type==`Books`]. */
const OPTIONS = { enable_legacy_literals: true };

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const wrong = (expression: string, why: string, hint?: string): EduError =>
  usageError(
    `--query: "${expression}" is not a JMESPath expression: ${endSentence(why)}`,
    hint ?? 'https://jmespath.site',
  );

/**
 * The package compares only numbers, and returns null for two strings. These functions replace its operators; names with
 * a space cannot be called in an expression.
 */
const COMPARISONS = {
  LT: (order: number) => order < 0,
  LTE: (order: number) => order <= 0,
  GT: (order: number) => order > 0,
  GTE: (order: number) => order >= 0,
} as const;

for (const [name, holds] of Object.entries(COMPARISONS)) {
  registerFunction(
    `compare ${name}`,
    ([a, b]) => {
      if (typeof a === 'number' && typeof b === 'number') return holds(a - b);
      return typeof a === 'string' && typeof b === 'string' ? holds(compareText(a, b)) : null;
    },
    [{ types: [TYPE_ANY] }, { types: [TYPE_ANY] }],
  );
}

type Keyed = readonly [key: Json, element: Json];

const byKey = ([a]: Keyed, [b]: Keyed): number =>
  typeof a === 'number' ? a - Number(b) : compareText(String(a), String(b));

const greatest = (keyed: readonly Keyed[], sign: number): Json =>
  keyed.slice(1).reduce((best, one) => (sign * byKey(one, best) > 0 ? one : best), keyed[0] ?? [null, null])[1];

const ORDERS = {
  sort: (keyed: readonly Keyed[]) => [...keyed].sort(byKey).map(([, element]) => element),
  max: (keyed: readonly Keyed[]) => greatest(keyed, 1),
  min: (keyed: readonly Keyed[]) => greatest(keyed, -1),
} as const;

/** @throws Error unless the keys are numbers, or texts */
function withKeys(elements: readonly Json[], key: Parameters<typeof TreeInterpreter.visit>[0] | undefined) {
  const keyed = elements.map(
    (one): Keyed => [key === undefined ? one : (TreeInterpreter.visit(key, one) as Json), one],
  );
  if (!['number', 'string'].some((kind) => keyed.every(([value]) => typeof value === kind)))
    throw new Error('a list is ordered by numbers or by texts, without nulls');
  return keyed;
}

/**
 * The package sorts numbers as texts and equal texts in any order, finds the greatest text by the language of the machine,
 * and none by an expression.
 */
for (const [name, pick] of Object.entries(ORDERS)) {
  for (const own of [name, `${name}_by`]) {
    const signature = TreeInterpreter.runtime._functionTable[own]?._signature ?? [];
    registerFunction(
      own,
      ([elements, key]) => pick(withKeys(elements as Json[], key as Parameters<typeof withKeys>[1])),
      signature,
      { override: true },
    );
  }
}

/** Reads only own members; the package would also return inherited ones, such as `constructor`. */
const OWN_FIELD = 'own field';

registerFunction(
  OWN_FIELD,
  ([value, name]) => {
    const isOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, `${name}`);
    return isOwn ? ((value as Readonly<Record<string, Json>>)[`${name}`] ?? null) : null;
  },
  [{ types: [TYPE_ANY] }, { types: [TYPE_ANY] }],
);

/** All nodes, parents first. Without recursion, because an expression may be nested deeper than the stack. */
export function* nodesIn(tree: unknown): Generator<QueryNode> {
  const waiting: unknown[] = [tree];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node !== 'object' || node === null) continue;
    if ('type' in node) yield node as QueryNode;
    waiting.push(...Object.values(node).reverse());
  }
}

/** Replaces, in place, the operators and field names that the package handles wrongly. */
function replaceNodes(tree: QueryNode): void {
  for (const node of nodesIn(tree)) {
    if (node.type === 'Comparator' && node.name in COMPARISONS) {
      const { name, left, right } = node;
      Object.assign(node, { type: 'Function', name: `compare ${name}`, children: [left, right] });
    } else if (node.type === 'Field' && node.name in Object.prototype) {
      const children = [{ type: 'Current' }, { type: 'Literal', value: node.name }];
      Object.assign(node, { type: 'Function', name: OWN_FIELD, children });
    }
  }
}

/** The package accepts a missing closing quote, and drops the last character. */
const isUnterminated = (expression: string, start: number): boolean =>
  /^(['`])(?:\\.|(?!\1)[^\\])*\\?$/s.test(expression.slice(start));

/** Rejects expressions that the package would misread. @throws EduError `usage` */
function checkTokens(expression: string): void {
  const tokens = tokenize(expression, OPTIONS);
  if (tokens.some(({ type }) => `${type}` === 'Assign')) {
    throw wrong(expression, '"=" is not an operator.', `Compare with "==": ${suggestion(expression, tokens)}`);
  }
  const last = tokens.at(-1);
  if (last !== undefined && isUnterminated(expression, last.start)) {
    throw wrong(expression, `the quote at character ${last.start + 1} is not closed.`);
  }
}

function suggestion(expression: string, tokens: ReturnType<typeof tokenize>): string {
  const places = tokens.filter(({ type }) => `${type}` === 'Assign').map(({ start }) => start);
  return [0, ...places].map((from, index) => expression.slice(from, places[index])).join('=');
}

function checkCall(expression: string, { name, children }: Extract<QueryNode, { type: 'Function' }>): void {
  const known = TreeInterpreter.runtime._functionTable;
  const signature = Object.hasOwn(known, name) ? known[name]?._signature : undefined;
  if (signature === undefined) {
    throw wrong(expression, `there is no function ${name}().`, didYouMean(name, Object.keys(known)));
  }
  const min = signature.filter(({ optional }) => optional !== true).length;
  const max = signature.at(-1)?.variadic === true ? Number.POSITIVE_INFINITY : signature.length;
  if (children.length >= min && children.length <= max) return;
  const wanted = min === max ? `${min}` : max === Number.POSITIVE_INFINITY ? `${min} or more` : `${min} to ${max}`;
  throw wrong(expression, `${name}() takes ${wanted} argument${wanted === '1' ? '' : 's'}, not ${children.length}.`);
}

/**
 * Checks what is possible without data: syntax, function names and number of arguments.
 * @throws EduError `usage`
 */
export function compileQuery(expression: string) {
  let tree: QueryNode;
  try {
    checkTokens(expression);
    tree = compile(expression, OPTIONS);
  } catch (error) {
    if (error instanceof EduError) throw error;
    throw wrong(expression, messageOf(error));
  }
  for (const node of nodesIn(tree)) {
    if (node.type === 'Function') checkCall(expression, node);
  }
  replaceNodes(tree);
  return {
    expression,
    tree,
    /** Returns null if nothing matches. */
    run: (data: unknown) => evaluated(data, tree, expression),
    /** True if the expression works item by item, so that it can be applied to each page. */
    isPerItem: isPerItem(tree) && [...nodesIn(tree)].every(({ type }) => type !== 'Root'),
  };
}

/** Returns true for the data itself, whole or as the current item. */
export const isData = ({ type }: QueryNode): boolean => type === 'Identity' || type === 'Current';

/** Returns true if an expression works item by item. */
function isPerItem(tree: QueryNode): boolean {
  let node = tree;
  for (;;) {
    if (node.type === 'Pipe') {
      if (!isPerItem(node.right)) return false;
    } else if (node.type === 'Projection' && node.left.type === 'Flatten') {
      if (isData(node.left.child)) return true;
      node = node.left.child;
      continue;
    } else if (node.type !== 'FilterProjection' && node.type !== 'Projection') return false;
    if (isData(node.left)) return node.type !== 'Pipe';
    node = node.left;
  }
}

/** @throws EduError if a function rejects its arguments: no usage error, because the request has been sent by then */
function evaluated(data: unknown, tree: QueryNode, expression: string): unknown {
  try {
    return TreeInterpreter.search(tree, data as Json);
  } catch (error) {
    throw new EduError('invalid_response', `--query: "${expression}" does not fit the result: ${messageOf(error)}`, {
      hint: 'Print the result with --json to see its fields.',
      cause: error,
    });
  }
}
