/** Every documented 403 and 404, and IDs that do not exist. Ownership is in ownership.test.ts. */
import { it } from 'vitest';
import { DOCUMENTED } from '../contract/endpoint-table.js';
import type { Actor, Given } from './actor.js';
import { documentedRow } from './answer-check.js';
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

/** Where a request by the school is not refused. */
const FORBIDDEN: Partial<Record<Route, Forbidden>> = {
  'GET /v1/schools/{id}/classes': async ({ distributor, publisher }) => [
    publisher,
    { params: { id: (await newSchool(distributor)).id } },
  ],
  'POST /v1/files': byViewer('POST /v1/files'),
  'PUT /v1/readers': async ({ distributor, viewer, door }) => [
    viewer,
    await validRequest('PUT /v1/readers', distributor, door().now()),
  ],
  'GET /v1/schools/{id}': async ({ distributor, publisher }) => [
    publisher,
    { params: { id: (await newSchool(distributor)).id } },
  ],
  'PUT /v1/schools/{id}': async ({ distributor, publisher, door }) => [
    publisher,
    await validRequest('PUT /v1/schools/{id}', distributor, door().now()),
  ],
};

const routesRefusing = (status: 403 | 404): Route[] =>
  DOCUMENTED.filter((row) => row.errors.includes(status)).map((row) => row.route as Route);

/** A list that names nothing shows what is the caller's, so only a caller without a token is refused. */
const namesNothing = (route: Route): boolean =>
  /^GET [^{]+$/.test(route) && !documentedRow(route).query?.includes('organization');

const forbidden = (route: Route): Forbidden =>
  FORBIDDEN[route] ?? (namesNothing(route) ? withoutToken : bySchool(route));

conformance('Refusals', (service) => {
  const { distributor, door, ours, describeOurs } = service;

  it.each(routesRefusing(403))('[forbidden] %s returns 403 when the caller may not do that', async (route) => {
    const [actor, given] = await forbidden(route)(service);
    await actor.refused(403, route, given);
  });

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
