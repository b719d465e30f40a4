/** Subscriptions (service-api-v1.md, "Subscriptions"). */
import { ID, ORGANIZATION, USED } from './columns.js';
import { resource } from './resource.js';
import { assignedUser, optionalOrganization, organizationReference } from './shared.js';
import { date, endpoint, list, number, object, shape, text, variant } from './vocabulary.js';

const fields = {
  id: text('subscription ID'),
  code: text('code'),
  maximumActivations: number('how many users can use it at the same time'),
  numberOfActivations: number('how many use it now'),
  expirationDate: date('last day'),
} as const;

export const Subscription = shape('Subscription', 'a subscription', fields, {
  columns: [
    ID,
    { title: 'Code', from: 'code', rank: 1 },
    USED,
    { title: 'Expires', from: 'expirationDate', rank: 2 },
    ORGANIZATION,
  ],
});

/** Only the create response contains the organization. */
export const CreatedSubscription = variant(Subscription, 'a subscription as returned by create', {
  ...fields,
  organization: organizationReference,
});

const id = { id: text('subscription ID', { required: true, refersTo: 'subscription' }) } as const;

export const subscriptions = {
  list: endpoint({
    method: 'GET',
    path: '/v1/subscriptions',
    description: "List the subscriptions of the caller's organization.",
    list: { key: 'subscriptions', of: Subscription, paged: true },
    repeat: 'safe',
    errors: [403],
  }),
  get: endpoint({
    method: 'GET',
    path: '/v1/subscriptions/{id}',
    description: 'Show one subscription.',
    params: id,
    returns: Subscription,
    repeat: 'safe',
    errors: [403, 404],
  }),
  create: endpoint({
    method: 'POST',
    path: '/v1/subscriptions',
    description: 'Create a subscription.',
    body: {
      maximumActivations: number('how many users can use it at the same time', { required: true, minimum: 1 }),
      expirationDate: date('last day, in the future', { required: true }),
      organization: optionalOrganization,
    },
    returns: CreatedSubscription,
    repeat: 'unkeyed',
    errors: [400, 403],
  }),
  /** No minimum, because the API document's constraint contradicts its sample. */
  update: endpoint({
    method: 'PUT',
    path: '/v1/subscriptions/{id}',
    description: 'Change how many users can use a subscription.',
    params: id,
    body: {
      maximumActivations: number('how many users can use it at the same time', { required: true }),
    },
    returns: Subscription,
    repeat: 'safe',
    errors: [400, 403, 404],
  }),
  assign: endpoint({
    method: 'PUT',
    path: '/v1/subscriptions/assignSubscription',
    description: 'Assign a subscription to a user.',
    body: {
      userId: text('user ID', { required: true, refersTo: 'user' }),
      subscriptionId: text('subscription ID', { required: true, refersTo: 'subscription' }),
    },
    returns: object(
      {
        user: assignedUser,
        activatedSubscriptionIds: list(text('subscription ID'), "IDs of the user's subscriptions"),
      },
      'the user and the subscriptions that the user holds',
      { prints: 'user.id' },
    ),
    repeat: 'safe',
    errors: [400],
  }),
};

export const subscription = resource({
  name: 'subscriptions',
  noun: ['subscription', 'subscriptions'],
  refersTo: 'subscription',
  endpoints: subscriptions,
  shape: Subscription,
  label: '{code}, until {expirationDate}',
  search: ['code'],
  natural: 'code',
  written: [{ field: 'code', noun: 'code', prefix: 'code:' }],
  recognised: { by: 'equality', fields: ['maximumActivations', 'expirationDate'], shows: 'own' },
});
