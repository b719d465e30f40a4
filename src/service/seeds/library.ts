/** Sample books and readers, and their files. */
import { KNOWN_BOOK_TYPES } from '../../contract/books.js';
import type { Language } from '../../contract/shared.js';
import { withCheckDigit } from '../identifiers.js';
import { SUBJECTS } from '../names/built-in-names.js';
import type { Book, Material, Reader, StoredFile } from '../store/records.js';
import type { Store } from '../store/store.js';
import { ORGANIZATIONS } from './cast.js';
import library from './library.json' with { type: 'json' };
import type { SeededRandom } from './random.js';
import { SAMPLE_PNG, samplePdf } from './sample-files.js';

const BOOK_OWNERS = Object.entries(library.bookOwners).flatMap(([owner, count]) => Array<string>(count).fill(owner));

const SERIES = library.series as readonly Series[];

interface Series {
  readonly name: string;
  readonly language: Language;
  readonly topic: string;
  readonly titles: readonly string[];
}

const PDF_BLOB = 'sample-pdf';
const PNG_BLOB = 'sample-png';

const fileOf = (id: string, organizationId: string, blob: string, size: number): StoredFile => {
  const format = blob === PDF_BLOB ? 'pdf' : 'png';
  return {
    id,
    organizationId,
    fileType: format === 'pdf' ? 'Document' : 'Image',
    filename: format === 'pdf' ? 'sample.pdf' : 'cover.png',
    contentType: format === 'pdf' ? 'application/pdf' : 'image/png',
    size,
    format,
    blob,
  };
};

const pdfOf = (organizationId: string): string => `file-${organizationId}-pdf`;
const coverOf = (organizationId: string): string => `file-${organizationId}-cover`;

/** Stores a PDF and a cover for each organization. */
export function addFiles(store: Store): void {
  const pdf = samplePdf();
  store.blobs.put(PDF_BLOB, pdf);
  store.blobs.put(PNG_BLOB, SAMPLE_PNG);
  store.files.insertMany(
    ORGANIZATIONS.flatMap(({ id }) => [
      fileOf(pdfOf(id), id, PDF_BLOB, pdf.length),
      fileOf(coverOf(id), id, PNG_BLOB, SAMPLE_PNG.length),
    ]),
  );
}

export const sampleEan = (prefix: string, number: number): string =>
  withCheckDigit(`${prefix}${String(number).padStart(12 - prefix.length, '0')}`);

/** The subject with this English name; one of the others if there is none. */
function subjectFor(topic: string, others: readonly string[], index: number): string {
  const found = Object.entries(SUBJECTS).find(([, names]) => names.EN === topic)?.[0];
  return found ?? others[index % others.length] ?? '';
}

const SUBJECT_IDS = Object.keys(SUBJECTS);

/** The state of an item's uploads: most are complete, a few lack the cover, the PDF, or its encryption. */
function uploads(
  index: number,
  organizationId: string,
): Pick<Material, 'coverFileId' | 'pdfFileId' | 'enabled' | 'pdfEncrypted'> {
  const complete = {
    coverFileId: coverOf(organizationId),
    pdfFileId: pdfOf(organizationId),
    enabled: true,
    pdfEncrypted: true,
  };
  if (index % 11 === 3) return { ...complete, coverFileId: null };
  if (index % 13 === 5) return { ...complete, pdfFileId: null, pdfEncrypted: false };
  if (index % 17 === 7) return { ...complete, pdfEncrypted: false };
  return index % 19 === 11 ? { ...complete, enabled: false } : complete;
}

/** Every third book of a series is not a coursebook. */
const typeOf = (index: number): string =>
  (index % 3 === 2 ? KNOWN_BOOK_TYPES[Math.floor(index / 3) % KNOWN_BOOK_TYPES.length] : undefined) ?? 'Coursebook';

/** B1 … B60, and B91 … B93 of an organization that the personas cannot see. */
export function sampleBooks(random: SeededRandom): Book[] {
  const volumes = SERIES.flatMap((series) => series.titles.map((title) => ({ series, title })));
  const book = (id: string, index: number, organizationId: string, ean: string, name?: string): Book => {
    const { series, title } = volumes[index % volumes.length] ?? { series: SERIES[0], title: '' };
    const subjectId = subjectFor(series?.topic ?? '', SUBJECT_IDS, index);
    return {
      id,
      ean,
      title: name ?? title,
      year: 1 + (index % 13),
      level: random.percent(70) ? random.pick(library.levels) : null,
      series: random.percent(85) ? (series?.name ?? null) : null,
      subjectId,
      secondSubjectId: random.percent(20) ? random.pick(SUBJECT_IDS.filter((other) => other !== subjectId)) : null,
      type: typeOf(index),
      organizationId,
      creatorId: organizationId,
      language: series?.language ?? 'EN',
      ...uploads(index, organizationId),
      settings: { indexPageNumber: index % 5, pageNumberOffset: index % 3 },
      layoutType: index % 4 === 1 ? 'PAGES' : 'SPREADS',
    };
  };
  return [
    ...BOOK_OWNERS.map((owner, index) =>
      book(`B${index + 1}`, index, owner, sampleEan(index % 6 === 4 ? '00' : '978310', index + 1)),
    ),
    ...[1, 2, 3].map((number) =>
      book(`B9${number}`, number, 'p9', sampleEan('978399', number), `Otherland Reader ${number}`),
    ),
  ];
}

/** r1 …, the last one of an organization that the personas cannot see. */
export function sampleReaders(random: SeededRandom): Reader[] {
  const { readers: titles, readerOwners: owners } = library;
  const reader = (index: number, title: string, organizationId: string): Reader => ({
    id: `r${index + 1}`,
    ean: sampleEan('2', 100 + index),
    title,
    subjectId: random.pick(SUBJECT_IDS),
    organizationId,
    creatorId: organizationId,
    language: random.pick(['DE', 'EN', 'FR', 'ES', 'RU']),
    ...uploads(index, organizationId),
    settings: { indexPageNumber: index % 3, pageNumberOffset: index % 2 },
    pdfDownloadable: index % 3 === 0,
  });
  return [
    ...titles.map((title, index) => reader(index, title, owners[index % owners.length] ?? 'd1')),
    reader(titles.length, 'Otherland worksheets', 's9'),
  ];
}
