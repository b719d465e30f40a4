/** Plans licences and their holders. */
import { plural } from '../../core/plural.js';
import type { ActualLicense } from '../actual.js';
import { type Draft, type Fields, neededBy, type PlanOptions, type Ref, type Section } from '../steps.js';
import type { Person, Want, WantedExpiration, WantedLicense } from '../want.js';
import { type KnownOrganization, type Lookup, sectionOf } from './lookup.js';

interface Planning {
  readonly lookup: Lookup;
  readonly draft: Draft;
  readonly options: PlanOptions;
  readonly byCode: ReadonlyMap<string, ActualLicense>;
  readonly byId: ReadonlyMap<string, ActualLicense>;
  /** IDs of books by ID and EAN; undefined for an ambiguous EAN. */
  readonly books: ReadonlyMap<string, string | undefined>;
}

/** A licence whose holders are planned. */
interface Target {
  readonly ref: Ref;
  readonly code: string;
  readonly section: Section;
  readonly present: ActualLicense | undefined;
  readonly maximumActivations: number;
  /** Its update, which may raise the maximum. */
  readonly step?: Ref;
}

/** IDs of books by ID and EAN; undefined for an ambiguous EAN. */
export function booksOf({ actual }: Lookup): ReadonlyMap<string, string | undefined> {
  const ids = new Map<string, string | undefined>();
  const all = [...actual.books, ...actual.licenses.flatMap(({ books }) => books)];
  for (const { id, ean } of all) if (ean !== '') ids.set(ean, ids.has(ean) && ids.get(ean) !== id ? undefined : id);
  for (const { id } of all) ids.set(id, id);
  return ids;
}

/** IDs of the books of a row; undefined if it has none, or an unknown one. */
function bookIds({ at, books }: WantedLicense, { books: known, draft }: Planning): readonly string[] | undefined {
  const ids = books?.map((text) => {
    const id = known.get(text.replace(/^ean:/, ''));
    if (id === undefined)
      draft.fault(
        at,
        known.has(text) ? `several books have the EAN ${text}: give an ID` : `no book has the ID or EAN ${text}`,
      );
    return id;
  });
  return ids?.every((id) => id !== undefined) === true ? (ids as readonly string[]) : undefined;
}

const expirationField = ({ type, days, date }: WantedExpiration | NonNullable<ActualLicense['expiration']>): Fields =>
  type === 'Days' ? { type, days } : { type, date };

const categoryOf = ({ licenseCategory }: WantedLicense): Fields =>
  licenseCategory === undefined ? {} : { licenseCategory };

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const sameSet = (a: readonly string[], b: readonly string[]): boolean => same([...a].sort(), [...b].sort());

function create(wanted: WantedLicense, organization: KnownOrganization, planning: Planning): Target | undefined {
  const { draft } = planning;
  const { at, code = '', name, type, maximumActivations, expiration } = wanted;
  const isBooks = type === 'Books';
  const books = bookIds(wanted, planning);
  const needed = { name, type, maximumActivations, ...(isBooks ? { books: wanted.books, expiration } : {}) };
  const missing = Object.entries(needed).flatMap(([field, value]) => (value === undefined ? [field] : []));
  if (missing.length > 0 || maximumActivations === undefined) {
    draft.fault(at, `${code} does not exist, and to create it ${missing.join(' and ')} must be given`);
    return undefined;
  }
  if (!/^[a-z0-9]+$/.test(code)) {
    draft.fault(at, `code must be lowercase letters and digits, not ${JSON.stringify(code)}`);
    return undefined;
  }
  const section = sectionOf(organization);
  const { ref, type: organizationType } = organization;
  const ours = draft.add({
    verb: 'create',
    resource: 'licenses',
    key: code,
    section,
    before: null,
    after: {
      name,
      code,
      type,
      maximumActivations,
      ...(isBooks && books !== undefined ? { books } : {}),
      ...(isBooks && expiration !== undefined ? { expiration: expirationField(expiration) } : {}),
      organization: { ...ref, type: organizationType },
      ...categoryOf(wanted),
    },
    needs: neededBy(ref),
    reversible: true,
  });
  return { ref: ours, code, section, present: undefined, maximumActivations };
}

/** Reasons why wanted values cannot be set. */
function fixed(
  wanted: WantedLicense,
  one: ActualLicense,
  organization: KnownOrganization | undefined,
  books: readonly string[] | undefined,
): readonly string[] {
  const { type, maximumActivations } = wanted;
  const isElsewhere =
    organization !== undefined && !('id' in organization.ref && organization.ref.id === one.organization.id);
  const booksDiffer =
    one.type === 'Books' &&
    books !== undefined &&
    !sameSet(
      books,
      one.books.map(({ id }) => id),
    );
  return [
    ...(type !== undefined && type !== one.type ? [`type ${one.type} → ${type}: the service cannot change it`] : []),
    ...(isElsewhere
      ? [`organization ${one.organization.id} → ${organization.name}: the service cannot change it`]
      : []),
    ...(booksDiffer && one.numberOfActivations > 0 ? ['its books cannot change after it was activated'] : []),
    ...(maximumActivations !== undefined && maximumActivations < one.numberOfActivations
      ? [`maximumActivations ${one.maximumActivations} → ${maximumActivations}: ${one.numberOfActivations} are in use`]
      : []),
  ];
}

interface Updated {
  readonly maximumActivations: number;
  readonly step?: Ref;
}

function update(
  wanted: WantedLicense,
  one: ActualLicense,
  organization: KnownOrganization | undefined,
  planning: Planning,
): Updated {
  const { draft, lookup } = planning;
  const section = lookup.section(one.organization.id);
  const books = bookIds(wanted, planning);
  const conflict = (why: string): void =>
    draft.conflict({ resource: 'licenses', key: one.code, id: one.id, section, why });
  for (const why of fixed(wanted, one, organization, books)) conflict(why);
  const isBooks = one.type === 'Books';
  const canSetBooks = isBooks && books !== undefined && one.numberOfActivations === 0;
  const { name = one.name, maximumActivations: maximum = one.maximumActivations, expiration } = wanted;
  const ids = one.books.map(({ id }) => id);
  const before: Fields = {
    name: one.name,
    maximumActivations: one.maximumActivations,
    type: one.type,
    ...(isBooks ? { books: ids, expiration: one.expiration === null ? null : expirationField(one.expiration) } : {}),
  };
  const after: Fields = {
    ...before,
    name,
    maximumActivations: maximum < one.numberOfActivations ? one.maximumActivations : maximum,
    ...(canSetBooks && !sameSet(books, ids) ? { books } : {}),
    ...(isBooks && expiration !== undefined ? { expiration: expirationField(expiration) } : {}),
  };
  const unchanged = { maximumActivations: one.maximumActivations };
  if (same(before, after)) return unchanged;
  if (one.licenseCategory !== null && wanted.licenseCategory === undefined) {
    conflict(
      `shows the category ${one.licenseCategory}, which a change may reset: add a column licenseCategory with its ID`,
    );
    return unchanged;
  }
  const step = draft.add({
    verb: 'update',
    resource: 'licenses',
    key: one.code,
    id: one.id,
    section,
    before,
    after: { ...after, ...categoryOf(wanted) },
    reversible: one.licenseCategory === null,
  });
  return { maximumActivations: Number(after.maximumActivations), step };
}

function remove(one: ActualLicense, { draft, lookup }: Planning): void {
  const isUsed = one.numberOfActivations > 0;
  draft.add({
    verb: isUsed ? 'cancel' : 'delete',
    resource: 'licenses',
    key: one.code,
    id: one.id,
    section: lookup.section(one.organization.id),
    before: { name: one.name, numberOfActivations: one.numberOfActivations },
    after: null,
    reversible: false,
    why: isUsed ? `activated ${plural(one.numberOfActivations, 'time')}, so it is cancelled: there is no way back` : '',
  });
}

function planHolders(wanted: WantedLicense, target: Target, { lookup, draft, options }: Planning): void {
  const { code, section, present } = target;
  const people: readonly Person[] = [...(wanted.endUsers ?? []), ...(wanted.addEndUsers ?? [])];
  const held = new Set(present?.holders ?? []);
  const seen = new Set<string>();
  let left = target.maximumActivations - (present?.numberOfActivations ?? 0);
  for (const text of people) {
    const user = lookup.person(text);
    const key = `${code}  ${user === undefined ? text : lookup.personName(user, text)}`;
    const conflict = (why: string): void => draft.conflict({ resource: 'holders', key, section, why });
    const id = user === undefined ? text : JSON.stringify(user);
    if (seen.has(id)) continue;
    seen.add(id);
    if (user === undefined) conflict('no user has this e-mail address');
    else if ('id' in user && held.has(user.id)) continue;
    else if (left-- <= 0) conflict(`all ${target.maximumActivations} activations are in use`);
    else
      draft.add({
        verb: 'assign',
        resource: 'holders',
        key,
        section,
        before: null,
        after: { license: target.ref, user },
        needs: neededBy(target.ref, user, target.step),
        reversible: false,
      });
  }
  if (wanted.endUsers === undefined || options.only === 'add') return;
  const stay = [...held].filter((id) => !seen.has(JSON.stringify({ id }))).length;
  if (stay === 0) return;
  const why = `stays with ${plural(stay, 'person', 'people')}: the service cannot take it away`;
  draft.conflict({ resource: 'holders', key: code, id: present?.id ?? null, section, why });
}

function planOne(wanted: WantedLicense, planning: Planning): void {
  const { lookup, draft, options, byCode, byId } = planning;
  const { at, id, code = '' } = wanted;
  const one = id === undefined ? byCode.get(code) : byId.get(id);
  if (wanted.remove) {
    if (one !== undefined) remove(one, planning);
    return;
  }
  const organization = wanted.organization === undefined ? undefined : lookup.organization(wanted.organization);
  if (typeof organization === 'string') {
    draft.fault(at, organization);
    return;
  }
  if (one !== undefined) {
    if (code !== '' && code !== one.code) {
      const why = `code ${one.code} → ${code}: the service cannot change it`;
      draft.conflict({
        resource: 'licenses',
        key: one.code,
        id: one.id,
        section: lookup.section(one.organization.id),
        why,
      });
    }
    const updated = update(wanted, one, organization, planning);
    const section = lookup.section(one.organization.id);
    planHolders(wanted, { ref: { id: one.id }, code: one.code, section, present: one, ...updated }, planning);
    return;
  }
  const owner = organization ?? lookup.organizationById(options.organization.id);
  if (id !== undefined) draft.fault(at, `your organization has no licence with the ID ${id}`);
  else if (owner === undefined) draft.fault(at, `no organization has the ID ${options.organization.id}`);
  else {
    const target = create(wanted, owner, planning);
    if (target !== undefined) planHolders(wanted, target, planning);
  }
}

/** Plans the licences of a wanted state and their holders. */
export function planLicenses({ licenses }: Want, lookup: Lookup, draft: Draft, options: PlanOptions): void {
  if (licenses.length === 0) return;
  const { actual } = lookup;
  const planning: Planning = {
    lookup,
    draft,
    options,
    byCode: new Map(actual.licenses.map((one) => [one.code, one])),
    byId: new Map(actual.licenses.map((one) => [one.id, one])),
    books: booksOf(lookup),
  };
  const counts = new Map<string, number>();
  for (const { organization } of actual.licenses) counts.set(organization.id, (counts.get(organization.id) ?? 0) + 1);
  for (const [id, count] of counts) draft.manages('licenses', lookup.section(id), count);
  for (const wanted of licenses) planOne(wanted, planning);
}
