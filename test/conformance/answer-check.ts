/**
 * Compares the JSON of a response with the documented fields of its endpoint: nothing missing, nothing extra, right
 * types.
 */
import { NULLABLE } from '../contract/documented-shapes.js';
import { DOCUMENTED, type DocumentedEndpoint } from '../contract/endpoint-table.js';

const byRoute = new Map(DOCUMENTED.map((row) => [row.route, row]));

export function documentedRow(route: string): DocumentedEndpoint {
  const row = byRoute.get(route);
  if (!row) throw new Error(`test/contract/endpoint-table.ts has no ${route}: copy its row from the API document`);
  return row;
}

const BOOLEANS = new Set(['active', 'pdfDownloadable']);
const NUMBERS = new Set([
  'year',
  'maximumActivations',
  'numberOfActivations',
  'days',
  'indexPageNumber',
  'pageNumberOffset',
]);

/** Fields that may be blank, and are then null ("Blank fields are returned as null; they are not omitted"). */
const MAY_BE_NULL = new Set([
  ...NULLABLE.map(([, leaf]) => leaf.slice(leaf.lastIndexOf('.') + 1)),
  'level',
  'secondSubject',
  'tableOfContents',
  'indexPageNumber',
  'pageNumberOffset',
  'books',
  'expiration',
  'date',
  'licenseCategory',
  'nextCursor',
]);

interface Tree {
  readonly members: Map<string, Tree>;
  list: boolean;
  optional: boolean;
}

const newTree = (optional: boolean): Tree => ({ members: new Map(), list: false, optional });

function grow(root: Tree, leaf: string, optional: boolean): void {
  let tree = root;
  for (const segment of leaf.split('.')) {
    const list = segment.endsWith('[]');
    const name = list ? segment.slice(0, -2) : segment;
    // A top-level array has no name.
    if (name !== '') {
      const next = tree.members.get(name) ?? newTree(optional);
      tree.members.set(name, next);
      if (!optional) next.optional = false;
      tree = next;
    }
    if (list) tree.list = true;
  }
}

function problemsAt(tree: Tree, value: unknown, path: string, name: string): string[] {
  if (value === null) return MAY_BE_NULL.has(name) ? [] : [`${path} is null (see NULLABLE in documented-shapes.ts)`];
  if (tree.list) {
    if (!Array.isArray(value)) return [`${path} is not a list`];
    return value.flatMap((item, index) => problemsOfItem(tree, item, `${path}[${index}]`, name));
  }
  return problemsOfItem(tree, value, path, name);
}

function problemsOfItem(tree: Tree, value: unknown, path: string, name: string): string[] {
  if (tree.members.size === 0) {
    const wanted = BOOLEANS.has(name) ? 'boolean' : NUMBERS.has(name) ? 'number' : 'string';
    const problem = `${path} is ${JSON.stringify(value)}, not a ${wanted} (see BOOLEANS and NUMBERS in answer-check.ts)`;
    return typeof value === wanted ? [] : [problem];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} is not an object`];
  const given = value as Readonly<Record<string, unknown>>;
  const extra = Object.keys(given).filter((key) => !tree.members.has(key));
  return [
    ...extra.map((key) => `${path}.${key} is not documented`),
    ...[...tree.members].flatMap(([key, member]) =>
      key in given
        ? problemsAt(member, given[key], `${path}.${key}`, key)
        : member.optional
          ? []
          : [`${path}.${key} is missing`],
    ),
  ];
}

/** A value with null for each documented member that it lacks. */
function filled(tree: Tree, value: unknown, inList = false): unknown {
  if (tree.list && !inList && Array.isArray(value)) return value.map((item) => filled(tree, item, true));
  if (typeof value !== 'object' || value === null || tree.members.size === 0) return value;
  const given = value as Readonly<Record<string, unknown>>;
  const missing = [...tree.members].filter(([name, { optional }]) => !optional && !(name in given));
  return {
    ...Object.fromEntries(missing.map(([name]) => [name, null])),
    ...Object.fromEntries(
      Object.entries(given).map(([name, item]) => {
        const member = tree.members.get(name);
        return [name, member ? filled(member, item) : item];
      }),
    ),
  };
}

function treeOf(route: string): Tree | undefined {
  const { answer, maybe = [] } = documentedRow(route);
  if (typeof answer === 'string') return;
  const root = newTree(false);
  for (const leaf of maybe) grow(root, leaf, true);
  for (const leaf of answer) grow(root, leaf, false);
  return root;
}

/** The response of a service that omits blank members, with null for each of them. */
export function withNulls(route: string, json: unknown): unknown {
  const root = treeOf(route);
  return root === undefined ? json : filled(root, json);
}

/**
 * The problems of a response: one line per field. Empty if it has exactly the documented fields. Undocumented shapes
 * pass.
 */
export function problemsOfAnswer(route: string, json: unknown): string[] {
  const root = treeOf(route);
  return root === undefined ? [] : problemsAt(root, json, 'answer', '');
}
