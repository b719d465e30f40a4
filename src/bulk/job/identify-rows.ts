/** Computes the identities of all rows of an input, and finds the invalid ones. */
import { createHash } from 'node:crypto';
import { seenKeys } from '../../core/seen-keys.js';
import type { OwnCells } from '../input/own-cells.js';
import { ProblemList } from '../input/problem-list.js';
import { keyOfRow, sameKeyText } from '../input/read-row.js';
import type { References } from '../input/resolve-references.js';
import { openRows, rowsOf, valuesReader } from '../input/row-source.js';
import type { Verb } from '../row-command.js';
import { DIGEST_BYTES, digestWriter, rowTexts } from './identity.js';
import type { Manifest } from './job-manifest.js';
import type { Outcome } from './states.js';

/** Gives equal texts different numbers: the wanted one if it is free, else the lowest free one. */
class Numbers {
  readonly #taken = seenKeys();
  /** The lowest number of a text that may be free, plus 1. */
  readonly #next = seenKeys();

  has(text: string, number: number): boolean {
    return this.#taken.get(`${number}\n${text}`) !== undefined;
  }

  /** @param others numbers that are not free, either */
  take(text: string, wanted?: number, others?: Numbers): number {
    const isFree = (number: number): boolean => !this.has(text, number) && others?.has(text, number) !== true;
    if (wanted !== undefined && isFree(wanted)) return this.#note(text, wanted);
    let number = (this.#next.get(text) ?? 1) - 1;
    while (!isFree(number)) number++;
    this.#next.set(text, number + 2);
    return this.#note(text, number);
  }

  #note(text: string, number: number): number {
    this.#taken.set(`${number}\n${text}`, 1);
    return number;
  }
}

/**
 * Numbers rows in two passes. Rows of a results file that name their item keep its number, so that an equal row added to
 * the file counts after them and is another item.
 */
export class EqualNumbers {
  readonly #reserved = new Numbers();
  readonly #named = new Numbers();
  readonly #others = new Numbers();

  /** First pass. @param wanted the number in a results file, if it has one */
  reserve(text: string, wanted: number | undefined): void {
    this.#reserved.take(text, wanted);
  }

  /** Second pass: a row that was reserved, in the same order. */
  reserved(text: string, wanted: number | undefined): number {
    return this.#named.take(text, wanted);
  }

  /** Second pass: any other row. */
  other(text: string): number {
    return this.#others.take(text, undefined, this.#reserved);
  }
}

/** True if a row of a results file names an item, or its number among equal rows. */
const namesItem = (own: OwnCells | undefined): own is OwnCells =>
  own?.id !== undefined || own?.code !== undefined || own?.equal !== undefined;

/** UTF-16 units of the values of rows that are hashed at once. */
const MAX_TEXTS = 4096;

/**
 * Reads the input a second time.
 * @param defaultOrganization the organization of rows without one
 * @param invalid problems of the skipped rows, by row number
 * @param hasOwn whether the input has `edu_` columns
 */
export async function identifyRows(
  verb: Verb,
  folder: string,
  manifest: Manifest,
  references: References,
  defaultOrganization: string,
  invalid: ReadonlyMap<number, string>,
  hasOwn: boolean,
) {
  /** `DIGEST_BYTES` for each row, in order. */
  const digests = Buffer.alloc(manifest.rows * DIGEST_BYTES);
  const writeDigest = digestWriter(manifest, digests);
  const textsOf = rowTexts(verb, defaultOrganization);
  const numbers = new EqualNumbers();
  if (hasOwn && verb.creates) {
    const first = await openRows(folder, manifest);
    const readFirst = valuesReader(verb, first, manifest.values, undefined);
    for await (const rows of rowsOf(first, manifest.rows)) {
      for (const { values, own } of rows.map(readFirst))
        if (namesItem(own)) numbers.reserve(textsOf(references.identifying(values)).row, own.equal);
    }
  }
  const input = await openRows(folder, manifest);
  const read = valuesReader(verb, input, manifest.values, undefined);
  // Keys that contain references can be compared only after these are resolved: concurrent updates of one item, named
  // in two ways, would undo each other.
  const keyHasReferences = verb.columns.some(({ name, refersTo }) => refersTo !== undefined && verb.key.includes(name));
  const keys = keyHasReferences && references.replaces ? seenKeys() : undefined;
  /** Rows that have the key of an earlier row once their references are resolved. They are invalid. */
  const doubled = new ProblemList();
  /** Number of equal rows before each row. */
  const befores = new Uint32Array(manifest.rows);
  /** Rows that are not sent. */
  const settled: (Outcome & { readonly row: number })[] = [];
  const hash = createHash('sha256');
  /** Number of rows that are equal to an earlier one. */
  let equal = 0;
  let invalidCount = 0;
  let shared: string | undefined;
  for await (const rows of rowsOf(input, manifest.rows)) {
    let texts = '';
    for (const row of rows) {
      let text = shared;
      let before = row.number - 1;
      if (text === undefined) {
        const { values: written, own } = read(row);
        const values = references.identifying(written);
        const wrong = invalid.get(row.number) ?? references.problemOf(written);
        const key = wrong === undefined && keys !== undefined ? keyOfRow(verb, values) : undefined;
        const first = key === undefined ? undefined : keys?.note(key, row.line);
        const error = first === undefined ? wrong : sameKeyText(verb, values, first);
        if (error !== undefined && first !== undefined) doubled.add(row.line, error);
        if (error !== undefined) {
          invalidCount++;
          settled.push({ row: row.number, state: 'invalid', error });
          texts += JSON.stringify(row.cells);
          continue;
        }
        const both = textsOf(values);
        text = both.row;
        texts += both.whole;
        if (input === undefined) shared = text;
        else {
          if (both.isKeyed) before = 0;
          else before = verb.creates && namesItem(own) ? numbers.reserved(text, own.equal) : numbers.other(text);
          // A job checks what its file claims, so the same rows with other claims are another job.
          if (verb.creates && own?.isMade) texts += JSON.stringify([own.id, own.code]);
        }
      }
      if (before > 0) equal++;
      befores[row.number - 1] = before;
      writeDigest(row.number, text, before);
      // A text grows as a tree of its parts, which garbage collection must copy while it lives.
      if (texts.length > MAX_TEXTS) {
        hash.update(texts);
        texts = '';
      }
    }
    hash.update(texts);
  }
  return {
    digests,
    settled,
    invalid: invalidCount,
    doubled,
    /** A hash of the values of all rows, in order. */
    values: hash.update(String(manifest.rows)).digest('hex'),
    equal,
    before: befores,
  };
}
