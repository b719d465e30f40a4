/** Plans publishers and schools. */
import type { ActualOrganization } from '../actual.js';
import type { Fields } from '../steps.js';
import type { Want, WantedOrganization } from '../want.js';
import type { Draft } from './draft.js';
import { ambiguous, isSameName } from './lookup.js';

const KINDS = {
  publishers: { type: 'Publisher', fields: ['name'] },
  schools: { type: 'School', fields: ['name', 'country', 'city'] },
} as const;
type Kind = keyof typeof KINDS;

const fieldsOf = (kind: Kind, source: Partial<ActualOrganization> | WantedOrganization): Fields =>
  Object.fromEntries(KINDS[kind].fields.map((name) => [name, source[name]]));

function planOne(kind: Kind, wanted: WantedOrganization, draft: Draft): undefined {
  const { lookup } = draft;
  const { type } = KINDS[kind];
  const { at, id, name = '' } = wanted;
  const all = lookup.actual.organizations.filter((one) => one.type === type);
  const found = all.filter((one) => (id === undefined ? isSameName(one.name, name) : one.id === id));
  const [present] = found;
  if (found.length > 1) return draft.fault(at, ambiguous(found, `${kind} are called ${JSON.stringify(name)}`));
  const after = fieldsOf(kind, wanted);
  if (present === undefined) {
    if (id !== undefined) return draft.fault(at, `there is no ${type.toLowerCase()} with the ID ${id}`);
    if (draft.lacks(at, name, after)) return;
    const section = { id: null, name };
    const ref = draft.add({ at, verb: 'create', resource: kind, key: name, section, after, reversible: false });
    lookup.addOrganization({ ref, type, name, roles: undefined });
    return;
  }
  if (draft.repeats(at, kind, present.id)) return;
  const before = fieldsOf(kind, present);
  const given = Object.entries(after).filter(([, value]) => value !== undefined);
  if (given.every(([field, value]) => isSameName(String(value), String(before[field])))) return;
  draft.add({
    at,
    verb: 'update',
    resource: kind,
    key: present.name,
    id: present.id,
    section: { id: present.id, name: present.name },
    before,
    after: { ...before, ...Object.fromEntries(given) },
    reversible: true,
  });
}

export function planOrganizations(want: Want, draft: Draft): void {
  const { own, organizations } = draft.lookup.actual;
  for (const kind of ['publishers', 'schools'] as const) {
    if (want[kind].length === 0) continue;
    const count = organizations.filter(({ type }) => type === KINDS[kind].type).length;
    draft.manages(kind, draft.lookup.section(own.id), count);
    for (const wanted of want[kind]) planOne(kind, wanted, draft);
  }
}
