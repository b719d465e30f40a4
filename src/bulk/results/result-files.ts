/** Writes `--results`, `--failed` and the IDs of a job to files or stdout. */
import { EduError, usageError } from '../../core/errors.js';
import { isGiven } from '../../core/flag-values.js';
import { isStdout, writeOutput } from '../../core/fs/output-file.js';
import { shellLine } from '../../core/shell.js';
import { type Encoding, encoder } from '../../core/table/encoding.js';
import type { Rows } from '../../core/table/rows.js';
import { MAX_ROWS } from '../../core/table/xlsx/sheet-limits.js';
import { excelDelimiter } from '../../output/writers/csv-line.js';
import type { ExcelDelimiter } from '../../output/writers/writer.js';
import type { BulkHost } from '../host.js';
import type { Manifest } from '../job/job-manifest.js';
import { type JobFolder, journalFile } from '../job/job-store.js';
import { Journal } from '../job/journal.js';
import { isDone, type Outcome } from '../job/states.js';
import { isWorkbook, type ResultParts, type ResultShape, resultParts, resultPieces, shapeFor } from './results.js';

export interface DoneRow extends Pick<Outcome, 'id' | 'code'> {
  readonly row: number;
  readonly status: Outcome['state'];
}

export interface ResultTargets {
  readonly results: string | undefined;
  readonly failed: string | undefined;
}

/** Fails early, before rows are sent. @throws a usage error for a form in which rows cannot be written */
function checkTarget(flag: string, file: string | undefined, rows: number): void {
  if (file === undefined || isStdout(file)) return;
  if (isWorkbook(file) && rows >= MAX_ROWS)
    throw usageError(`${flag} ${file}: a sheet has room for ${MAX_ROWS - 1} rows, not ${rows}.`, 'Name the file .csv.');
  if (/\.(xls[mb]?|parquet|ya?ml)$/i.test(file))
    throw usageError(
      `${flag} ${file}: rows are written as csv, tsv, json, ndjson or xlsx.`,
      'Name the file .xlsx or .csv.',
    );
}

/** @throws EduError `usage` for a flag that selects from the description of a job, or is about its line */
export function requireWholeRows(globals: BulkHost['globals']): void {
  const selecting = ['fields', 'query', 'no-header'].find((name) => isGiven(globals, name));
  if (selecting !== undefined) throw usageError(`--${selecting} does not apply to results, which are whole rows.`);
}

/** The delimiter of `--excel`; undefined without. */
export const excelOf = ({ globals, language }: Pick<BulkHost, 'globals' | 'language'>): ExcelDelimiter | undefined =>
  globals.excel === true ? excelDelimiter(language()) : undefined;

/** Checks both files for the results of some rows before they are sent. @throws a usage error for a form in which rows cannot be written */
export function checkTargets(
  { results, failed }: ResultTargets,
  rows: number,
  host: Pick<BulkHost, 'globals' | 'language'>,
): void {
  checkTarget('--results', results, rows);
  if (results !== undefined) shapeFor(results, excelOf(host));
  checkTarget('--failed', failed, rows);
}

/** The error for results that could not be written although the rows are done. */
const notWritten = (error: EduError, flag: string, { id }: Manifest): EduError =>
  error.with({
    kind: 'internal',
    message: `${error.message} The outcome of each row is still recorded.`,
    hint: `Write it to another file: ${shellLine('edu', 'jobs', 'resume', id, flag, 'FILE')}`,
  });

/**
 * @param withCodes add derived codes to `--failed`, so that retried rows keep them
 * @param form a file name whose ending gives the form of `--results`
 */
export async function writeResults(
  { results, failed }: ResultTargets,
  manifest: Manifest,
  parts: ResultParts,
  withCodes: boolean,
  context: BulkHost,
  form = results,
): Promise<void> {
  const write = async (flag: string, file: string, encoding: Encoding, pieces: ReturnType<typeof resultPieces>) => {
    if (isStdout(file)) {
      const printer = await context.printer();
      for await (const piece of pieces) await printer.raw(piece);
      return;
    }
    const encode = encoder(encoding);
    // Only a workbook is bytes in every encoding; JSON is written as UTF-8.
    const isText = encoding !== 'utf-8' && !isWorkbook(file);
    const bytes = async function* () {
      for await (const piece of pieces)
        yield typeof piece === 'string' ? encode(piece) : isText ? encode(Buffer.from(piece).toString()) : piece;
    };
    await writeOutput(file, bytes(), { signal: context.signal }).catch((error: unknown) => {
      throw error instanceof EduError ? notWritten(error, flag, manifest) : error;
    });
  };
  if (results !== undefined) {
    const shape = shapeFor(form ?? results, excelOf(context));
    await write(
      '--results',
      results,
      'utf-8',
      resultPieces(parts, () => shape),
    );
  }
  if (failed === undefined) return;
  // But for a workbook, it has the form of the input, so that `--from` with the same flags reads it.
  const shapeOf = (rows: Rows | undefined): ResultShape => {
    if (rows === undefined || isWorkbook(failed)) return shapeFor(failed);
    const { format, delimiter } = rows;
    return { format, delimiter, marked: manifest.marked };
  };
  await write('--failed', failed, manifest.encoding ?? 'utf-8', resultPieces(parts, shapeOf, true, withCodes));
}

/**
 * Writes the current outcome of each row of a job, in input order.
 * @param form a file name whose ending gives the form
 */
export async function writeOutcomes(job: JobFolder, results: string, context: BulkHost, form = results): Promise<void> {
  const { manifest } = job;
  const targets = { results, failed: undefined };
  checkTargets(targets, manifest.rows, context);
  const journal = await Journal.reading(journalFile(job), manifest.rows);
  try {
    await writeResults(targets, manifest, resultParts(job, journal), false, context, form);
  } finally {
    await journal.close();
  }
}

/** The done rows of a job, in input order. */
export function* doneRows(journal: Journal, { rows }: Manifest): Generator<DoneRow> {
  for (let row = 1; row <= rows; row++) {
    const status = journal.state(row);
    if (!isDone(status)) continue;
    const { id, code } = journal.outcome(row);
    yield { row, status, id, code };
  }
}
