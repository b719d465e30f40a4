/** Every documented 403 and 404, and IDs that do not exist. Ownership is in ownership.test.ts. */
import { expect, it } from 'vitest';
import { DOCUMENTED } from '../contract/endpoint-table.js';
import type { Actor, Given } from './actor.js';
import { EN, newSchool, unique } from './makers.js';
import { validRequest } from './requests.js';
import { conformance, type Service } from './suite.js';
import type { Route } from './typed-routes.js';

type Forbidden = (service: Service) => Promise<readonly [Actor, Given]>;

/** The valid request of the distributor, about its data, sent by the school. */
const bySchool =
  (route: Route): Forbidden =>
  async (service) => [service.school, await validRequest(route, service.distributor, service.door().now())];

const byViewer =
  (route: Route): Forbidden =>
  async (service) => [service.viewer, await validRequest(route, service.viewer, service.door().now())];

const withoutToken: Forbidden = async (service) => [service.nobody, { query: EN }];

/**
 * One request per documented 403. A list without an organization has no other caller to refuse, only one without a
 * token.
 */
const FORBIDDEN: Partial<Record<Route, Forbidden>> = {
  'GET /v1/books': bySchool('GET /v1/books'),
  'GET /v1/books/{id}': bySchool('GET /v1/books/{id}'),
  'GET /v1/books/{id}/editor': bySchool('GET /v1/books/{id}/editor'),
  'GET /v1/books/{id}/licenses': bySchool('GET /v1/books/{id}/licenses'),
  'POST /v1/books': bySchool('POST /v1/books'),
  'PUT /v1/books/{id}': bySchool('PUT /v1/books/{id}'),
  'GET /v1/schools/{id}/classes': async ({ distributor, publisher }) => [
    publisher,
    { params: { id: (await newSchool(distributor)).id } },
  ],
  'POST /v1/files': byViewer('POST /v1/files'),
  'GET /v1/licenses/{id}': bySchool('GET /v1/licenses/{id}'),
  'GET /v1/licenses/code/{code}': bySchool('GET /v1/licenses/code/{code}'),
  'GET /v1/licenses/{id}/activations': bySchool('GET /v1/licenses/{id}/activations'),
  'PUT /v1/licenses/{id}/cancel': bySchool('PUT /v1/licenses/{id}/cancel'),
  'DELETE /v1/licenses/{id}': bySchool('DELETE /v1/licenses/{id}'),
  'GET /v1/publishers/{id}': bySchool('GET /v1/publishers/{id}'),
  'PUT /v1/publishers/{id}': bySchool('PUT /v1/publishers/{id}'),
  'GET /v1/readers': withoutToken,
  'GET /v1/readers/{id}': bySchool('GET /v1/readers/{id}'),
  'GET /v1/readers/{id}/editor': bySchool('GET /v1/readers/{id}/editor'),
  'POST /v1/readers': bySchool('POST /v1/readers'),
  'PUT /v1/readers': async ({ distributor, viewer, door }) => [
    viewer,
    await validRequest('PUT /v1/readers', distributor, door().now()),
  ],
  'PUT /v1/readers/{id}': bySchool('PUT /v1/readers/{id}'),
  'GET /v1/roles': bySchool('GET /v1/roles'),
  'GET /v1/schools/{id}': async ({ distributor, publisher }) => [
    publisher,
    { params: { id: (await newSchool(distributor)).id } },
  ],
  'PUT /v1/schools/{id}': async ({ distributor, publisher, door }) => [
    publisher,
    await validRequest('PUT /v1/schools/{id}', distributor, door().now()),
  ],
  'GET /v1/subscriptions': withoutToken,
  'GET /v1/subscriptions/{id}': bySchool('GET /v1/subscriptions/{id}'),
  'POST /v1/subscriptions': bySchool('POST /v1/subscriptions'),
  'PUT /v1/subscriptions/{id}': bySchool('PUT /v1/subscriptions/{id}'),
  'GET /v1/users': bySchool('GET /v1/users'),
  'GET /v1/users/{id}': bySchool('GET /v1/users/{id}'),
  'POST /v1/users': bySchool('POST /v1/users'),
  'PUT /v1/users/{id}': bySchool('PUT /v1/users/{id}'),
  'PUT /v1/users/enduser/{id}': bySchool('PUT /v1/users/enduser/{id}'),
  'PUT /v1/users/{id}/anonymize': bySchool('PUT /v1/users/{id}/anonymize'),
};

const routesRefusing = (status: 403 | 404): Route[] =>
  DOCUMENTED.filter((row) => row.errors.includes(status)).map((row) => row.route as Route);

it('has a request for each documented 403', () => {
  expect(Object.keys(FORBIDDEN).sort()).toEqual(routesRefusing(403).sort());
});

conformance('Refusals', (service) => {
  const { distributor, door, ours, describeOurs } = service;

  it.each(Object.entries(FORBIDDEN) as [Route, Forbidden][])(
    '[forbidden] %s returns 403 when the caller may not do that',
    async (route, prepare) => {
      const [actor, given] = await prepare(service);
      await actor.refused(403, route, given);
    },
  );

  it.each(routesRefusing(404))('[not-found] %s returns 404 when nothing has that ID', async (route) => {
    const given = await validRequest(route, distributor, door().now());
    const names = Object.keys(given.params ?? {});
    const unknown = Object.fromEntries(names.map((name) => [name, unique('nothing')]));
    await distributor.refused(404, route, { ...given, params: unknown });
  });

  const UNDOCUMENTED_404: Route[] = [
    'GET /v1/classes/{id}',
    'GET /v1/classes/classesForUser/{id}',
    'PUT /v1/classes/{id}',
    'PUT /v1/classes/delete/{id}',
    'PUT /v1/readers/{id}',
    'PUT /v1/licenses/{id}',
    'GET /v1/users/{id}/modifications',
    'GET /v1/users/{id}/lastlogin',
  ];
  for (const route of UNDOCUMENTED_404) {
    describeOurs(route, () => {
      ours('[unknown-id-in-path] returns 404 when nothing has that ID', async () => {
        const given = await validRequest(route, distributor, door().now());
        await distributor.refused(404, route, { ...given, params: { id: unique('nothing') } });
      });
    });
  }

  const IDS_IN_BODIES: (readonly [Route, string])[] = [
    ['POST /v1/classes', 'subjectId'],
    ['POST /v1/classes', 'schoolId'],
    ['PUT /v1/classes/{id}', 'subjectId'],
    ['PUT /v1/assignClass/assignClassToUser', 'userId'],
    ['PUT /v1/assignClass/assignClassToUser', 'classId'],
    ['PUT /v1/unAssignClass/unAssignClassFromUser', 'userId'],
    ['PUT /v1/unAssignClass/unAssignClassFromUser', 'classId'],
    ['PUT /v1/licenses/assignLicense', 'userId'],
    ['PUT /v1/licenses/assignLicense', 'licenseId'],
    ['PUT /v1/subscriptions/assignSubscription', 'userId'],
    ['PUT /v1/subscriptions/assignSubscription', 'subscriptionId'],
    ['PUT /v1/books/{id}', 'subject'],
    ['PUT /v1/books/{id}', 'secondSubject'],
    ['PUT /v1/books/{id}', 'type'],
    ['PUT /v1/readers', 'subject'],
    ['PUT /v1/readers', 'fileId'],
    ['PUT /v1/readers/{id}', 'subject'],
    ['PUT /v1/readers/{id}', 'fileId'],
    ['POST /v1/licenses', 'licenseCategory'],
    ['PUT /v1/licenses/{id}', 'licenseCategory'],
  ];
  it.each(IDS_IN_BODIES)(
    '[unknown-id-in-body] %s is refused with 400 when its %s does not exist',
    async (route, name) => {
      const given = await validRequest(route, distributor, door().now());
      await distributor.refused(400, route, {
        ...given,
        json: { ...(given.json as object), [name]: unique('nothing') },
      });
    },
  );
});
