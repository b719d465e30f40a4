/** Computes the identities of all rows of an input, and finds those that cannot be used. */
import { createHash } from 'node:crypto';
import { seenKeys } from '../../core/seen-keys.js';
import type { InputRow } from '../../core/table/rows.js';
import type { Checked } from '../input/check-rows.js';
import type { OwnCells } from '../input/own-cells.js';
import { ProblemList } from '../input/problem-list.js';
import { keyOfRow, sameKeyText } from '../input/read-row.js';
import type { References } from '../input/resolve-references.js';
import { openRows, placesOf, rowsOf, valuesReader } from '../input/row-source.js';
import type { Values, Verb } from '../row-command.js';
import { DIGEST_BYTES, identities, rowTexts } from './identity.js';
import type { Manifest } from './job-manifest.js';
import type { Outcome } from './states.js';

/** Gives equal texts different numbers from 0. Numbers of rows that name their item are given before those of others. */
export function equalNumbers(rows = 0) {
  /** Numbers of rows that name their item. */
  const taken = seenKeys();
  /** Counts the numbers of a text that others have, or may have. */
  const next = seenKeys(rows);
  const isFree = (text: string, number: number): boolean => taken.get(`${number}\n${text}`) === undefined;

  /** The lowest free number. */
  function other(text: string): number {
    for (;;) {
      const number = next.count(text);
      if (isFree(text, number)) return number;
    }
  }

  /** The wanted number of a row that names its item if it is free, else the lowest free one. */
  function named(text: string, wanted: number | undefined): number {
    const number = wanted !== undefined && isFree(text, wanted) ? wanted : other(text);
    taken.set(`${number}\n${text}`, 1);
    return number;
  }

  return { named, other };
}

/** True if a row of a results file names an item, or its number among equal rows. */
const namesItem = (own: OwnCells | undefined): own is OwnCells =>
  own?.id !== undefined || own?.code !== undefined || own?.equal !== undefined;

/** The rows of a results file that name their item. */
async function* rowsThatName(verb: Verb, folder: string, manifest: Manifest, signal: AbortSignal) {
  const input = await openRows(folder, manifest);
  const read = valuesReader(verb, input, manifest.values, undefined);
  for await (const rows of rowsOf(input, manifest.rows, signal))
    for (const row of rows) {
      const { values, own } = read(row);
      if (namesItem(own)) yield { number: row.number, values, own };
    }
}

/**
 * Reads the input a second time. Rows of a results file that name their item keep its number among equal rows, so that an
 * equal row added to the file counts after them and is another item.
 * @param defaultOrganization the organization of rows without one
 * @param checked what the first pass found: problems of the skipped rows, and whether the input has `edu_` columns
 */
export async function identifyRows(
  verb: Verb,
  folder: string,
  manifest: Manifest,
  references: References,
  defaultOrganization: string,
  { invalid, hasOwn }: Pick<Checked, 'invalid' | 'hasOwn'>,
  signal: AbortSignal,
) {
  /** `DIGEST_BYTES` for each row, in order. */
  const digests = Buffer.alloc(manifest.rows * DIGEST_BYTES);
  const identityOf = identities(manifest);
  const textsOf = rowTexts(verb, defaultOrganization);
  /** Number of equal rows before each row. */
  const befores = new Uint32Array(manifest.rows);
  const { named, other } = equalNumbers(manifest.input === null ? 0 : manifest.rows);
  if (hasOwn && verb.creates)
    for await (const { number, values, own } of rowsThatName(verb, folder, manifest, signal))
      befores[number - 1] = named(identityOf(textsOf(references.identifying(values)).row, 0), own.equal);
  const input = await openRows(folder, manifest);
  const read = valuesReader(verb, input, manifest.values, undefined);
  const placeOf = placesOf(verb, input, manifest.values);
  // Keys that contain references can be compared only after these are resolved: concurrent updates of one item, named
  // in two ways, would undo each other.
  const keyHasReferences = verb.columns.some(({ name, refersTo }) => refersTo !== undefined && verb.key.includes(name));
  const keys = keyHasReferences && references.replaces ? seenKeys() : undefined;
  /** References that cannot be resolved, and rows that have the key of an earlier row once theirs are. */
  const problems = new ProblemList('line', undefined, input?.isSheet);
  /** Rows that are not sent. */
  const settled: (Outcome & { readonly row: number })[] = [];
  const hash = createHash('sha256');
  const shown = verb.columns.flatMap(({ name, form }) => (form === 'shown' ? [name] : []));
  /** Number of rows that are equal to an earlier one. */
  let equal = 0;
  let shared: string | undefined;

  /** Reports the problems of a row that were not known before. @returns them as a text; undefined if there are none */
  function problemOf(row: InputRow, written: Values, values: Values): string | undefined {
    const known = invalid.get(row.number);
    if (known !== undefined) return known;
    const missing = references.problemsOf(written);
    for (const { name, isSecond, message } of missing)
      problems.add(row.line, message, name === undefined ? undefined : placeOf(name, isSecond, row));
    if (missing.length > 0) return missing.map(({ message }) => message).join('; ');
    const key = keys && keyOfRow(verb, values);
    const first = key === undefined ? undefined : keys?.note(key, row.line);
    if (first === undefined) return undefined;
    const error = sameKeyText(verb, values, first);
    problems.add(row.line, error);
    return error;
  }

  function put(at: number, identity: string, before: number): void {
    digests.write(identity, at * DIGEST_BYTES, DIGEST_BYTES, 'binary');
    befores[at] = before;
    if (before > 0) equal++;
  }

  /** Identifies a row. @returns what it adds to the hash of all values */
  function take(row: InputRow): string {
    const at = row.number - 1;
    if (shared !== undefined) {
      put(at, identityOf(shared, at), at);
      return '';
    }
    const { values: written, own } = read(row);
    const values = references.identifying(written);
    const error = problemOf(row, written, values);
    if (error !== undefined) {
      settled.push({ row: row.number, state: 'invalid', error });
      return JSON.stringify(row.cells);
    }
    const { row: text, whole, isKeyed } = textsOf(values);
    // A job compares what its file shows, so the same rows with other cells are another job.
    const cells = shown.length === 0 ? '' : JSON.stringify(shown.map((name) => values[name] ?? null));
    // A job checks what its file claims, so the same rows with other claims are another job.
    const claim = verb.creates && own?.isMade ? JSON.stringify([own.id, own.code]) : '';
    const first = identityOf(text, 0);
    let before = 0;
    if (input === undefined) shared = text;
    else if (!isKeyed) before = verb.creates && namesItem(own) ? (befores[at] ?? 0) : other(first);
    put(at, before === 0 ? first : identityOf(text, before), before);
    return whole + cells + claim;
  }

  for await (const rows of rowsOf(input, manifest.rows, signal)) hash.update(rows.map(take).join(''));
  return {
    digests,
    settled,
    problems,
    /** A hash of the values of all rows, in order. */
    values: hash.update(String(manifest.rows)).digest('hex'),
    equal,
    before: befores,
  };
}
