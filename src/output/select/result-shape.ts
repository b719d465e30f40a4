/** Derives the shape of a query's results from its expression, for the columns of tables and records. */
import type { Field } from '../../contract/vocabulary.js';
import { isData, type QueryNode } from './query.js';

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
      return left === undefined ? undefined : valueShape(node.right, left);
    }
    case 'MultiSelectHash':
      return record(node.children.map(({ name, value }) => [name, valueShape(value, item)]));
    case 'MultiSelectList':
      return record(node.children.map((child, index) => [`${index + 1}`, valueShape(child, item)]));
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

/**
 * @param item the shape of the items that the expression is applied to
 * @returns undefined if the shape is not known, or the results are lists
 */
export function resultShape(tree: QueryNode, item: Field): Field | undefined {
  if (tree.type === 'Pipe') {
    const left = resultShape(tree.left, item);
    return left === undefined ? undefined : resultShape(tree.right, left);
  }
  if (tree.type !== 'FilterProjection' && tree.type !== 'Projection') return undefined;
  let base: Field | undefined;
  const { left } = tree;
  if (isData(left)) base = item;
  else if (left.type === 'Flatten') {
    const { child } = left;
    const inner = isData(child) ? item : listShape(child, item);
    // Flattening affects only lists.
    base = inner?.kind === 'list' ? inner.of : inner;
  }
  const result = base === undefined ? undefined : valueShape(tree.right, base);
  return result?.kind === 'list' ? undefined : result;
}

/** Like `resultShape`, for results that are flattened next and may be lists. */
function listShape(tree: QueryNode, item: Field): Field | undefined {
  if (tree.type !== 'FilterProjection' && tree.type !== 'Projection') return undefined;
  const { left } = tree;
  const isPlain = isData(left) || (left.type === 'Flatten' && isData(left.child));
  return isPlain && item.kind !== 'list' ? valueShape(tree.right, item) : undefined;
}

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
