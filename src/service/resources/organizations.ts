/** Publishers and schools, and the roles of organizations (service-api-v1.md, "Publishers", "Schools", "Roles"). */
import type { Contract } from '../../contract/index.js';
import { type Caller, owns } from '../access.js';
import { badField, forbidden, notFound } from '../error-answer.js';
import type { Call, Handlers, ItemCall, PageRequest } from '../handler-types.js';
import { newId } from '../identifiers.js';
import { asShown, blankIsNull } from '../import-overrides.js';
import { defaultRoles } from '../permissions.js';
import type { ServiceContext, StoreContext } from '../service-context.js';
import type { Organization } from '../store/records.js';
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

/** @param recordFields the fields of the record that create and update set */
function organizationHandlers<A, B extends { readonly name: string }>(
  type: Kind,
  answers: (core: ServiceContext, organizations: readonly Organization[]) => A[],
  recordFields: (body: B) => Omit<Organization, 'id' | 'type' | 'ownerId' | 'shown'>,
) {
  const answer = (core: ServiceContext, organization: Organization): A => only(answers(core, [organization]));
  return {
    list: {
      run({ core, caller, page }: Omit<ItemCall, 'params'> & { readonly page: PageRequest }) {
        const { organizations } = core.store;
        const found = organizations.page({ ownerId: caller.organization.id, type }, page.after, page.limit);
        return { ...found, items: answers(core, found.items) };
      },
    },
    get: { run: ({ core, caller, params }: ItemCall) => answer(core, findOwned(core, caller, type, params.id)) },
    create: {
      needs: [type, 'Create'],
      // "Only callers connected to a distributor may create one, and that distributor becomes the owner."
      run({ core, caller, body }: Omit<ItemCall, 'params'> & { readonly body: B }) {
        if (caller.organization.type !== 'Distributor') throw forbidden('only distributors may do this');
        requireFreeName(core, type, body.name);
        const organizationId = newId(core.random);
        const organization = { id: organizationId, type, ...recordFields(body), ownerId: caller.organization.id };
        core.store.organizations.insert(organization);
        // "A new organization receives a default set of roles."
        core.store.roles.insertMany(
          defaultRoles(type).map((role) => ({ id: newId(core.random), organizationId, ...role })),
        );
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

/** Looks up the roles of all organizations, and returns a function to the references to those of one. */
function roleReferencesOf({ store }: StoreContext, organizations: readonly Organization[]) {
  const ids = organizations.map(({ id }) => id);
  const all = store.roles.allIn('organizationId', ids);
  return ({ id }: Organization) => roleReferences(all.filter(({ organizationId }) => organizationId === id));
}

const answersWith =
  <F>(fieldsOf: (organization: Organization) => F) =>
  (core: StoreContext, organizations: readonly Organization[]) => {
    const roles = roleReferencesOf(core, organizations);
    return organizations.map((one) =>
      asShown({ id: one.id, name: blankIsNull(one.name), ...fieldsOf(one), roles: roles(one) }, one.shown),
    );
  };

export const publisherAnswers = answersWith(() => ({}));

export const publishers: Handlers<'publishers'> = organizationHandlers(
  'Publisher',
  publisherAnswers,
  ({ name }: { readonly name: string }) => ({ name, country: null, city: null }),
);

export const schoolAnswers = answersWith(({ country, city }) => ({
  country: blankIsNull(country),
  city: blankIsNull(city),
}));

export const schools: Handlers<'schools'> = organizationHandlers(
  'School',
  schoolAnswers,
  ({ name, country, city }: Call<Contract['schools']['create']>['body']) => ({ name, country, city }),
);
