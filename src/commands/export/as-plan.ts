/** Runs `edu export --as-plan`: writes the actual state as a wanted state to edit. */
import { textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { integer, object, text } from '../../contract/vocabulary.js';
import { EduError, usageError } from '../../core/errors.js';
import { checkFree } from '../../core/fs/output-file.js';
import { grouped } from '../../core/maps.js';
import { plural } from '../../core/plural.js';
import { inLockedFolder } from '../../export/collect/export.js';
import { wantOf } from '../../plan/as-want.js';
import { NOTHING_WANTED, type Want } from '../../plan/want.js';
import { PLANNABLE, type Plannable } from '../../plan/want-columns.js';
import { WANT_FILES, type WantFormat, writeWant } from '../../plan/write-want.js';
import { readFor, warnOfHidden } from '../plan/make-plan.js';
import { namedResources } from './check-flags.js';

const FILE = object(
  { resource: text('resource'), items: integer('number of rows'), file: text('name of the file') },
  'file of a wanted state',
);

/** A wanted state that refers to everything, so that all of it is read. */
function everything(
  organizations: readonly { readonly id: string; readonly type: string }[],
  wanted: ReadonlySet<string>,
): Want {
  const at = '';
  const schools = organizations.filter(({ type }) => type === 'School');
  const people = ['users', 'classes', 'licenses'].some((name) => wanted.has(name));
  return {
    ...NOTHING_WANTED,
    users: people ? organizations.map(({ id }) => ({ at, organization: id, roles: [] })) : [],
    classes: wanted.has('classes') ? schools.map(({ id }) => ({ at, school: id })) : [],
    licenses: wanted.has('licenses') ? [{ at, endUsers: [] }] : [],
    books: wanted.has('books') || wanted.has('licenses') ? [{ at }] : [],
    readers: wanted.has('readers') ? [{ at }] : [],
  };
}

function resourcesOf(values: Values): ReadonlySet<string> {
  const named = namedResources(values);
  const other = named.find((name) => !(PLANNABLE as readonly string[]).includes(name));
  if (other !== undefined) throw usageError(`--as-plan cannot write ${other}.`, `Resources: ${PLANNABLE.join(', ')}`);
  return new Set(named.length > 0 ? named : PLANNABLE);
}

export async function exportAsPlan(values: Values, context: Context): Promise<void> {
  const folder = textOf(values, 'to') ?? '';
  const wanted = resourcesOf(values);
  if (textOf(values, 'format') === 'parquet')
    throw usageError('--format parquet does not apply to --as-plan, which writes files to edit.', 'Use --format xlsx.');
  checkFree(folder, WANT_FILES);
  const printer = await context.printer();
  await printer.check(FILE, 'list');
  const files = await inLockedFolder(folder, context.machine, () => writeActual(folder, wanted, values, context));
  if (!printer.traits.idsOnly) await printer.list(files, { shape: FILE, noun: 'files' });
}

/** Reads the actual state, and writes it to files. @returns the files */
async function writeActual(folder: string, wanted: ReadonlySet<string>, values: Values, context: Context) {
  const { organizations } = await readFor(NOTHING_WANTED, context);
  const actual = await readFor(everything(organizations, wanted), context);
  const left: string[] = [];
  const rows = wantOf(actual, (resource, field) => wanted.has(resource) && left.push(`${field} of ${resource}`));
  const hidden = new Set<string>(actual.hiddenLists?.keys());
  if (actual.hiddenSchools.size > 0) hidden.add('classes');
  const unseen = namedResources(values).find((name) => hidden.has(name) && rows[name as Plannable].length === 0);
  if (unseen !== undefined)
    throw new EduError('forbidden', `Cannot export ${unseen}: no list of ${unseen} can be read.`);
  await warnOfHidden(actual, context);
  for (const [what, all] of grouped(left, (one) => [one]))
    await context.warn(`left out, because a plan could not read it back: ${what} (${plural(all.length, 'row')})`);
  const format = (textOf(values, 'format') ?? 'ndjson') as WantFormat;
  return writeWant(rows, wanted, folder, format);
}
