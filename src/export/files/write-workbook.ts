/** Writes the data files of an export once more, as the sheets of one workbook. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { writeOutput } from '../../core/fs/output-file.js';
import { recordColumns } from '../../output/writers/records.js';
import { WorkbookWriter } from '../../output/writers/workbook-writer.js';
import { sheetColumn } from '../../output/writers/xlsx.js';
import { EXPORTED, keyReader, RESOURCES } from '../collect/resources.js';
import { filesOf, type ManifestFacts, type WorkbookFacts } from './manifest.js';
import { readDataFile } from './read-data-file.js';

const WORKBOOK = 'export.xlsx';

/** `licenses.added.ndjson.gz` → `licenses.added` */
const sheetOf = (file: string): string => file.replace(/\.[a-z]+(?:\.gz)?$/, '');

async function* sheets(
  folder: string,
  { format, resources }: Pick<ManifestFacts, 'format' | 'resources'>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const book = new WorkbookWriter();
  for (const resource of RESOURCES) {
    const { shape } = EXPORTED[resource];
    const columns = recordColumns(shape);
    const own = resources[resource];
    for (const facts of own === undefined ? [] : filesOf(own)) {
      book.sheet(sheetOf(facts.file), columns.map(sheetColumn));
      const file = { folder, facts, format, keyOf: keyReader(EXPORTED[resource]), signal };
      for await (const entries of readDataFile(file)) {
        for (const { item } of entries) book.row(columns.map(({ read }) => read(item)));
        yield book.take();
      }
    }
  }
  book.end();
  yield book.take();
}

/**
 * Writes the workbook of a complete export.
 * @throws EduError `usage` beyond the limits of Excel, or if the disk refuses it; the reason of `signal`
 */
export async function writeWorkbook(
  folder: string,
  manifest: Pick<ManifestFacts, 'format' | 'resources'>,
  signal: AbortSignal,
): Promise<WorkbookFacts> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* noted(): AsyncGenerator<Uint8Array> {
    for await (const piece of sheets(folder, manifest, signal)) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
  }
  await writeOutput(join(folder, WORKBOOK), noted());
  return { file: WORKBOOK, bytes, sha256: hash.digest('hex') };
}
