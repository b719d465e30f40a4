/** Plans publishers and schools. */
import type { ActualOrganization } from '../actual.js';
import type { Draft, Fields } from '../steps.js';
import type { Want, WantedPublisher, WantedSchool } from '../want.js';
import type { Lookup } from './lookup.js';

type Wanted = WantedSchool & WantedPublisher;
type Kind = 'publishers' | 'schools';

const TYPE = { publishers: 'Publisher', schools: 'School' } as const;
const FIELDS = { publishers: ['name'], schools: ['name', 'country', 'city'] } as const;

const fieldsOf = (kind: Kind, source: Partial<ActualOrganization> | Wanted): Fields =>
  Object.fromEntries(FIELDS[kind].map((name) => [name, source[name]]).filter(([, value]) => value !== undefined));

function planOne(kind: Kind, wanted: Wanted, lookup: Lookup, draft: Draft): void {
  const type = TYPE[kind];
  const { at, id, name = '' } = wanted;
  const all = lookup.actual.organizations.filter((one) => one.type === type);
  const found = all.filter((one) => (id === undefined ? one.name === name : one.id === id));
  const [present] = found;
  if (found.length > 1) {
    draft.fault(at, `${found.length} ${kind} are called ${JSON.stringify(name)}: add a column id`);
    return;
  }
  const after = fieldsOf(kind, wanted);
  if (present === undefined) {
    if (id !== undefined) {
      draft.fault(at, `there is no ${type.toLowerCase()} with the ID ${id}`);
      return;
    }
    const missing = FIELDS[kind].filter((field) => after[field] === undefined);
    if (missing.length > 0) {
      draft.fault(at, `${name} does not exist, and to create it ${missing.join(' and ')} must be given`);
      return;
    }
    const section = { id: null, name };
    const ref = draft.add({
      verb: 'create',
      resource: kind,
      key: name,
      section,
      before: null,
      after,
      reversible: false,
    });
    lookup.addOrganization({ ref, type, name, roles: undefined });
    return;
  }
  const before = fieldsOf(kind, present);
  const changed = Object.keys(after).some((field) => after[field] !== before[field]);
  if (!changed) return;
  draft.add({
    verb: 'update',
    resource: kind,
    key: present.name,
    id: present.id,
    section: { id: present.id, name: present.name },
    before,
    after: { ...before, ...after },
    reversible: true,
  });
}

/** Plans the publishers and schools of a wanted state. */
export function planOrganizations({ publishers, schools }: Want, lookup: Lookup, draft: Draft): void {
  const own = lookup.section(lookup.actual.own.id);
  const count = (type: string): number => lookup.actual.organizations.filter((one) => one.type === type).length;
  if (publishers.length > 0) draft.manages('publishers', own, count('Publisher'));
  if (schools.length > 0) draft.manages('schools', own, count('School'));
  for (const wanted of publishers) planOne('publishers', wanted, lookup, draft);
  for (const wanted of schools) planOne('schools', wanted, lookup, draft);
}
