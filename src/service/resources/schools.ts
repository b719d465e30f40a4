/** Schools (service-api-v1.md, "Schools"). Their classes are in classes.ts. */
import type { Handlers } from '../handler-types.js';
import { asShown, blankIsNull } from '../import-overrides.js';
import type { ServiceContext } from '../service-context.js';
import type { Organization } from '../store/records.js';
import {
  findOwned,
  insertOwned,
  ownedPage,
  requireDistributor,
  requireFreeName,
  roleReferencesOf,
} from './organizations.js';

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

function schoolAnswer(core: ServiceContext, organization: Organization) {
  const [answer] = schoolAnswers(core, [organization]);
  return answer as NonNullable<typeof answer>;
}

export const schools: Handlers<'schools'> = {
  list: {
    pages: 'organizations',
    run({ core, caller, page }) {
      const { items, next } = ownedPage(core, caller, 'School', page);
      return { items: schoolAnswers(core, items), next };
    },
  },
  get: { run: ({ core, caller, params }) => schoolAnswer(core, findOwned(core, caller, 'School', params.id)) },
  create: {
    needs: ['School', 'Create'],
    run({ core, caller, body: { name, country, city } }) {
      requireDistributor(caller);
      requireFreeName(core, 'School', name);
      return schoolAnswer(core, insertOwned(core, caller, { type: 'School', name, country, city }));
    },
  },
  update: {
    needs: ['School', 'Update'],
    run({ core, caller, params, body: { name, country, city } }) {
      const school = findOwned(core, caller, 'School', params.id);
      requireFreeName(core, 'School', name, school.id);
      const updated = { ...school, name, country, city };
      core.store.organizations.update(updated);
      return schoolAnswer(core, updated);
    },
  },
};
