/** Variants where the API document can be read both ways. */
import { expect, test } from 'vitest';
import type { VariantsGiven } from '../../../src/service/index.js';
import { made } from './demo-service.js';

const json = (method: string, body?: object) => ({
  method,
  headers: { 'content-type': 'application/json' },
  ...(body === undefined ? {} : { body: JSON.stringify(body) }),
});

test.each<readonly [VariantsGiven, byId: unknown, inList: unknown]>([
  [{}, undefined, '2026-03-01T12:00:00.000'],
  [{ deactivationDate: 'always' }, '2026-03-01T12:00:00.000', '2026-03-01T12:00:00.000'],
  [{ deactivationFormat: 'timestamp' }, undefined, '2026-03-01T12:00:00+00:00'],
])('a deleted class under %j', async (variants, byId, inList) => {
  const { call } = await made({ variants });
  await call('/v1/classes/delete/c1', json('PUT'));
  const found = (await (await call('/v1/classes/c1')).json()) as { schoolId?: string; deactivationDate?: string };
  expect(found.deactivationDate).toBe(byId);
  const listed = (await (await call('/v1/schools/s1/classes')).json()) as {
    classId: string;
    deactivationDate: unknown;
  }[];
  expect(listed.find(({ classId }) => classId === 'c1')?.deactivationDate).toBe(inList);
});

test.each([
  ['accepted', 200],
  ['refused', 400],
] as const)('assigning an expired item again is %s', async (repeatedAssignment, status) => {
  const { service, call } = await made({ variants: { repeatedAssignment } });
  const idOf = async (path: string, body: object) =>
    ((await (await call(path, json('POST', body))).json()) as { id: string }).id;
  const expiration = { type: 'Days', days: 30 };
  const licence = { name: 'N', type: 'Books', books: ['B1'], maximumActivations: 2, expiration };
  const licenseId = await idOf('/v1/licenses', licence);
  const subscriptionId = await idOf('/v1/subscriptions', { maximumActivations: 2, expirationDate: '2026-03-30' });
  const assign = async () => [
    (await call('/v1/licenses/assignLicense', json('PUT', { userId: 'u1', licenseId }))).status,
    (await call('/v1/subscriptions/assignSubscription', json('PUT', { userId: 'u1', subscriptionId }))).status,
  ];
  expect(await assign()).toEqual([200, 200]);
  expect(await assign()).toEqual([200, 200]);
  service.advance('31d');
  expect(await assign()).toEqual([status, status]);
});
