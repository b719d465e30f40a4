/** Publishers and schools, and the roles of organizations (service-api-v1.md, "Publishers", "Schools", "Roles"). */
import { owns } from '../access.js';
import type { Caller } from '../caller.js';
import { badField, forbidden, notFound } from '../error-answer.js';
import type { Handlers, ItemCall, PageRequest } from '../handler-types.js';
import { newId } from '../identifiers.js';
import { asShown, blankIsNull } from '../import-overrides.js';
import { valueAt, vocabularyOf } from '../names/store-vocabulary.js';
import { defaultRoles } from '../permissions.js';
import type { ServiceContext } from '../service-context.js';
import type { Organization, Role } from '../store/records.js';
import { only, roleReferences } from './person-answers.js';

type Kind = 'Publisher' | 'School';

/** "The caller must own it. 404 when the id is unknown. 403 when not allowed." */
export function findOwned({ store }: ServiceContext, caller: Caller, type: Kind, id: string): Organization {
  const organization = store.organizations.get(id);
  if (organization?.type !== type) throw notFound(type.toLowerCase(), id);
  if (!owns(caller, organization)) throw forbidden(`the ${type.toLowerCase()} ${id} is not owned by your organization`);
  return organization;
}

/** "400 when the name exists": compared exactly with all organizations of the type, except the one being updated. */
function requireFreeName({ store }: ServiceContext, type: Kind, name: string, ownId?: string): void {
  const other = store.organizations.first({ type, name });
  if (other !== undefined && other.id !== ownId) throw badField('name', `exists already: ${JSON.stringify(name)}`);
}

/** "A new organization receives a default set of roles." */
function insertWithRoles({ store, random }: ServiceContext, organization: Organization): void {
  store.organizations.insert(organization);
  store.roles.insertMany(
    defaultRoles(organization.type).map((role) => ({
      id: newId(random),
      organizationId: organization.id,
      ...role,
    })),
  );
}

type Answers<A> = (core: Pick<ServiceContext, 'store'>, organizations: readonly Organization[]) => A[];

/**
 * The handlers of publishers and of schools.
 * @param recordFields the fields of the record that are set by create and update
 */
export function organizationHandlers<A, B extends { readonly name: string }>(
  type: Kind,
  answers: Answers<A>,
  recordFields: (body: B) => Pick<Organization, 'name' | 'country' | 'city'>,
) {
  const answer = (core: ServiceContext, organization: Organization): A => only(answers(core, [organization]));
  return {
    list: {
      pages: 'organizations',
      run({ core, caller, page }: Omit<ItemCall, 'params'> & { readonly page: PageRequest }) {
        const { organizations } = core.store;
        const { items, next } = organizations.page({ ownerId: caller.organization.id, type }, page.after, page.limit);
        return { items: answers(core, items), next };
      },
    },
    get: { run: ({ core, caller, params }: ItemCall) => answer(core, findOwned(core, caller, type, params.id)) },
    create: {
      needs: [type, 'Create'],
      // "Only callers connected to a distributor may create one, and that distributor becomes the owner."
      run({ core, caller, body }: Omit<ItemCall, 'params'> & { readonly body: B }) {
        if (caller.organization.type !== 'Distributor') throw forbidden('only callers of a distributor may do this');
        requireFreeName(core, type, body.name);
        const organization = { id: newId(core.random), type, ...recordFields(body), ownerId: caller.organization.id };
        insertWithRoles(core, organization);
        return answer(core, organization);
      },
    },
    update: {
      needs: [type, 'Update'],
      run({ core, caller, params, body }: ItemCall & { readonly body: B }) {
        const before = findOwned(core, caller, type, params.id);
        requireFreeName(core, type, body.name, before.id);
        const updated = { ...before, ...recordFields(body) };
        core.store.organizations.update(updated);
        return answer(core, updated);
      },
    },
  } as const;
}

/** The roles of an organization: its own, and imported ones that it shares with another. */
export function rolesOf({ store }: Pick<ServiceContext, 'store'>, organizationId: string): readonly Role[] {
  const shared = valueAt(vocabularyOf(store).sharedRoles, organizationId) ?? [];
  return [...store.roles.all({ organizationId }), ...store.roles.many(shared).values()];
}

export const hasRole = ({ store }: ServiceContext, organizationId: string, role: Role): boolean =>
  role.organizationId === organizationId ||
  valueAt(vocabularyOf(store).sharedRoles, organizationId)?.includes(role.id) === true;

/** Returns a function to the references to an organization's roles, after looking up those of all organizations. */
export function roleReferencesOf(
  core: Pick<ServiceContext, 'store'>,
  organizations: readonly Organization[],
): (organization: Organization) => { id: string; name: string }[] {
  const { store } = core;
  if (vocabularyOf(store).sharedRoles !== undefined) return ({ id }) => roleReferences(rolesOf(core, id));
  const all = store.roles.allIn(
    'organizationId',
    organizations.map(({ id }) => id),
  );
  return ({ id }) => roleReferences(all.filter(({ organizationId }) => organizationId === id));
}

export function publisherAnswers(core: Pick<ServiceContext, 'store'>, organizations: readonly Organization[]) {
  const roles = roleReferencesOf(core, organizations);
  return organizations.map((one) => asShown({ id: one.id, name: blankIsNull(one.name), roles: roles(one) }, one.shown));
}

export const publishers: Handlers<'publishers'> = organizationHandlers(
  'Publisher',
  publisherAnswers,
  ({ name }: { readonly name: string }) => ({ name, country: null, city: null }),
);

export function schoolAnswers(core: Pick<ServiceContext, 'store'>, organizations: readonly Organization[]) {
  const roles = roleReferencesOf(core, organizations);
  return organizations.map((one) => {
    const { id, name, country, city, shown } = one;
    return asShown(
      { id, name: blankIsNull(name), country: blankIsNull(country), city: blankIsNull(city), roles: roles(one) },
      shown,
    );
  });
}

type SchoolBody = { readonly name: string; readonly country: string; readonly city: string };

export const schools: Handlers<'schools'> = organizationHandlers(
  'School',
  schoolAnswers,
  ({ name, country, city }: SchoolBody) => ({ name, country, city }),
);
