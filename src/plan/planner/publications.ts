/** Plans changes of books and readers. */
import type { ActualPublication } from '../actual.js';
import type { Draft, Fields } from '../steps.js';
import type { Want, WantedBook, WantedReader } from '../want.js';
import { findNamed, type Lookup } from './lookup.js';

type Kind = 'books' | 'readers';
type Wanted = WantedBook & WantedReader;

const NOUN = { books: 'book', readers: 'reader' } as const;

const sameFields = (a: Fields, b: Fields): boolean => JSON.stringify(a) === JSON.stringify(b);

function fieldsOf(kind: Kind, one: ActualPublication): Fields {
  const { ean, title, subjectId, settings, year, level, series, typeName, pdfDownloadable } = one;
  const shared = { title, subject: subjectId, ...(settings === undefined ? {} : { settings }) };
  return kind === 'books'
    ? { ean, ...shared, year, stream: level, series, type: typeName }
    : { ...shared, pdfDownloadable };
}

/** The fields that a row sets. */
function wantedFields(kind: Kind, wanted: Wanted, subject: string | undefined, before: Fields): Fields {
  const { title, year, level, series, settings, pdfDownloadable } = wanted;
  const present = before.settings as Fields | undefined;
  const fields: Fields = {
    title,
    subject,
    ...(settings === undefined ? {} : { settings: { ...present, ...settings } }),
    ...(kind === 'books' ? { year, stream: level, series } : { pdfDownloadable }),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function planOne(kind: Kind, wanted: Wanted, lookup: Lookup, draft: Draft): void {
  const { at, id, ean } = wanted;
  const found = lookup.actual[kind].filter((one) => (id === undefined ? one.ean === ean : one.id === id));
  const [one] = found;
  const key = ean ?? id ?? '';
  if (one === undefined) {
    const section = lookup.section(lookup.actual.own.id);
    const why = `does not exist: a ${NOUN[kind]} is created with its files (edu ${kind} create)`;
    draft.conflict({ resource: kind, key, section, why });
    return;
  }
  const section = lookup.section(one.organization.id);
  const conflict = (why: string): void => draft.conflict({ resource: kind, key, id: one.id, section, why });
  if (found.length > 1) {
    conflict(`${found.length} ${kind} have this EAN: add a column id (${found.map((other) => other.id).join(', ')})`);
    return;
  }
  if (ean !== undefined && ean !== one.ean) conflict(`EAN ${one.ean} → ${ean}: edu plan does not change it`);
  const subject =
    wanted.subject === undefined ? undefined : findNamed(wanted.subject, lookup.actual.subjects, 'subject');
  if (typeof subject === 'string') {
    draft.fault(at, subject);
    return;
  }
  const before = fieldsOf(kind, one);
  const after = { ...before, ...wantedFields(kind, wanted, subject?.id, before) };
  if (sameFields(before, after)) return;
  if (wanted.language === undefined) {
    conflict('a change needs its language, which the service does not return: add a column language');
    return;
  }
  const second =
    wanted.secondSubject === undefined ? undefined : findNamed(wanted.secondSubject, lookup.actual.subjects, 'subject');
  if (typeof second === 'string') {
    draft.fault(at, second);
    return;
  }
  draft.add({
    verb: 'update',
    resource: kind,
    key,
    id: one.id,
    section,
    before: { ...before, language: wanted.language },
    after: { ...after, language: wanted.language, ...(second === undefined ? {} : { secondSubject: second.id }) },
    reversible: second === undefined,
    why: kind === 'books' && second === undefined ? 'a second subject is lost: the service does not return it' : '',
  });
}

/** Plans the books and readers of a wanted state. */
export function planPublications(want: Want, lookup: Lookup, draft: Draft): void {
  for (const kind of ['books', 'readers'] as const) {
    if (want[kind].length === 0) continue;
    const counts = new Map<string, number>();
    for (const { organization } of lookup.actual[kind])
      counts.set(organization.id, (counts.get(organization.id) ?? 0) + 1);
    for (const [id, count] of counts) draft.manages(kind, lookup.section(id), count);
    for (const wanted of want[kind]) planOne(kind, wanted, lookup, draft);
  }
}
