/** Plans changes of books and readers. */
import { stateOf } from '../actual.js';
import type { Fields } from '../steps.js';
import type { Want, WantedPublication } from '../want.js';
import type { Draft } from './draft.js';
import { ambiguous } from './want-references.js';

type Kind = 'books' | 'readers';

function wantedFields(kind: Kind, wanted: WantedPublication, subject: string | undefined, before: Fields): Fields {
  const { title, year, level, series, settings, pdfDownloadable } = wanted;
  const fields: Fields = {
    title,
    subject,
    settings: settings && { ...(before.settings as Fields | undefined), ...settings },
    ...(kind === 'books' ? { year, stream: level, series } : { pdfDownloadable }),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function planOne(kind: Kind, wanted: WantedPublication, draft: Draft): undefined {
  const { lookup } = draft;
  const { at, id, ean, language } = wanted;
  const found = lookup.actual[kind].filter((one) => (id === undefined ? one.ean === ean : one.id === id));
  const [one] = found;
  const key = ean ?? id ?? '';
  const section = lookup.section((one?.organization ?? lookup.actual.own).id);
  const conflict = (why: string): undefined =>
    draft.conflict({ resource: kind, key, id: one?.id ?? null, section, why });
  if (one === undefined)
    return conflict(`does not exist: a ${kind.slice(0, -1)} is created with its files (edu ${kind} create)`);
  if (found.length > 1) return conflict(ambiguous(found, `${kind} have this EAN`));
  if (draft.repeats(at, kind, one.id)) return;
  if (ean !== undefined && ean !== one.ean) conflict(`EAN ${one.ean} → ${ean}: edu plan does not change it`);
  const [subject, second] = [wanted.subject, wanted.secondSubject].map((text) =>
    text === undefined ? undefined : lookup.subject(text),
  );
  if (typeof subject === 'string') return draft.fault(at, subject);
  const before = stateOf(kind, one);
  const after = { ...before, ...wantedFields(kind, wanted, subject?.id, before) };
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  if (language === undefined)
    return conflict('a change needs its language, which the service does not return: add a column language');
  if (typeof second === 'string') return draft.fault(at, second);
  draft.add({
    at,
    verb: 'update',
    resource: kind,
    id: one.id,
    before: { ...before, language },
    after: { ...after, language, ...(second === undefined ? {} : { secondSubject: second.id }) },
  });
}

export function planPublications(want: Want, draft: Draft): void {
  for (const kind of ['books', 'readers'] as const) {
    for (const wanted of want[kind]) planOne(kind, wanted, draft);
  }
}
