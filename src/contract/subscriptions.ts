/** Subscriptions (service-api-v1.md, "Subscriptions"). */
import { ID, ORGANIZATION, USED } from './columns.js';
import { resource } from './resource.js';
import { assignedUser, optionalOrganization, organizationReference } from './shared.js';
import { date, get, integer, list, number, object, post, put, shape, text, variant } from './vocabulary.js';

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

const params = { id: text('subscription ID', { required: true, refersTo: 'subscription' }) } as const;

export const subscriptions = {
  list: get('/v1/subscriptions', "List the subscriptions of the caller's organization.", {
    list: { key: 'subscriptions', of: Subscription, paged: true, scope: 'of your organization' },
    errors: [403],
  }),
  get: get('/v1/subscriptions/{id}', 'Show one subscription.', { params, returns: Subscription, errors: [403, 404] }),
  create: post('/v1/subscriptions', 'Create a subscription.', {
    body: {
      maximumActivations: integer('how many users can use it at the same time', { required: true, minimum: 1 }),
      expirationDate: date('last day, in the future', { required: true }),
      organization: optionalOrganization,
    },
    returns: CreatedSubscription,
    errors: [400, 403],
  }),
  /** No minimum, because the API document's constraint contradicts its sample. */
  update: put('/v1/subscriptions/{id}', 'Change how many users can use a subscription.', {
    params,
    body: { maximumActivations: integer('how many users can use it at the same time', { required: true }) },
    returns: Subscription,
    errors: [400, 403, 404],
  }),
  assign: put('/v1/subscriptions/assignSubscription', 'Assign a subscription to a user.', {
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
  written: [{ field: 'code', noun: 'code', prefix: 'code:', key: 'code' }],
  recognised: { by: 'equality', fields: ['maximumActivations', 'expirationDate'], shows: 'own' },
});
