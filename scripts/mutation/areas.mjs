/** The parts of src/ whose faults hurt most: what is created once, lists, files, plans, credentials. */
import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export const AREAS = [
  'client/create',
  'client/request',
  'client/lists',
  'bulk',
  'plan',
  'core/fs',
  'core/sort',
  'auth',
  'output/sanitize',
];

/** @param {string} root @param {string} area @returns {string[]} paths of its modules below src/ */
export function modulesOf(root, area) {
  const src = join(root, 'src');
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((path) => relative(src, join(src, path)).split(sep).join('/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .filter((path) => path.startsWith(`${area}/`) || path === `${area}.ts`)
    .sort();
}
