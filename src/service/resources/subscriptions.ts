/** Subscriptions (service-api-v1.md, "Subscriptions"). */
import { findOwn, organizationToCreateFor, referenceTo, requireOwn } from '../access.js';
import { dayOf } from '../dates.js';
import { badField, Refusal, requireNamed } from '../error-answer.js';
import type { Handlers } from '../handler-types.js';
import { newFreeCode, newId } from '../identifiers.js';
import { asShown, blankIsNull } from '../import-overrides.js';
import type { Subscription } from '../store/records.js';
import { personOf, personToAssign } from './person-answers.js';

const CODE_LENGTH = 12;

export function subscriptionAnswer(subscription: Subscription) {
  const { id, code, maximumActivations, numberOfActivations, expirationDate, shown } = subscription;
  return asShown({ id, code: blankIsNull(code), maximumActivations, numberOfActivations, expirationDate }, shown);
}

export const subscriptions: Handlers<'subscriptions'> = {
  list: {
    run({ core, caller, page }) {
      const found = core.store.subscriptions.page({ organizationId: caller.organization.id }, page.after, page.limit);
      return { ...found, items: found.items.map(subscriptionAnswer) };
    },
  },
  get: {
    run: ({ core, caller, params }) =>
      subscriptionAnswer(findOwn(core.store.subscriptions, caller, 'subscription', params.id)),
  },
  create: {
    needs: ['Subscription', 'Create'],
    run({ core, caller, body }) {
      const organization = organizationToCreateFor(core, caller, body.organization);
      // "Must be in the future": tomorrow or later.
      const today = dayOf(core.now());
      if (body.expirationDate <= today) {
        throw badField('expirationDate', `must be in the future, after ${today}, not ${body.expirationDate}`);
      }
      const subscription: Subscription = {
        id: newId(core.random),
        code: newFreeCode(core.random, CODE_LENGTH, (code) => core.store.subscriptions.first({ code }) !== undefined),
        maximumActivations: body.maximumActivations,
        numberOfActivations: 0,
        expirationDate: body.expirationDate,
        organizationId: organization.id,
        creatorId: caller.organization.id,
      };
      core.store.subscriptions.insert(subscription);
      return { ...subscriptionAnswer(subscription), organization: referenceTo(organization) };
    },
  },
  update: {
    needs: ['Subscription', 'Update'],
    run({ core, caller, params, body }) {
      const subscription = findOwn(core.store.subscriptions, caller, 'subscription', params.id);
      // The API document's constraint ("less than the current numberOfActivations") contradicts its sample.
      const minimum = Math.max(1, subscription.numberOfActivations);
      if (body.maximumActivations < minimum) {
        throw badField('maximumActivations', `must be at least ${minimum}, not ${body.maximumActivations}`);
      }
      const updated = { ...subscription, maximumActivations: body.maximumActivations };
      core.store.subscriptions.update(updated);
      return subscriptionAnswer(updated);
    },
  },
  assign: {
    needs: ['Subscription', 'Update'],
    run({ core, caller, body }) {
      const { store } = core;
      const { subscriptionId } = body;
      const found = store.subscriptions.get(subscriptionId);
      const subscription = requireNamed(found, 'subscriptionId', 'subscription', subscriptionId);
      requireOwn(caller, 'subscription', subscription);
      const user = personToAssign(core, caller, body.userId);
      const { id, numberOfActivations, maximumActivations, expirationDate } = subscription;
      const isNew = store.subscriptionUses.first({ subscriptionId: id, userId: user.id }) === undefined;
      if ((isNew || core.variants.repeatedAssignment === 'refused') && expirationDate < dayOf(core.now())) {
        throw new Refusal(400, `the subscription ${id} has expired`);
      }
      if (isNew) {
        if (numberOfActivations >= maximumActivations) {
          throw new Refusal(400, `the subscription ${id} is used by ${numberOfActivations}, its maximum`);
        }
        const use = { id: newId(core.random), subscriptionId: id, userId: user.id, createdAt: core.now() };
        store.subscriptionUses.insert(use);
        store.subscriptions.update({ ...subscription, numberOfActivations: numberOfActivations + 1 });
      }
      const uses = store.subscriptionUses.all({ userId: user.id });
      return { user: personOf(user), activatedSubscriptionIds: uses.map(({ subscriptionId }) => subscriptionId) };
    },
  },
};
