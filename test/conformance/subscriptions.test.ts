/** Subscriptions and the users who hold them ("Subscriptions"). */
import { expect, it } from 'vitest';
import { dayFrom, newUser, organizationOf } from './makers.js';
import { conformance } from './suite.js';
import { everyItem } from './walk.js';

const create = 'POST /v1/subscriptions';
const assign = 'PUT /v1/subscriptions/assignSubscription';

conformance('Subscriptions', ({ school, distributor, publisher, door, ours }) => {
  const body = (more: object = {}) => ({
    maximumActivations: 2,
    expirationDate: dayFrom(door().now(), 30),
    ...more,
  });
  const made = (more: object = {}) => school.ok(create, { json: body(more) });
  const user = async () => newUser(school, await organizationOf(school));

  it('[subscription-fields] returns what was sent, a code, and the organization in the create answer only', async () => {
    const json = body({ maximumActivations: 4 });
    const { organization, ...rest } = await school.ok(create, { json });
    expect(rest).toMatchObject({ ...json, numberOfActivations: 0 });
    expect(rest.code).not.toBe('');
    expect(organization).toEqual(await organizationOf(school));
    expect(await school.ok('GET /v1/subscriptions/{id}', { params: { id: rest.id } })).toEqual(rest);
  });

  it('[subscription-least] accepts a maximum of 1, but not 0', async () => {
    expect((await made({ maximumActivations: 1 })).maximumActivations).toBe(1);
    for (const maximumActivations of [0, -1]) {
      await school.refused(400, create, { json: body({ maximumActivations }) });
    }
  });

  it('[subscription-future] refuses an expiration date that is not in the future with 400', async () => {
    const now = door().now();
    for (const days of [-1, -2, -400]) {
      await school.refused(400, create, { json: body({ expirationDate: dayFrom(now, days) }) });
    }
    await made({ expirationDate: dayFrom(now, 2) });
  });

  ours('[subscription-future-day] refuses today in UTC, and accepts tomorrow', async () => {
    const now = door().now();
    await school.refused(400, create, { json: body({ expirationDate: dayFrom(now, 0) }) });
    await made({ expirationDate: dayFrom(now, 1) });
  });

  it('[subscription-list-own] lists the subscriptions of the caller’s own organization', async () => {
    const mine = await made();
    const theirs = await publisher.ok(create, { json: body() });
    const ids = (await everyItem(school, 'GET /v1/subscriptions')).map(({ id }) => id);
    expect(ids).toContain(mine.id);
    expect(ids).not.toContain(theirs.id);
  });

  it('[subscription-create-for-organization] accepts an owned organization, and refuses any other with 403', async () => {
    const organization = await organizationOf(school);
    const answer = await distributor.ok(create, { json: body({ organization }) });
    expect(answer.organization).toEqual(organization);
    await publisher.refused(403, create, { json: body({ organization }) });
  });

  it('[subscription-update] accepts a higher maximum while nobody uses it, as in the document’s sample', async () => {
    const { id } = await made();
    const updated = await school.ok('PUT /v1/subscriptions/{id}', { params: { id }, json: { maximumActivations: 10 } });
    expect(updated).toMatchObject({ id, maximumActivations: 10, numberOfActivations: 0 });
    expect(await school.ok('GET /v1/subscriptions/{id}', { params: { id } })).toEqual(updated);
  });

  ours('[subscription-update-bounds] accepts at least 1, and no less than the number of activations', async () => {
    const { id } = await made({ maximumActivations: 3 });
    for (let users = 0; users < 2; users++) {
      await school.ok(assign, { json: { userId: (await user()).id, subscriptionId: id } });
    }
    const put = 'PUT /v1/subscriptions/{id}';
    await school.refused(400, put, { params: { id }, json: { maximumActivations: 1 } });
    await school.ok(put, { params: { id }, json: { maximumActivations: 2 } });
    const { id: unused } = await made();
    await school.refused(400, put, { params: { id: unused }, json: { maximumActivations: 0 } });
    await school.ok(put, { params: { id: unused }, json: { maximumActivations: 1 } });
  });

  it("[subscription-assigned] returns the user and the IDs of the user's subscriptions", async () => {
    const holder = await user();
    const first = await made();
    const second = await made();
    const once = await school.ok(assign, { json: { userId: holder.id, subscriptionId: first.id } });
    const { id, email, firstName, lastName, language } = holder;
    expect(once).toEqual({ user: { id, email, firstName, lastName, language }, activatedSubscriptionIds: [first.id] });
    const twice = await school.ok(assign, { json: { userId: holder.id, subscriptionId: second.id } });
    expect([...twice.activatedSubscriptionIds].sort()).toEqual([first.id, second.id].sort());
    const read = await school.ok('GET /v1/subscriptions/{id}', { params: { id: first.id } });
    expect(read.numberOfActivations).toBe(1);
  });

  ours('[subscription-maximum] refuses a user above the maximum with 400', async () => {
    const { id: subscriptionId } = await made({ maximumActivations: 1 });
    const { id: userId } = await user();
    await school.ok(assign, { json: { userId, subscriptionId } });
    await school.ok(assign, { json: { userId, subscriptionId } });
    await school.refused(400, assign, { json: { userId: (await user()).id, subscriptionId } });
  });

  ours('[subscription-expired-takes-nobody] refuses to assign a subscription with 400 after its last day', async () => {
    const { id: subscriptionId } = await made({ expirationDate: dayFrom(door().now(), 10) });
    const [first, second] = [(await user()).id, (await user()).id];
    door().advance?.(10 * 86_400_000);
    await school.ok(assign, { json: { userId: first, subscriptionId } });
    door().advance?.(86_400_000);
    await school.refused(400, assign, { json: { userId: second, subscriptionId } });
  });

  ours('[assigned-again-when-expired] accepts an expired subscription for a user who uses it already', async () => {
    const { id: subscriptionId } = await made({ expirationDate: dayFrom(door().now(), 10) });
    const json = { userId: (await user()).id, subscriptionId };
    await school.ok(assign, { json });
    door().advance?.(11 * 86_400_000);
    await school.ok(assign, { json });
  });

  ours('[subscription-assign-own] refuses to assign another organization’s subscription with 400 or 403', async () => {
    const { id: subscriptionId } = await publisher.ok(create, { json: body() });
    const answer = await school.send(assign, { json: { userId: (await user()).id, subscriptionId } });
    expect([400, 403]).toContain(answer.status);
  });
});
