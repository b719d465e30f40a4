/** Publishers (service-api-v1.md, "Publishers"). */
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

export function publisherAnswers(core: Pick<ServiceContext, 'store'>, organizations: readonly Organization[]) {
  const roles = roleReferencesOf(core, organizations);
  return organizations.map((one) => asShown({ id: one.id, name: blankIsNull(one.name), roles: roles(one) }, one.shown));
}

function publisherAnswer(core: ServiceContext, organization: Organization) {
  const [answer] = publisherAnswers(core, [organization]);
  return answer as NonNullable<typeof answer>;
}

export const publishers: Handlers<'publishers'> = {
  list: {
    pages: 'organizations',
    run({ core, caller, page }) {
      const { items, next } = ownedPage(core, caller, 'Publisher', page);
      return { items: publisherAnswers(core, items), next };
    },
  },
  get: { run: ({ core, caller, params }) => publisherAnswer(core, findOwned(core, caller, 'Publisher', params.id)) },
  create: {
    needs: ['Publisher', 'Create'],
    run({ core, caller, body: { name } }) {
      requireDistributor(caller);
      requireFreeName(core, 'Publisher', name);
      return publisherAnswer(core, insertOwned(core, caller, { type: 'Publisher', name, country: null, city: null }));
    },
  },
  update: {
    needs: ['Publisher', 'Update'],
    run({ core, caller, params, body: { name } }) {
      const publisher = findOwned(core, caller, 'Publisher', params.id);
      requireFreeName(core, 'Publisher', name, publisher.id);
      const updated = { ...publisher, name };
      core.store.organizations.update(updated);
      return publisherAnswer(core, updated);
    },
  },
};
