/** Derives the shape of a query's results from its expression, for the columns of tables and records. */
import type { Field } from '../../contract/vocabulary.js';
import { didYouMean } from '../../core/suggest.js';
import { fieldNames, isKnown } from './fields.js';
import { isData, nodesIn, type QueryNode } from './query.js';

const scalar = (kind: Field['kind']): Field => ({ kind, description: '' });

/** Functions that never return a list or object. */
const SCALAR_FUNCTIONS = new Set(
  'abs avg ceil contains ends_with find_first find_last floor join length lower pad_left pad_right replace starts_with sum to_number to_string trim trim_left trim_right type upper'.split(
    ' ',
  ),
);

const isScalar = (field: Field | undefined): boolean =>
  field !== undefined && field.fields === undefined && field.kind !== 'list' && field.kind !== 'object';

/** An object with these members; undefined if the shape of one is not known. */
function record(members: readonly (readonly [string, Field | undefined])[]): Field | undefined {
  const known = members.flatMap(([name, field]) => (field === undefined ? [] : [[name, field] as const]));
  return known.length === members.length ? { ...scalar('object'), fields: Object.fromEntries(known) } : undefined;
}

/** The contract does not describe the contents of `any`. */
const known = (field: Field | undefined): Field | undefined => (field?.kind === 'any' ? undefined : field);

/** The shape of an expression's value; undefined if it is not known. */
function valueShape(node: QueryNode, item: Field): Field | undefined {
  switch (node.type) {
    case 'Identity':
    case 'Current':
      return known(item);
    case 'Field':
      return item.fields !== undefined && Object.hasOwn(item.fields, node.name)
        ? known(item.fields[node.name])
        : undefined;
    case 'Subexpression': {
      const left = valueShape(node.left, item);
      return left && valueShape(node.right, left);
    }
    case 'MultiSelectHash':
      return record(node.children.map(({ name, value }) => [name, valueShape(value, item)]));
    case 'MultiSelectList':
      return scalar('list');
    case 'Function':
      return SCALAR_FUNCTIONS.has(node.name) || node.name.startsWith('compare ') ? scalar('any') : undefined;
    case 'Comparator':
    case 'NotExpression':
      return scalar('boolean');
    case 'Arithmetic':
    case 'Unary':
      return scalar('number');
    case 'Literal':
      return typeof node.value === 'object' && node.value !== null ? undefined : scalar('any');
    case 'OrExpression':
    case 'AndExpression': {
      const both = [valueShape(node.left, item), valueShape(node.right, item)];
      return both.every(isScalar) ? scalar('any') : undefined;
    }
    default:
      return undefined;
  }
}

/** The shape of what a projection is applied to. */
function elementShape(left: QueryNode, item: Field): Field | undefined {
  if (isData(left)) return item;
  if (left.type !== 'Flatten') return undefined;
  const inner = isData(left.child) ? item : projectedShape(left.child, item);
  // Flattening affects only lists.
  return inner?.kind === 'list' ? inner.of : inner;
}

/** The shape of a result when it is printed: a multi-select list becomes a record with numbered columns. */
function rowShape(node: QueryNode, item: Field): Field | undefined {
  if (node.type === 'MultiSelectList')
    return record(node.children.map((child, index) => [`${index + 1}`, valueShape(child, item)]));
  if (node.type !== 'Subexpression') return valueShape(node, item);
  const left = valueShape(node.left, item);
  return left && rowShape(node.right, left);
}

/** The shape of each result of an expression that works item by item. @param shapeOf that of the last part */
function projectedShape(tree: QueryNode, item: Field, shapeOf = valueShape): Field | undefined {
  if (tree.type === 'Pipe') {
    const left = projectedShape(tree.left, item);
    return left && projectedShape(tree.right, left, shapeOf);
  }
  if (tree.type !== 'FilterProjection' && tree.type !== 'Projection') return undefined;
  const element = elementShape(tree.left, item);
  return element && shapeOf(tree.right, element);
}

/**
 * @param item the shape of the items that the expression is applied to
 * @returns undefined if the shape is not known, or the results are lists
 */
export function resultShape(tree: QueryNode, item: Field): Field | undefined {
  const result = projectedShape(tree, item, rowShape);
  return result?.kind === 'list' ? undefined : result;
}

/** The shape of the result of an expression about one item, or of its elements; undefined if it is not known. */
export function itemResultShape(tree: QueryNode, item: Field): Field | undefined {
  const result = valueShape(tree, item);
  return result?.kind === 'list' ? result.of : result;
}

/** Returns true if the results of an expression that works item by item are lists: `[].[id, name]`. */
export const areListsOf = (tree: QueryNode, item: Field): boolean => projectedShape(tree, item)?.kind === 'list';

/** The names of the fields in each result, if the expression ends in `{…}`; otherwise undefined. */
export function resultNames(tree: QueryNode): readonly string[] | undefined {
  switch (tree.type) {
    case 'MultiSelectHash':
      return tree.children.map(({ name }) => name);
    case 'Pipe':
    case 'Projection':
    case 'FilterProjection':
    case 'Subexpression':
      return resultNames(tree.right);
    default:
      return undefined;
  }
}

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
  for (const node of nodesIn(tree)) {
    if (node.type === 'MultiSelectHash') for (const { name } of node.children) defined.add(name);
    else if (node.type === 'Field') read.add(node.name);
  }
  const unknown = [...read].filter((name) => !documented.has(name) && !defined.has(name));
  return unknown.map((name) =>
    [`--query: no documented field is named "${name}".`, didYouMean(name, documented)].filter(Boolean).join(' '),
  );
}
