/** Plans licences and their holders. */
import { nameForm } from '../../client/references/spelling.js';
import { plural } from '../../core/plural.js';
import { type ActualLicense, stateOf, writableOf } from '../actual.js';
import { isEqual } from '../items.js';
import type { Fields, Ref } from '../steps.js';
import type { Want, WantedLicense } from '../want.js';
import type { Draft } from './draft.js';
import { idOf, type KnownOrganization, notTheSame } from './want-references.js';

interface Target {
  readonly ref: Ref;
  readonly code: string;
  /** Its organization. */
  readonly of: Ref;
  readonly present?: ActualLicense;
  /** Null if the service does not show it. */
  readonly maximumActivations: number | null;
}

/** IDs of the books of a row; undefined if it has none, or an unknown one. */
function bookIds({ at, books }: WantedLicense, draft: Draft): readonly string[] | undefined {
  const ids = books?.flatMap((text) => draft.found(at, draft.lookup.book(text))?.id ?? []);
  return ids?.length === books?.length ? ids && [...new Set(ids)] : undefined;
}

function create(wanted: WantedLicense, owner: KnownOrganization, draft: Draft): Target | undefined {
  const { at, code = '', name, type, maximumActivations, expiration, licenseCategory } = wanted;
  const books = bookIds(wanted, draft);
  const needed = { name, type, maximumActivations, ...(type === 'Books' ? { books: wanted.books, expiration } : {}) };
  if (draft.lacks(at, code, needed) || maximumActivations === undefined) return undefined;
  const after = {
    name,
    code,
    type,
    maximumActivations,
    ...(books && { books }),
    ...(expiration && { expiration }),
    organization: { id: owner.ref, type: owner.type },
    ...(licenseCategory && { licenseCategory }),
  };
  const ref = draft.add({ verb: 'create', resource: 'licenses', after });
  return { ref, code, of: owner.ref, maximumActivations };
}

/** Updates a licence, with conflicts for values that cannot be set. @returns its new maximum */
function update(
  wanted: WantedLicense,
  one: ActualLicense,
  organization: KnownOrganization | undefined,
  draft: Draft,
): number | null {
  const { id, code, type, numberOfActivations: used } = one;
  const of = one.organization.id;
  const conflict = (why: string): void => draft.conflict({ resource: 'licenses', key: code, id, of, why });
  const unchangeable = (field: string, from: string, to: string): void =>
    conflict(`${field} ${from} → ${to}: the service cannot change it`);
  if (wanted.code !== undefined && nameForm(wanted.code) !== nameForm(code)) unchangeable('code', code, wanted.code);
  const books = bookIds(wanted, draft);
  if (wanted.type !== undefined && wanted.type !== type) unchangeable('type', type, wanted.type);
  if (organization !== undefined && organization.id !== one.organization.id)
    unchangeable('organization', one.organization.id, organization.id ?? organization.name);
  const ids = one.books.map((book) => book.id);
  const hasNewBooks = books !== undefined && !isEqual(books, ids);
  const { name = one.name, expiration, licenseCategory } = wanted;
  if (hasNewBooks && used > 0) conflict('its books cannot change after it was activated');
  const { maximumActivations: wish } = wanted;
  const maximum = wish === undefined || wish < used ? one.maximumActivations : wish;
  if (wish !== undefined && wish < used)
    conflict(`maximumActivations ${one.maximumActivations} → ${wish}: ${used} are in use`);
  const before = writableOf('licenses', one);
  const after: Fields = {
    ...before,
    name,
    maximumActivations: maximum,
    ...(hasNewBooks && used === 0 ? { books } : {}),
    ...(expiration && { expiration }),
  };
  if (isEqual(before, after)) return one.maximumActivations;
  if (one.licenseCategory !== null && licenseCategory === undefined) {
    conflict(
      `shows the category ${one.licenseCategory}, which a change may reset: give its ID in the column licenseCategory`,
    );
    return one.maximumActivations;
  }
  // Sent, but not compared.
  const body = { ...after, ...(licenseCategory && { licenseCategory }) };
  draft.update({ resource: 'licenses', key: code, id, of, before, after: body });
  return maximum;
}

function planHolders({ endUsers, addEndUsers = [] }: WantedLicense, target: Target, draft: Draft): void {
  const { lookup, options } = draft;
  const { code, of, present, maximumActivations } = target;
  const held = new Set(present?.holders ?? []);
  const seen = new Set<string>();
  let left = (maximumActivations ?? Number.POSITIVE_INFINITY) - (present?.numberOfActivations ?? 0);
  for (const text of [...(endUsers ?? []), ...addEndUsers]) {
    const user = lookup.person(text);
    const address = typeof user === 'string' ? lookup.users.get(user)?.email : undefined;
    const key = `${code}  ${address ?? text}`;
    const conflict = (why: string): void => draft.conflict({ resource: 'holders', key, of, why });
    const id = user === undefined ? text : JSON.stringify(user);
    if (seen.has(id)) continue;
    seen.add(id);
    if (user === undefined) conflict(lookup.whyUnknown(text));
    else if (held.has(idOf(user) ?? '')) continue;
    else if (left-- <= 0) conflict(`all ${maximumActivations} activations are in use`);
    else {
      draft.add({ verb: 'assign', resource: 'holders', after: { licenseId: target.ref, userId: user } });
    }
  }
  if (endUsers === undefined || options.only === 'add') return;
  const stay = [...held].filter((id) => !seen.has(JSON.stringify(id))).length;
  if (stay === 0) return;
  const why = `stays with ${plural(stay, 'person', 'people')}: the service cannot take it away`;
  draft.conflict({ resource: 'holders', key: code, id: present?.id ?? null, of, why });
}

export function planLicenses({ licenses }: Want, draft: Draft): void {
  if (licenses.length === 0) return;
  const { lookup, options } = draft;
  const all = lookup.actual.licenses;
  const byCode = new Map(all.map((one) => [nameForm(one.code), one]));
  const byId = new Map(all.map((one) => [one.id, one]));
  for (const wanted of licenses) {
    const { at, id, code = '' } = wanted;
    const keyed = byCode.get(nameForm(code));
    const one = id === undefined ? keyed : byId.get(id);
    // Another code is a conflict, but that of a licence to remove only says which one is meant.
    if (id !== undefined && keyed?.id !== id && (keyed !== undefined || (wanted.remove && code !== ''))) {
      const unknown = `no licence has the code ${JSON.stringify(code)}`;
      draft.fault(at, keyed === undefined ? unknown : notTheSame('licence', id, code, keyed.id));
      continue;
    }
    if (one !== undefined && draft.repeats(at, 'licenses', one.id)) continue;
    if (wanted.remove) {
      const verb = one !== undefined && one.numberOfActivations > 0 ? 'cancel' : 'delete';
      if (one !== undefined) draft.add({ verb, resource: 'licenses', id: one.id, before: stateOf('licenses', one) });
      continue;
    }
    draft.check('licenses', wanted, one);
    const { type, ...end } = wanted.expiration ?? {};
    const other = type === 'Days' ? 'date' : 'days';
    // The service may show both.
    if (end[other] !== undefined && end[other] !== one?.expiration?.[other])
      draft.fault(at, `expiration.${other} does not apply to the type ${type}`);
    // The organization that the licence has may be one that the caller may not list.
    const isMoved = wanted.organization !== undefined && wanted.organization !== one?.organization.id;
    const named = isMoved ? lookup.organization(wanted.organization) : undefined;
    if (typeof named === 'string') draft.fault(at, named);
    else if (one !== undefined) {
      const maximumActivations = update(wanted, one, named, draft);
      planHolders(
        wanted,
        { ref: one.id, code: one.code, of: one.organization.id, present: one, maximumActivations },
        draft,
      );
    } else if (id !== undefined) draft.fault(at, `your organization has no licence with the ID ${id}`);
    else {
      const owner = draft.found(at, named ?? lookup.organization(options.organization.id));
      const target = owner && create(wanted, owner, draft);
      if (target !== undefined) planHolders(wanted, target, draft);
    }
  }
}
