/** The parts of a workbook besides its cells: sheets, shared texts, number styles (ECMA-376 part 1, 12.3 and 18). */
import { posix } from 'node:path';
import type { ZipArchive, ZipEntry } from '../zip.js';
import { type NumberStyle, numberStyle, unescaped } from './cell-text.js';
import { type Attributes, parseWhole } from './xml.js';

export interface Sheet {
  readonly name: string;
  readonly isHidden: boolean;
  readonly entry: ZipEntry;
}

export interface Workbook {
  readonly sheets: readonly Sheet[];
  /** True if dates count from 1904, as in files from older Macs. */
  readonly is1904: boolean;
  readonly strings: readonly string[];
  /** By the style index of a cell. */
  readonly styles: readonly NumberStyle[];
}

/** Limit of the shared texts, because they are held in memory. */
const MAX_STRINGS_BYTES = 1024 ** 3;

export class NotWorkbook extends Error {}

/** A part by name; names ignore case (ECMA-376 part 2, 6.2.2.3). */
function partOf({ entries }: ZipArchive, name: string): ZipEntry | undefined {
  const wanted = name.toLowerCase();
  return entries.get(name) ?? [...entries.values()].find((entry) => entry.name.toLowerCase() === wanted);
}

/** The relationships of a part, by ID; a type is the last word of its URI: `worksheet`, `styles`. */
async function relationsOf(archive: ZipArchive, part: string) {
  const { dir, base } = posix.parse(part);
  const found = new Map<string, { readonly type: string; readonly target: string }>();
  const entry = partOf(archive, posix.join(dir, '_rels', `${base}.rels`));
  if (entry === undefined) return found;
  await parseWhole(entry.read(), {
    open(name, attributes) {
      if (name !== 'Relationship') return;
      const { Id: id = '', Type: type = '', Target: target = '' } = attributes();
      const path = target.startsWith('/') ? target.slice(1) : posix.join(dir, target);
      found.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target: path });
    },
  });
  return found;
}

async function readStrings(entry: ZipEntry | undefined): Promise<readonly string[]> {
  const strings: string[] = [];
  if (entry === undefined) return strings;
  if (entry.size > MAX_STRINGS_BYTES) throw new NotWorkbook('has more text than fits into memory');
  let text = '';
  let isText = false;
  let isPhonetic = false;
  await parseWhole(entry.read(), {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 't') isText = !isPhonetic;
      else if (name === 'rPh') isPhonetic = true;
    },
    close(name) {
      if (name === 'si') strings.push(unescaped(text));
      else if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
    },
    text(piece) {
      if (isText) text += piece;
    },
  });
  return strings;
}

async function readStyles(entry: ZipEntry | undefined): Promise<readonly NumberStyle[]> {
  const styles: NumberStyle[] = [];
  if (entry === undefined) return styles;
  const codes = new Map<string, string>();
  let isCell = false;
  await parseWhole(entry.read(), {
    open(name, attributes) {
      if (name === 'numFmt') {
        const { numFmtId: id = '', formatCode: code = '' } = attributes();
        codes.set(id, code);
      } else if (name === 'cellXfs') isCell = true;
      else if (name === 'xf' && isCell) {
        const { numFmtId: id = '0' } = attributes();
        styles.push(numberStyle(Number(id), codes.get(id)));
      }
    },
    close(name) {
      if (name === 'cellXfs') isCell = false;
    },
  });
  return styles;
}

/** Reads everything but the cells. @throws NotWorkbook, or Error for damaged parts */
export async function readWorkbook(archive: ZipArchive): Promise<Workbook> {
  const { entries } = archive;
  const roots = await relationsOf(archive, '');
  const main = [...roots.values()].find(({ type }) => type === 'officeDocument')?.target;
  const entry = partOf(archive, main ?? '');
  if (main === undefined || entry === undefined || !/\.xml$/i.test(main)) {
    if (entries.has('mimetype') && entries.has('content.xml')) throw new NotWorkbook('is an OpenDocument file');
    throw new NotWorkbook(entries.has('xl/workbook.bin') ? 'is an .xlsb file' : 'is not a workbook');
  }
  const listed: Attributes[] = [];
  let is1904 = false;
  await parseWhole(entry.read(), {
    open(name, attributes) {
      if (name === 'sheet') listed.push(attributes());
      else if (name === 'workbookPr') is1904 = /^(1|true)$/.test(attributes().date1904 ?? '');
    },
  });
  const relations = await relationsOf(archive, main);
  const part = (type: string): ZipEntry | undefined =>
    partOf(archive, [...relations.values()].find((relation) => relation.type === type)?.target ?? '');
  const sheets = listed.flatMap(({ name = '', state, 'r:id': id = '' }): Sheet[] => {
    const relation = relations.get(id);
    // Chart sheets are listed too.
    if (relation?.type !== 'worksheet') return [];
    const sheet = partOf(archive, relation.target);
    if (sheet === undefined) throw new Error(`${relation.target} is missing`);
    return [{ name, isHidden: state === 'hidden' || state === 'veryHidden', entry: sheet }];
  });
  if (sheets.length === 0) throw new NotWorkbook('has no sheet with cells');
  const strings = await readStrings(part('sharedStrings'));
  return { sheets, is1904, strings, styles: await readStyles(part('styles')) };
}
