/** `edu subscriptions …` */
import type { Group } from '../../cli/command.js';
import { subscription, subscriptions } from '../../contract/subscriptions.js';
import { dayIn } from '../../core/day.js';
import { getPath } from '../../core/json.js';
import { type Assignment, assignOf } from '../kinds/assign.js';
import { termFlags } from '../kinds/define.js';
import { createOf, getOf, listOf, updateOf } from '../kinds/of-resource.js';
import { argumentFor } from '../kinds/references.js';

const ASSIGN: Assignment = {
  resource: subscription,
  endpoint: subscriptions.assign,
  done: 'Assigned',
  what: (id, user) => `subscription ${id} to ${user}`,
};

export const group: Group = {
  name: 'subscriptions',
  commands: [
    listOf(subscription, {
      flags: termFlags('subscriptions'),
      filter: async (values, context) => {
        const { allOf, checkFilters, termChecks } = await import('../kinds/list-filter.js');
        const endOf = (item: unknown) => dayIn(getPath(item, 'expirationDate'));
        return allOf(checkFilters(termChecks(values, context.now(), endOf), subscription.noun));
      },
      examples: {
        'List the subscriptions:': 'edu subscriptions list',
        'List those that end before a day:': 'edu subscriptions list --expires-before 2027-07-01',
      },
    }),
    getOf(subscription, {
      examples: {
        'Show a subscription:': 'edu subscriptions get sub1',
      },
    }),
    createOf(subscription, {
      overrides: { expirationDate: { aliases: ['until'] } },
      amend: async (draft, context) => {
        const { pastEnd } = await import('../kinds/past-end.js');
        return { write: await pastEnd('subscription', 'expiration-date', draft, context) };
      },
      risky: ['expiration-date'],
      countable: true,
      examples: {
        'Create a subscription for 100 users at the same time:':
          'edu subscriptions create --maximum-activations 100 --expiration-date 2030-07-31',
      },
    }),
    updateOf(subscription, {
      summary: 'Change the maximum number of simultaneous users of a subscription.',
      examples: {
        'Allow 200 users at the same time:': 'edu subscriptions update sub1 --maximum-activations 200',
      },
    }),
    assignOf(ASSIGN, {
      item: { ...argumentFor(subscription), name: 'subscription' },
      name: 'assign',
      summary: 'Assign a subscription to users.',
      examples: {
        'Assign a subscription to a user:': 'edu subscriptions assign sub1 0000000155',
      },
    }),
  ],
};
