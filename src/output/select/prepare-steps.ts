/** Compiles and checks `--fields`, `--sort` and `--query` against the shape of the items, before any request is sent. */
import type { Field } from '../../contract/vocabulary.js';
import { usageError } from '../../core/errors.js';
import type { OutputSettings } from '../output-settings.js';
import { fieldAt, fieldsBehind, isKnown, knownField } from './fields.js';
import type { Steps } from './pipeline.js';
import type { Query } from './query.js';

export interface Prepared {
  readonly steps: Steps;
  /** The shape of a row before `--fields`; of kind `any` if it is not known. */
  readonly shape: Field;
  /** The requested fields and headings as spelt in the shape. */
  readonly names: readonly string[] | undefined;
  readonly warnings: readonly string[];
}

interface RowShape {
  readonly shape: Field;
  readonly areLists?: boolean;
  readonly warnings?: readonly string[];
}

/** @param isList the query applies to a list of such items, not to one */
async function queriedShape({ tree }: Query, shape: Field, isList: boolean): Promise<RowShape> {
  const { areListsOf, itemResultShape, resultShape, unknownNames } = await import('./result-shape.js');
  return {
    shape: isList ? resultShape(tree, shape) : itemResultShape(tree, shape),
    areLists: isList && areListsOf(tree, shape),
    warnings: unknownNames(tree, shape),
  };
}

/** True for a name that only the data shows. */
const isOpen = (name: string, shape: Field): boolean =>
  !isKnown(shape) || name.split('.').some((_, at, path) => fieldAt(shape, path.slice(0, at))?.kind === 'any');

function namesOf(fields: readonly string[], { shape, areLists }: RowShape): readonly string[] {
  if (areLists) throw usageError('--fields: the rows of --query are lists, without fields.', 'Name them: [].{id: id}.');
  return [...new Set(fields.map((name) => (isOpen(name, shape) ? name : knownField(name, shape, '--fields'))))];
}

async function requireIds(
  { shape }: RowShape,
  fields: readonly string[] | undefined,
  isQueried: boolean,
): Promise<void> {
  const { hasIds } = await import('../writers/ids.js');
  if (hasIds(shape, fields)) return;
  if (!isQueried && fields === undefined)
    throw usageError('This command prints no IDs.', 'Use another --output, such as json or tsv.');
  const only = (fields ?? Object.keys(shape.fields ?? {})).join(', ');
  throw usageError(
    `${fields === undefined ? '--query' : '--fields'}: the result has no ID to print, only ${only}.`,
    'Select the ID, as in [].id, or print the result with --json.',
  );
}

/**
 * @param isList the command prints a list of items of this shape, not one
 * @throws EduError `usage` for names, expressions and formats that do not fit the shape
 */
export async function prepareSteps(
  { fields, sort, query: expression, limit, idsIfAny }: OutputSettings,
  shape: Field,
  { isList, idsOnly }: { readonly isList: boolean; readonly idsOnly: boolean },
): Promise<Prepared> {
  const sorting = sort && (await import('./sort.js')).checkSort(sort, shape);
  const query = expression === undefined ? undefined : (await import('./query.js')).compileQuery(expression);
  const row: RowShape = query === undefined ? { shape } : await queriedShape(query, shape, isList);
  const names = fields && namesOf(fields, row);
  const paths = names?.flatMap((name) => fieldsBehind(name, row.shape));
  if (idsOnly && idsIfAny !== true) await requireIds(row, paths, query !== undefined);
  const openFields = paths?.filter((name) => isOpen(name, row.shape)) ?? [];
  const steps = { sort: sorting, query, limit, fields: paths, openFields, areItemsUnknown: !isKnown(shape) };
  return { steps, shape: row.shape, names, warnings: row.warnings ?? [] };
}
