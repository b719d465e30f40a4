/** Derives the shape of a query's results from its expression, for the columns of tables and records. */
import type { Field } from '../../contract/vocabulary.js';
import { didYouMean } from '../../core/suggest.js';
import { fieldNames, fieldOf, isKnown } from './fields.js';
import { isData, nodesIn, type QueryNode } from './query.js';

/** The shape of a value that only the data shows. */
export const UNKNOWN: Field = fieldOf('any');

const record = (members: readonly (readonly [string, Field])[]): Field => ({
  ...fieldOf('object'),
  fields: Object.fromEntries(members),
});

/** The shape of an expression's value. */
function valueShape(node: QueryNode, item: Field): Field {
  switch (node.type) {
    case 'Identity':
    case 'Current':
      return item;
    case 'Field':
      return (item.fields !== undefined && Object.hasOwn(item.fields, node.name) && item.fields[node.name]) || UNKNOWN;
    case 'Subexpression':
      return valueShape(node.right, valueShape(node.left, item));
    case 'MultiSelectHash':
      return record(node.children.map(({ name, value }) => [name, valueShape(value, item)]));
    case 'MultiSelectList':
      return fieldOf('list');
    default:
      return UNKNOWN;
  }
}

const SELECTS: ReadonlySet<string> = new Set(['reverse', 'sort_by', 'max_by', 'min_by']);

/** The list of which an expression returns items as they are: `sort_by(@, &name)`, `[:5]`, `[0]`. */
function selectedFrom(node: QueryNode): QueryNode | undefined {
  if (node.type === 'IndexExpression') return node.left;
  return node.type === 'Function' && SELECTS.has(node.name) ? node.children[0] : undefined;
}

/** The shape of a result when it is printed: a multi-select list becomes a record with numbered columns. */
function rowShape(node: QueryNode, item: Field): Field {
  if (node.type === 'MultiSelectList')
    return record(node.children.map((child, index) => [`${index + 1}`, valueShape(child, item)]));
  if (node.type !== 'Subexpression') return valueShape(node, item);
  return rowShape(node.right, valueShape(node.left, item));
}

/** The shape of each result of an expression about a list. @param shapeOf that of the last part */
function projectedShape(tree: QueryNode, item: Field, shapeOf = valueShape): Field {
  if (isData(tree)) return item;
  const list = selectedFrom(tree);
  if (list !== undefined) return projectedShape(list, item, shapeOf);
  if (tree.type === 'Pipe') return projectedShape(tree.right, projectedShape(tree.left, item), shapeOf);
  if (tree.type === 'Flatten') {
    const inner = projectedShape(tree.child, item);
    // Flattening affects only lists.
    return inner.kind === 'list' ? (inner.of ?? UNKNOWN) : inner;
  }
  if (tree.type !== 'FilterProjection' && tree.type !== 'Projection') return UNKNOWN;
  return shapeOf(tree.right, projectedShape(tree.left, item));
}

/** True for an expression that returns one of several results: `[0]`, `max_by(@, &name)`. */
function picksOne(node: QueryNode): boolean {
  if (node.type === 'Pipe') return picksOne(node.right);
  if (node.type === 'IndexExpression') return node.right.type === 'Index';
  return node.type === 'Function' && (node.name === 'max_by' || node.name === 'min_by');
}

/**
 * @param item the shape of the items that the expression is applied to
 * @returns a shape of kind `any` if it is not known, or the results are lists
 */
export function resultShape(tree: QueryNode, item: Field): Field {
  const result = projectedShape(tree, item, rowShape);
  if (result.kind !== 'list') return result;
  return picksOne(tree) ? (result.of ?? UNKNOWN) : UNKNOWN;
}

/** The shape of the result of an expression about one item, or of its elements. */
export function itemResultShape(tree: QueryNode, item: Field): Field {
  const result = valueShape(tree, item);
  return result.kind === 'list' ? (result.of ?? UNKNOWN) : result;
}

/** Returns true if the results of an expression about a list are lists: `[].[id, name]`. */
export const areListsOf = (tree: QueryNode, item: Field): boolean =>
  !picksOne(tree) && projectedShape(tree, item).kind === 'list';

const BOOLEANS: ReadonlySet<string> = new Set(['true', 'false']);

/**
 * Names that an expression reads, that the contract does not describe, and that the expression does not define itself:
 * mostly misspelled, because JMESPath evaluates an unknown name to null. No error, because a service may send more.
 * @returns a sentence for each
 */
export function unknownNames(tree: QueryNode, item: Field): readonly string[] {
  if (!isKnown(item)) return [];
  const documented = new Set(fieldNames(item).flatMap((name) => name.split('.')));
  const defined = new Set<string>();
  const read = new Set<string>();
  const isOpen = (node: QueryNode): boolean => node.type === 'Field' && item.fields?.[node.name]?.kind === 'any';
  for (const node of nodesIn(tree)) {
    if (node.type === 'MultiSelectHash') for (const { name } of node.children) defined.add(name);
    else if (node.type === 'Field') read.add(node.name);
    // What is below a value that only the data shows has no documented names.
    if (node.type === 'Subexpression' && [...nodesIn(node.left)].some(isOpen))
      for (const below of nodesIn(node.right)) if (below.type === 'Field') defined.add(below.name);
  }
  // A field named null, which no item has, is as good as the value.
  const unknown = [...read].filter((name) => name !== 'null' && !documented.has(name) && !defined.has(name));
  return unknown.map((name) => {
    const meant = BOOLEANS.has(name)
      ? `The value is written \`${name}\`, with backticks.`
      : didYouMean(name, documented);
    return [`--query: no documented field is named "${name}".`, meant].filter(Boolean).join(' ');
  });
}
