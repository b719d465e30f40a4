/** Schools (service-api-v1.md, "Schools"). Their classes are in classes.ts. */
import type { Handlers } from '../handler-types.js';
import { asShown, blankIsNull } from '../import-overrides.js';
import type { ServiceContext } from '../service-context.js';
import type { Organization } from '../store/records.js';
import { organizationHandlers, roleReferencesOf } from './organizations.js';

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
