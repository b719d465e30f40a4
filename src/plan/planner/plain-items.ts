/** Plans publishers and schools, and changes of books and readers. */
import type { Fields } from '../../contract/vocabulary.js';
import { ORGANIZATIONS, stateOf, unlistedIn } from '../actual.js';
import { ENDPOINTS, fieldsOf, filled, isEqual } from '../items.js';
import type { Fields as Values } from '../steps.js';
import type { Want, WantedOrganization, WantedPublication } from '../want.js';
import type { Draft } from './draft.js';
import { ambiguous, notTheSame } from './want-references.js';

function planOrganization(kind: keyof typeof ORGANIZATIONS, wanted: WantedOrganization, draft: Draft): undefined {
  const { lookup } = draft;
  const type = ORGANIZATIONS[kind];
  const { at, id, name = '' } = wanted;
  const all = id === undefined ? lookup.organizationsCalled(name) : lookup.actual.organizations;
  const found = all.filter((one) => one.type === type && (id === undefined || one.id === id));
  const [present] = found;
  if (found.length > 1) return draft.fault(at, ambiguous(found, `${kind} are called ${JSON.stringify(name)}`));
  draft.check(kind, wanted, present);
  const body: Fields = ENDPOINTS[kind].create.body;
  const given = fieldsOf(kind, wanted);
  if (present === undefined) {
    if (id !== undefined) return draft.fault(at, `there is no ${type.toLowerCase()} with the ID ${id}`);
    const needed = Object.keys(body).filter((field) => body[field]?.required === true);
    if (draft.lacks(at, name, Object.fromEntries(needed.map((field) => [field, given[field]])))) return;
    const ref = draft.add({ verb: 'create', resource: kind, after: given });
    lookup.addOrganization({ ref, type, name, roles: undefined });
    return;
  }
  if (draft.repeats(at, kind, present.id)) return;
  const before = stateOf(kind, present);
  const changed = { ...before, ...given };
  if (!isEqual(before, changed))
    draft.update({ resource: kind, key: present.name, id: present.id, of: present.id, before, after: changed });
}

export function planOrganizations(want: Want, draft: Draft): void {
  const { actual } = draft.lookup;
  for (const kind of ['publishers', 'schools'] as const) {
    for (const wanted of want[kind]) planOrganization(kind, wanted, draft);
    if (want[kind].length === 0 || !draft.options.prune.has(kind)) continue;
    for (const { id, name, type } of actual.organizations)
      if (type === ORGANIZATIONS[kind] && id !== actual.own.id && !draft.isNamed(kind, id))
        draft.conflict({ resource: kind, key: name, id, of: id, why: 'stays: the service cannot remove it' });
  }
}

type Kind = 'books' | 'readers';

function wantedFields(kind: Kind, wanted: WantedPublication, subject: string | undefined, before: Values): Values {
  const { title, year, level, series, settings, pdfDownloadable } = wanted;
  return filled({
    title,
    subject,
    settings: settings && { ...(before.settings as Values | undefined), ...settings },
    ...(kind === 'books' ? { year, stream: level, series } : { pdfDownloadable }),
  });
}

function planPublication(kind: Kind, wanted: WantedPublication, draft: Draft): undefined {
  const { lookup } = draft;
  const { at, id, ean, language } = wanted;
  const keyed = ean === undefined ? [] : lookup.publicationsWith[kind](ean);
  const found = id === undefined ? keyed : lookup.actual[kind].filter((one) => one.id === id);
  const [[one], [other]] = [found, keyed];
  if (id !== undefined && other !== undefined && keyed.every((each) => each.id !== id))
    return draft.fault(at, notTheSame(kind.slice(0, -1), id, ean ?? '', other.id));
  const key = ean ?? id ?? '';
  const of = (one?.organization ?? lookup.actual.own).id;
  const conflict = (why: string): undefined => draft.conflict({ resource: kind, key, id: one?.id ?? null, of, why });
  if (one === undefined) {
    const unlisted = unlistedIn(lookup.actual, kind);
    if (unlisted !== '') return conflict(`is not listed${unlisted}`);
    return conflict(`does not exist: a ${kind.slice(0, -1)} is created with its files (edu ${kind} create)`);
  }
  if (found.length > 1) return conflict(ambiguous(found, `${kind} have this EAN`));
  if (draft.repeats(at, kind, one.id)) return;
  draft.check(kind, wanted, one);
  if (ean !== undefined && !keyed.includes(one)) conflict(`EAN ${one.ean} → ${ean}: edu plan does not change it`);
  const [subject, second] = [wanted.subject, wanted.secondSubject].map((text) =>
    text === undefined ? undefined : lookup.subject(text),
  );
  if (typeof subject === 'string') return draft.fault(at, subject);
  const before = stateOf(kind, one);
  const after = { ...before, ...wantedFields(kind, wanted, subject?.id, before) };
  if (isEqual(before, after)) return;
  // Service-api-v1.md, "GET books/:id": a change could not be compared with what the book is.
  if (of !== '' && of !== lookup.actual.own.id)
    return conflict(`belongs to ${of}: only its users can read and change it`);
  if (typeof second === 'string') return draft.fault(at, second);
  draft.update({
    resource: kind,
    key,
    id: one.id,
    of,
    before: { ...before, language },
    after: { ...after, language, ...(second === undefined ? {} : { secondSubject: second.id }) },
  });
}

export function planPublications(want: Want, draft: Draft): void {
  for (const kind of ['books', 'readers'] as const) {
    for (const wanted of want[kind]) planPublication(kind, wanted, draft);
  }
}
