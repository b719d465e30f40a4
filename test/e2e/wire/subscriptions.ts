/** Requests of `edu subscriptions …` (service-api-v1.md, "Subscriptions"). */
import { HOSTILE_ID, HOSTILE_SENT, page, says, sends, sendsJson, type WireCases } from './case.js';

const ANNA = { id: 'u11', email: 'anna@school.example', firstName: 'Anna', lastName: 'Smit', language: 'NL' };
const SUBSCRIPTION = {
  id: 'sub1',
  code: 'sub0001',
  maximumActivations: 100,
  numberOfActivations: 0,
  expirationDate: '2030-07-31',
};
const NEW_SUBSCRIPTION = ['subscriptions', 'create', '--maximum-activations', '100'];

export const subscriptions: WireCases = {
  'subscriptions list': {
    argv: ['subscriptions', 'list'],
    answers: { 'GET /v1/subscriptions': page('subscriptions', [SUBSCRIPTION]) },
    sent: [sends('GET /v1/subscriptions', { limit: '100' })],
  },
  'subscriptions get': {
    argv: ['subscription', 'get', HOSTILE_ID],
    answers: { '*': says(SUBSCRIPTION) },
    sent: [sends(`GET /v1/subscriptions/${HOSTILE_SENT}`)],
  },
  'subscriptions create': {
    argv: [...NEW_SUBSCRIPTION, '--expiration-date', '2030-07-31'],
    answers: { 'POST /v1/subscriptions': says({ ...SUBSCRIPTION, organization: { id: 'd1', type: 'Distributor' } }) },
    sent: [sendsJson('POST /v1/subscriptions', { maximumActivations: 100, expirationDate: '2030-07-31' })],
  },
  'subscriptions update sends the one field there is': {
    argv: ['subscriptions', 'update', HOSTILE_ID, '--maximum-activations', '200'],
    answers: { '*': says(SUBSCRIPTION) },
    sent: [
      sends(`GET /v1/subscriptions/${HOSTILE_SENT}`),
      sendsJson(`PUT /v1/subscriptions/${HOSTILE_SENT}`, { maximumActivations: 200 }),
    ],
  },
  'subscriptions assign to several users': {
    argv: ['subscriptions', 'assign', 'sub1', 'u10', 'anna@school.example'],
    answers: {
      'GET /v1/users/userId/anna%40school.example': says({ userId: 'u11' }),
      'PUT /v1/subscriptions/assignSubscription': says({ user: ANNA, activatedSubscriptionIds: ['sub1'] }),
    },
    sent: [
      sends('GET /v1/users/userId/anna%40school.example'),
      sendsJson('PUT /v1/subscriptions/assignSubscription', { userId: 'u10', subscriptionId: 'sub1' }),
      sendsJson('PUT /v1/subscriptions/assignSubscription', { userId: 'u11', subscriptionId: 'sub1' }),
    ],
  },
};
