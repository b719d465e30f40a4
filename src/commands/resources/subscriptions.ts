/** `edu subscriptions …` */
import { type Flag, type Group, textOf, textsOf } from '../../cli/command.js';
import { flagsFor } from '../../cli/flags-from-fields.js';
import { ORGANIZATION_FLAGS, organizationBody } from '../../cli/organization-flags.js';
import { CreatedSubscription, Subscription, subscriptions } from '../../contract/subscriptions.js';
import { idArgument, itemCommand, listCommand, type Write, writeCommand } from '../kinds/define.js';
import { userId } from '../kinds/references.js';
import { filled } from '../kinds/request-body.js';

const CREATE_FLAGS: readonly Flag[] = [
  ...flagsFor('body', subscriptions.create.body, {
    expirationDate: { aliases: ['until'] },
    organization: false,
    'organization.id': false,
    'organization.type': false,
  }),
  ...ORGANIZATION_FLAGS,
];
const UPDATE_FLAGS = flagsFor('body', subscriptions.update.body);

const ID = idArgument('id of the subscription', 'subscription');

export const subscriptionsGroup: Group = {
  name: 'subscriptions',
  commands: [
    listCommand({
      name: 'list',
      noun: 'subscriptions',
      summary: "List your organization's subscriptions.",
      examples: [
        { about: 'List the subscriptions:', line: 'edu subscriptions list' },
        { about: 'The ones that end first:', line: 'edu subscriptions list --sort expirationDate' },
      ],
      shape: Subscription,
      sources: async () => [{ endpoint: subscriptions.list, input: {} }],
    }),
    itemCommand({
      name: 'get',
      summary: 'Show one subscription.',
      arguments: [ID],
      examples: [
        { about: 'Show a subscription:', line: 'edu subscriptions get sub1' },
        { about: 'When does it end?', line: 'edu subscriptions get sub1 --query expirationDate' },
      ],
      shape: Subscription,
      fetch: async (values, context) => {
        const client = await context.client();
        return client.call(
          subscriptions.get,
          { params: { id: textOf(values, 'id') ?? '' } },
          { signal: context.signal },
        );
      },
    }),
    writeCommand({
      name: 'create',
      done: 'Created',
      summary: 'Create a subscription.',
      flags: CREATE_FLAGS,
      countable: true,
      examples: [
        {
          about: 'For 100 users at the same time:',
          line: 'edu subscriptions create --maximum-activations 100 --expiration-date 2030-07-31',
        },
        {
          about: 'See the request without sending it:',
          line: 'edu subscriptions create --maximum-activations 5 --expiration-date 2030-07-31 --dry-run',
        },
      ],
      shape: CreatedSubscription,
      plan: async (values, context) => {
        const body = { ...filled('body', CREATE_FLAGS, values), ...organizationBody(values, context) };
        return [{ endpoint: subscriptions.create, input: { body }, what: 'subscription' }];
      },
    }),
    writeCommand({
      name: 'update',
      done: 'Updated',
      summary: 'Change how many users can use a subscription at the same time.',
      arguments: [ID],
      flags: UPDATE_FLAGS,
      examples: [
        { about: 'Let 200 users use it:', line: 'edu subscriptions update sub1 --maximum-activations 200' },
        {
          about: 'See the request without sending it:',
          line: 'edu subscriptions update sub1 --maximum-activations 200 --dry-run',
        },
      ],
      shape: Subscription,
      plan: async (values) => {
        const id = textOf(values, 'id') ?? '';
        const body = filled('body', UPDATE_FLAGS, values);
        return [{ endpoint: subscriptions.update, input: { params: { id }, body }, what: `subscription ${id}` }];
      },
    }),
    writeCommand({
      name: 'assign',
      done: 'Assigned',
      summary: 'Assign a subscription to one or several users.',
      arguments: [ID, { name: 'user', about: 'ids or e-mail addresses of users', many: true, ref: 'user' }],
      examples: [
        { about: 'Assign it to a user:', line: 'edu subscriptions assign sub1 0000000155' },
        {
          about: 'To two users, one by e-mail address:',
          line: 'edu subscriptions assign sub1 school@example.org 0000000155',
        },
      ],
      shape: subscriptions.assign.returns,
      plan: async (values, context) => {
        const subscriptionId = textOf(values, 'id') ?? '';
        const writes: Write[] = [];
        for (const given of textsOf(values, 'user')) {
          const body = { userId: await userId(given, context), subscriptionId };
          writes.push({
            endpoint: subscriptions.assign,
            input: { body },
            what: `subscription ${subscriptionId} to ${given}`,
          });
        }
        return writes;
      },
    }),
  ],
};
