/** Imports organizations and roles from their lists and from references to roles. */
import { differenceFrom } from '../import-overrides.js';
import { publisherAnswers, schoolAnswers } from '../resources/organizations.js';
import { only } from '../resources/person-answers.js';
import { roleAnswer } from '../resources/roles.js';
import type { Organization, Role } from '../store/records.js';
import { asText, type Item, listOf, objectOf, organizationTypeOf, roleOf } from './import-records.js';
import { all, type Loading, ownerIn, withShown } from './import-source.js';

/** By ID, each with its exported item, if there is one. */
type Organizations = ReadonlyMap<string, { readonly organization: Organization; readonly item: Item | undefined }>;

/** Finds the organizations and fills `types`. They are stored later, because their responses contain their roles. */
export async function findOrganizations({ data, own, types }: Loading): Promise<Organizations> {
  const found = new Map<string, { organization: Organization; item: Item | undefined }>();
  const add = (id: string, given: string, item?: Item): void => {
    const type =
      id === own ? (types.get(own) ?? organizationTypeOf(given) ?? 'Distributor') : organizationTypeOf(given);
    if (id === '' || type === undefined) return;
    // No response of the service names the caller's own organization, except a list that contains it.
    const name = asText(item?.name) || (item === undefined ? id : '');
    const [country, city] = type === 'School' ? [asText(item?.country), asText(item?.city)] : [null, null];
    const ownerId = id === own && item === undefined ? null : own;
    types.set(id, type);
    found.set(id, { organization: { id, type, name, ownerId, country, city }, item });
  };
  add(own, data.organization.type);
  for (const { id, type } of data.organizations) add(id, type);
  for (const item of await all(data, 'publishers')) add(asText(item.id), 'Publisher', item);
  for (const item of await all(data, 'schools')) add(asText(item.id), 'School', item);
  return found;
}

/** To be called after roles and vocabulary are stored. */
export function loadOrganizations({ store }: Loading, found: Organizations): void {
  store.write(() => {
    const records = [...found.values()].map(({ organization, item }) => {
      if (item === undefined) return organization;
      const answers = organization.type === 'School' ? schoolAnswers : publisherAnswers;
      return only(withShown([organization], answers({ store }, [organization]), [item]));
    });
    store.organizations.insertMany(records);
  });
}

/** A reference to a role, the organization it belongs to if it is new, and its permissions if known. */
type Reference = readonly [role: Item, organizationId: string, permissions: unknown];

/** The roles that publishers, schools, users and the account name. Only the account's come with permissions. */
async function* references(loading: Loading, found: Organizations): AsyncGenerator<Reference[]> {
  const { data, own } = loading;
  const of = (roles: unknown, organizationId: string, permissions: unknown): Reference[] =>
    listOf(roles).map((role) => [objectOf(role), organizationId, permissions]);
  for (const [id, { item }] of found) yield of(item?.roles, id, []);
  const [account = {}] = await all(data, 'account');
  yield of(account.roles, own, account.permissions);
  for await (const users of data.items('users')) {
    yield users.flatMap((user) => of(user.roles, ownerIn(loading, user.organization), []));
  }
}

/**
 * Stores roles. One belongs to the organization that names it, else to that of its first user, else to the caller's own,
 * because the users of an organization may only have roles of theirs.
 */
export async function loadRoles(loading: Loading, found: Organizations): Promise<void> {
  const { data, store, own } = loading;
  const items = new Map((await all(data, 'roles')).map((item) => [asText(item.id), item]));
  const roles = new Map<string, Role>();
  const isListed = data.holds('roles');
  for await (const some of references(loading, found)) {
    for (const [item, organizationId, permissions] of some) {
      const id = asText(item.id);
      const known = roles.get(id);
      if (known !== undefined) {
        if (known.name === '') roles.set(id, { ...known, name: asText(item.name) });
      } else if (id !== '') {
        const listed = items.get(id);
        const role = roleOf(listed ?? { ...item, permissions }, organizationId);
        roles.set(id, isListed && listed === undefined ? { ...role, unlisted: true } : role);
      }
    }
  }
  for (const [id, item] of items) {
    const role = roles.get(id) ?? roleOf(item, own);
    roles.set(id, role);
    const shown = differenceFrom(roleAnswer(role), item);
    if (shown !== undefined) roles.set(id, { ...role, shown });
  }
  store.write(() => store.roles.insertMany(roles.values()));
}
