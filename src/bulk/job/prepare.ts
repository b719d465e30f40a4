/**
 * Prepares a job from a command line: copies and checks the input, looks up references, and finds or creates the job.
 */

import { resolve } from 'node:path';
import { usageError } from '../../core/errors.js';
import { writing } from '../../core/fs/disk-errors.js';
import { replaceContent } from '../../core/fs/write-file.js';
import { plural } from '../../core/plural.js';
import { isIn, type Shard, shardOf } from '../../core/shard.js';
import { shellLine } from '../../core/shell.js';
import { keepHeapSmall } from '../../core/v8-flags.js';
import type { BulkHost } from '../host.js';
import { type Checked, check, namesText } from '../input/check-rows.js';
import { countedRows } from '../input/counted-rows.js';
import { InputCopy, openSource } from '../input/input-copy.js';
import { badInput, ProblemList } from '../input/problem-list.js';
import { References } from '../input/resolve-references.js';
import { doneIn, summaryOf } from '../results/summary.js';
import type { Values } from '../row-command.js';
import type { BulkRequest } from './bulk-request.js';
import { type Examined, examineRows } from './examine-rows.js';
import { identifyRows } from './identify-rows.js';
import { contentOf, jobId, type Scope } from './identity.js';
import { type Manifest, rowsIn } from './job-manifest.js';
import {
  allJobs,
  findJob,
  isSameScope,
  type JobFolder,
  jobOfDraft,
  journalFile,
  makeDraft,
  removeFolder,
  wordFor,
} from './job-store.js';
import { Journal } from './journal.js';
import { ownerOf } from './owner.js';
import { writeRows } from './rows-file.js';

function checkName({ options: { job: name }, verb }: BulkRequest, scope: Scope, context: BulkHost): void {
  if (name === undefined) return;
  const isOther = ({ manifest }: JobFolder): boolean =>
    manifest.name === name &&
    (manifest.path !== verb.path || manifest.baseUrl !== scope.baseUrl || manifest.organization !== scope.organization);
  const other = allJobs(context.env).find(isOther);
  if (other === undefined) return;
  const { path, organization, rows } = other.manifest;
  throw usageError(
    `--job ${JSON.stringify(name)} is the name of another job: ${path}, ${rows} rows, organization ${organization}.`,
    `Choose another name, or remove that job: ${shellLine('edu', 'jobs', 'remove', wordFor(other))}`,
  );
}

/** The job of the same command line and the same input bytes, whose references need no look-up. */
function jobOfContent(manifest: Manifest, context: BulkHost): JobFolder | undefined {
  const same = ({ manifest: other }: JobFolder): boolean =>
    other.content === manifest.content &&
    isSameScope(other, manifest) &&
    other.name === manifest.name &&
    JSON.stringify(other.shard) === JSON.stringify(manifest.shard);
  return allJobs(context.env).find(same);
}

/** Copies the input into a draft and checks it. @throws EduError `usage` with all problems */
async function checkedInput(
  { verb, options, line, defaults }: BulkRequest,
  draft: string,
  references: References,
  context: BulkHost,
) {
  const { from, count = 0, reading, skipsInvalid } = options;
  keepHeapSmall();
  // What a name means may depend on the organization of the settings.
  const values = { ...defaults, ...line };
  /** @param rows a hash of the rows, or their number */
  const facts = (rows: string) => ({
    content: contentOf([rows, line, defaults, ...(reading === undefined ? [] : [reading])]),
    reading,
  });
  if (from === undefined) {
    references.note(values);
    const isExamined = verb.examines?.(values) === true;
    const checked = { rows: count, copied: count - 1, invalid: new Map<number, string>(), hasOwn: false, isExamined };
    return { checked, encoding: null, marked: false, ...facts(`count ${count}`) };
  }
  const { input, close } = await openSource(
    from,
    { reading, folder: () => draft, mayBeEmpty: !verb.creates },
    context.io.stdin,
    context.signal,
  );
  const copy = new InputCopy(draft);
  try {
    const { input: counted, none } = countedRows(input, verb);
    const checking = check(counted, verb, values, references, context.signal, skipsInvalid, copy);
    const { problems, notes, ...checked } = await context.during('Checking the rows', checking);
    if (problems.count > 0) throw badInput(from, problems.problems(), problems.count);
    if (none() > 0)
      await context.warn(`${plural(none(), 'row')} with the count 0 ${none() === 1 ? 'creates' : 'create'} nothing.`);
    if (checked.rows === 0 && reading?.where !== undefined)
      await context.warn(`No row has ${reading.where.join(' and ')}.`);
    for (const note of notes) await context.warn(note);
    return { checked, encoding: input.encoding, marked: input.marked, ...facts(copy.end()) };
  } finally {
    copy.close();
    close();
  }
}

/** Writes the identities of a draft's rows, and records the invalid ones. */
async function identified(
  { verb, defaults, options }: BulkRequest,
  draft: string,
  manifest: Manifest,
  references: References,
  checked: Pick<Checked, 'invalid' | 'hasOwn'>,
  signal: AbortSignal,
) {
  const { organization = manifest.organization } = defaults;
  if (manifest.input === null) {
    const missing = references.problemsOf(manifest.values);
    if (missing.length > 0)
      throw badInput(
        undefined,
        missing.map(({ name, message }) => ({ where: `--${name}`, message })),
      );
  }
  const rows = await identifyRows(verb, draft, manifest, references, String(organization), checked, signal);
  const { problems: found } = rows;
  const details = found.problems();
  if (details.length > 0 && !options.skipsInvalid)
    throw references.unread?.with({ details }) ?? badInput(options.from, details, found.count);
  if (rows.settled.length > 0 && rows.settled.length === manifest.rows) {
    const problems = new ProblemList('row');
    for (const { row, error = '' } of rows.settled) problems.add(row, error);
    throw badInput(options.from, problems.problems(), problems.count);
  }
  // Made codes tell the rows of --count apart, which nobody edits.
  const areItems = rows.equal > 0 && verb.creates && (verb.codeOf === undefined || manifest.input !== null);
  const settled = rows.settled.filter(({ row }) => isIn(manifest.shard ?? undefined, row));
  const text = settled.map((outcome) => `${JSON.stringify(outcome)}\n`).join('');
  writing(draft, () => {
    writeRows(draft, rows.digests, areItems ? rows.before : undefined);
    if (text !== '') replaceContent(journalFile({ folder: draft }), text, { flush: true });
  });
  return rows;
}

/**
 * Reports the problems of examined rows, and asks the user about the others.
 * @returns values for every row that follow from the answers
 * @throws EduError `usage` for a problem, or without a decision
 */
async function decide(
  { options, decideReset, confirmRisks }: BulkRequest,
  { problems, unseen, resets, risks }: Examined,
  context: BulkHost,
): Promise<Values> {
  if (problems.count > 0) throw badInput(options.from, problems.problems(), problems.count);
  if (unseen.length > 0)
    await context.warn(`Not compared, because the service shows them in lists only: ${namesText(unseen)}.`);
  const decided = resets.length === 0 ? {} : await decideReset?.(resets);
  await confirmRisks(risks);
  return decided ?? {};
}

/** Number of rows to confirm: of an existing job those that remain, because those that `--limit` left were never confirmed. */
async function rowsToConfirm(job: JobFolder | undefined, rows: number): Promise<number> {
  if (job === undefined) return rows;
  const counts = await Journal.count(journalFile(job), job.manifest.rows);
  return summaryOf(job.manifest, counts).left || rows;
}

/**
 * How a job of the same command line and input goes on: `checked`, because rows that were skipped may be valid now, or
 * `again` from the start, because it is finished and creates nothing. What its rows refer to may be another item then.
 */
async function continuation(
  job: JobFolder,
  { verb: { creates }, options }: BulkRequest,
): Promise<'rest' | 'checked' | 'again'> {
  // Counting the rows of a large job takes a second.
  if (creates && options.skipsInvalid !== true) return 'rest';
  const counts = await Journal.count(journalFile(job), job.manifest.rows);
  if (counts.invalid > 0) return 'checked';
  return !creates && doneIn(counts) === rowsIn(job.manifest) ? 'again' : 'rest';
}

function requestedShard({ shard: text }: BulkRequest['options']): Shard | undefined {
  const shard = shardOf(text ?? '');
  if (text === undefined || shard !== undefined) return shard;
  throw usageError(`--shard must be a share such as 2/8, not ${JSON.stringify(text)}.`);
}

/**
 * @returns the job, the number of rows that are equal to an earlier one, and the identities of the rows of a new job
 * @throws EduError `usage` with all problems of the input
 */
export async function prepare(request: BulkRequest, context: BulkHost) {
  const { verb, options, line, defaults } = request;
  const { from, dryRun } = options;
  const shard = requestedShard(options);
  const draft = makeDraft(context.env, context.machine.unique());
  let isKept = false;
  try {
    const references = new References(verb, { ...context, organization: request.organization });
    const known = (job: JobFolder) => {
      // The job's copy of its input may name the same items in another way than this input.
      return { job, references: references.restore(job.folder), isKnown: true, isDraft: false, equal: 0 };
    };
    const { checked, ...input } = await checkedInput(request, draft, references, context);
    // Without a terminal this fails before any look-up, so that nothing at all is sent.
    const count = rowsIn({ rows: checked.rows, shard: shard ?? null });
    const confirms = verb.destroys && !dryRun && count > 0;
    if (confirms && !request.canConfirm) {
      const isSame = ({ manifest }: JobFolder) => manifest.content === input.content && manifest.path === verb.path;
      await request.confirm(await rowsToConfirm(allJobs(context.env).find(isSame), count));
    }
    const scope: Scope = {
      baseUrl: (await context.client()).baseUrl,
      organization: await ownerOf(context),
      path: verb.path,
      batch: options.batch ?? null,
    };
    checkName(request, scope, context);
    const draftManifest: Manifest = {
      version: 2,
      id: '',
      name: options.job ?? null,
      ...scope,
      values: { ...defaults, ...line },
      onExisting: options.onExisting,
      input: from ?? null,
      ...input,
      ...(verb.columns.some(({ form }) => form === 'file') ? { cwd: resolve('.') } : {}),
      shard: shard ?? null,
      rows: checked.rows,
      created: new Date(context.now()).toISOString(),
      checksums: {},
    };
    const same = jobOfContent(draftManifest, context);
    const confirm = async (job: JobFolder | undefined, losses?: Examined['losses']): Promise<void> => {
      if (confirms) await request.confirm(await rowsToConfirm(job, count), losses);
    };
    const knownOnce = async (job: JobFolder) => {
      await confirm(job);
      return known(job);
    };
    const how = same && (await continuation(same, request));
    if (same !== undefined && how === 'rest') return knownOnce(same);
    const isComplete = await context.during('Looking up references', references.resolve());
    // A user who was anonymized is not found by address again.
    if (same !== undefined && how === 'again' && verb.destroys && !isComplete) return knownOnce(same);
    const { values, equal, settled, digests } = await context.during(
      'Comparing with earlier jobs',
      identified(request, draft, draftManifest, references, checked, context.signal),
    );
    const manifest = { ...draftManifest, id: jobId(scope, draftManifest.name, values, shard) };
    const before = findJob(context.env, manifest.id);
    // A finished job starts again from the first row, whose items may have changed since.
    if (before !== undefined && (await continuation(before, request)) !== 'again') return knownOnce(before);
    const skipped = new Set(settled.map(({ row }) => row));
    const decidedBefore = { ...manifest, values: before?.manifest.values ?? manifest.values };
    const rows = { verb, folder: draft, manifest: decidedBefore, references, skipped, signal: context.signal };
    const isExamined = checked.isExamined || verb.pin !== undefined || (confirms && verb.lossOf !== undefined);
    const examining = isExamined && context.during('Reading existing items', examineRows(rows, options.skipsInvalid));
    const examined = examining ? await examining : undefined;
    references.store(draft);
    const decided = examined && (await decide(request, examined, context));
    await confirm(before, examined?.losses);
    if (before !== undefined) return known(before);
    const whole = { ...manifest, values: { ...manifest.values, ...decided } };
    const made = jobOfDraft(context.env, draft, whole, dryRun);
    isKept = !made.isKnown;
    if (made.isKnown) return known(made.job);
    return { ...made, references, equal: equal - checked.copied, digests };
  } finally {
    if (!isKept) removeFolder(draft);
  }
}
