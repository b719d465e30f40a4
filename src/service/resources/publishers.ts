/** Publishers (service-api-v1.md, "Publishers"). */
import type { Handlers } from '../handler-types.js';
import { asShown, blankIsNull } from '../import-overrides.js';
import type { ServiceContext } from '../service-context.js';
import type { Organization } from '../store/records.js';
import { organizationHandlers, roleReferencesOf } from './organizations.js';

export function publisherAnswers(core: Pick<ServiceContext, 'store'>, organizations: readonly Organization[]) {
  const roles = roleReferencesOf(core, organizations);
  return organizations.map((one) => asShown({ id: one.id, name: blankIsNull(one.name), roles: roles(one) }, one.shown));
}

export const publishers: Handlers<'publishers'> = organizationHandlers(
  'Publisher',
  publisherAnswers,
  ({ name }: { readonly name: string }) => ({ name, country: null, city: null }),
);
