/** Plans publishers and schools. */
import { nameForm } from '../../client/references/spelling.js';
import type { Fields } from '../../contract/vocabulary.js';
import { stateOf } from '../actual.js';
import { ENDPOINTS } from '../items.js';
import type { Want, WantedOrganization } from '../want.js';
import type { Draft } from './draft.js';
import { ambiguous, isSameName } from './want-references.js';

const TYPES = { publishers: 'Publisher', schools: 'School' } as const;
type Kind = keyof typeof TYPES;

function planOne(kind: Kind, wanted: WantedOrganization, draft: Draft): undefined {
  const { lookup } = draft;
  const type = TYPES[kind];
  const { at, id, name = '' } = wanted;
  const all = lookup.actual.organizations.filter((one) => one.type === type);
  const found = all.filter((one) => (id === undefined ? nameForm(one.name) === nameForm(name) : one.id === id));
  const [present] = found;
  if (found.length > 1) return draft.fault(at, ambiguous(found, `${kind} are called ${JSON.stringify(name)}`));
  const body: Fields = ENDPOINTS[kind].create.body;
  const values: Readonly<Record<string, unknown>> = { ...wanted };
  const after = Object.fromEntries(Object.keys(body).map((field) => [field, values[field]]));
  const given = Object.entries(after).filter(([, value]) => value !== undefined);
  if (present === undefined) {
    if (id !== undefined) return draft.fault(at, `there is no ${type.toLowerCase()} with the ID ${id}`);
    const needed = Object.entries(after).filter(([field]) => body[field]?.required === true);
    if (draft.lacks(at, name, Object.fromEntries(needed))) return;
    const ref = draft.add({ at, verb: 'create', resource: kind, after: Object.fromEntries(given) });
    lookup.addOrganization({ ref, type, name, roles: undefined });
    return;
  }
  if (draft.repeats(at, kind, present.id)) return;
  const before = stateOf(kind, present);
  if (given.every(([field, value]) => isSameName(String(value), String(before[field])))) return;
  const changed = { ...before, ...Object.fromEntries(given) };
  draft.add({ at, verb: 'update', resource: kind, id: present.id, before, after: changed });
}

export function planOrganizations(want: Want, draft: Draft): void {
  for (const kind of ['publishers', 'schools'] as const) for (const wanted of want[kind]) planOne(kind, wanted, draft);
}
