/** Sample books and readers, and their files. */
import { KNOWN_BOOK_TYPES } from '../../contract/books.js';
import type { Language } from '../../contract/shared.js';
import { withCheckDigit } from '../identifiers.js';
import { SUBJECTS } from '../names/vocabulary.js';
import type { Book, Material, Reader } from '../store/records.js';
import type { Store } from '../store/store.js';
import { ORGANIZATIONS } from './cast.js';
import library from './library.json' with { type: 'json' };
import { cycled, type SeededRandom } from './random.js';
import { SAMPLE_COVER, SAMPLE_PDF, SAMPLE_PNG } from './sample-files.js';

const BOOK_OWNERS = Object.entries(library.bookOwners).flatMap(([owner, count]) => Array<string>(count).fill(owner));

const PDF = { fileType: 'Document', filename: 'sample.pdf', contentType: 'application/pdf', format: 'pdf' } as const;
const COVER = { fileType: 'Image', ...SAMPLE_COVER } as const;

/** Stores a PDF and a cover for each organization. */
export function addFiles(store: Store): void {
  const samples = [
    ['pdf', PDF, SAMPLE_PDF],
    ['cover', COVER, SAMPLE_PNG],
  ] as const;
  for (const [kind, facts, bytes] of samples) {
    const file = { ...facts, size: bytes.length, blob: `sample-${facts.format}` };
    store.blobs.put(file.blob, bytes);
    store.files.insertMany(ORGANIZATIONS.map(({ id }) => ({ id: `file-${id}-${kind}`, organizationId: id, ...file })));
  }
}

const sampleEan = (prefix: string, number: number): string =>
  withCheckDigit(`${prefix}${String(number).padStart(12 - prefix.length, '0')}`);

const SUBJECT_IDS = Object.keys(SUBJECTS);

/** The state of an item's uploads: most are complete, a few lack the cover, the PDF, or its encryption. */
function uploads(
  index: number,
  organizationId: string,
): Pick<Material, 'coverFileId' | 'pdfFileId' | 'enabled' | 'pdfEncrypted'> {
  const complete = {
    coverFileId: `file-${organizationId}-cover`,
    pdfFileId: `file-${organizationId}-pdf`,
    enabled: true,
    pdfEncrypted: true,
  };
  if (index % 11 === 3) return { ...complete, coverFileId: null };
  if (index % 13 === 5) return { ...complete, pdfFileId: null, pdfEncrypted: false };
  if (index % 17 === 7) return { ...complete, pdfEncrypted: false };
  return index % 19 === 11 ? { ...complete, enabled: false } : complete;
}

/** B1 … B60, and B91 … B93 of an organization that the personas cannot see. */
export function sampleBooks(random: SeededRandom): Book[] {
  const volumes = library.series.flatMap(({ titles, ...series }) => titles.map((title) => ({ ...series, title })));
  const book = (id: string, index: number, organizationId: string, ean: string, title?: string): Book => {
    const volume = cycled(volumes, index);
    const named = SUBJECT_IDS.find((subjectId) => SUBJECTS[subjectId]?.EN === volume.topic);
    const subjectId = named ?? cycled(SUBJECT_IDS, index);
    return {
      id,
      ean,
      title: title ?? volume.title,
      year: 1 + (index % 13),
      level: random.percent(70) ? random.pick(library.levels) : null,
      series: random.percent(85) ? volume.name : null,
      subjectId,
      secondSubjectId: random.percent(20) ? random.pick(SUBJECT_IDS.filter((other) => other !== subjectId)) : null,
      // Every third book of a series is not a coursebook.
      type: index % 3 === 2 ? cycled(KNOWN_BOOK_TYPES, Math.floor(index / 3)) : 'Coursebook',
      organizationId,
      creatorId: organizationId,
      language: volume.language as Language,
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
  return [...titles, 'Otherland worksheets'].map((title, index) => {
    const organizationId = index < titles.length ? cycled(owners, index) : 's9';
    return {
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
    };
  });
}
