/** Writes the data files of an export in another format: as the sheets of one workbook, or as Parquet files. */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { ensureFolder } from '../../core/fs/mkdir.js';
import { writeOutput } from '../../core/fs/output-file.js';
import { parquetColumns } from '../../output/writers/parquet.js';
import { ParquetFile } from '../../output/writers/parquet-file.js';
import { recordColumns } from '../../output/writers/records.js';
import { WorkbookWriter } from '../../output/writers/workbook-writer.js';
import { sheetColumn } from '../../output/writers/xlsx.js';
import { EXPORTED, RESOURCES, type Resource } from '../collect/resources.js';
import { type CopyFacts, type CopyFormat, type FileFacts, filesOf, type ManifestFacts, placeIn } from './manifest.js';
import { fileOf, readDataFile } from './read-data-file.js';

type Contents = Pick<ManifestFacts, 'format' | 'resources' | 'shard'>;

interface DataFile {
  readonly resource: Resource;
  readonly facts: FileFacts;
}

const dataFilesOf = ({ resources }: Contents): readonly DataFile[] =>
  RESOURCES.flatMap((resource) => {
    const own = resources[resource];
    return own === undefined ? [] : filesOf(own).map((facts) => ({ resource, facts }));
  });

/** The items of a data file, page by page. */
async function* pagesOf(folder: string, { resource, facts }: DataFile, { format }: Contents, signal: AbortSignal) {
  const file = fileOf(resource, { folder, facts, format, signal });
  for await (const entries of readDataFile(file)) yield entries.map(({ item }) => item);
}

/** `licenses.added.ndjson.gz` → `licenses.added` */
const plainName = (file: string): string => file.replace(/\.[a-z]+(?:\.gz)?$/, '');

async function* workbook(folder: string, contents: Contents, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const book = new WorkbookWriter();
  for (const file of dataFilesOf(contents)) {
    const columns = recordColumns(EXPORTED[file.resource].shape);
    book.sheet(plainName(file.facts.file), columns.map(sheetColumn));
    for await (const items of pagesOf(folder, file, contents, signal)) {
      for (const item of items) book.row(columns.map(({ read }) => read(item)));
      yield book.take();
    }
  }
  book.end();
  yield book.take();
}

async function* parquet(folder: string, file: DataFile, contents: Contents, signal: AbortSignal) {
  const table = new ParquetFile(parquetColumns(EXPORTED[file.resource].shape));
  for await (const items of pagesOf(folder, file, contents, signal)) {
    for (const item of items) table.row(item);
    yield table.take();
  }
  table.end();
  yield table.take();
}

/** `licenses/change=added/shard=3/part-0.parquet`: the folders are columns (Hive partitioning) where a table is read. */
function parquetName({ resource, facts }: DataFile, { shard }: Contents): string {
  const change = plainName(facts.file).slice(resource.length + 1);
  const parts = [resource, change && `change=${change}`, shard && `shard=${shard.index}`, 'part-0.parquet'];
  return parts.filter(Boolean).join('/');
}

async function writeCopy(
  folder: string,
  named: Pick<CopyFacts, 'file' | 'resource' | 'count'>,
  bytes: AsyncIterable<Uint8Array>,
): Promise<CopyFacts> {
  const hash = createHash('sha256');
  let size = 0;
  async function* noted(): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      hash.update(piece);
      size += piece.length;
      yield piece;
    }
  }
  const path = placeIn(folder, named.file);
  ensureFolder(dirname(path));
  await writeOutput(path, noted());
  return { ...named, bytes: size, sha256: hash.digest('hex') };
}

/**
 * Writes the copies of a complete export in a format.
 * @throws EduError `usage` beyond the limits of Excel, or if the disk refuses it; `invalid_response` for a value that
 *   the format cannot hold; the reason of `signal`
 */
export async function writeCopies(
  folder: string,
  copy: CopyFormat,
  contents: Contents,
  signal: AbortSignal,
): Promise<readonly CopyFacts[]> {
  if (copy === 'xlsx')
    return [
      await writeCopy(
        folder,
        { file: 'export.xlsx', resource: 'all', count: null },
        workbook(folder, contents, signal),
      ),
    ];
  const copies: CopyFacts[] = [];
  for (const file of dataFilesOf(contents)) {
    const { resource, facts } = file;
    const named = { file: parquetName(file, contents), resource, count: facts.count };
    copies.push(await writeCopy(folder, named, parquet(folder, file, contents, signal)));
  }
  return copies;
}
