/**
 * One valid request for each endpoint with all documented fields, for the distributor. Tests send it, or change one
 * thing. Data that a request needs is created through the API first.
 */
import type { Actor, Given } from './actor.js';
import {
  bookForm,
  bookLicence,
  dayFrom,
  EN,
  newBook,
  newClass,
  newEndUser,
  newLicence,
  newPublisher,
  newReader,
  newSchool,
  newUser,
  organizationOf,
  PDF,
  PNG,
  subjectId,
  subjectIds,
  teacherLicence,
  unique,
  userBody,
} from './makers.js';
import type { Route } from './typed-routes.js';

export interface World {
  readonly actor: Actor;
  /** The service's time. */
  readonly now: Date;
}

type Maker = (world: World) => Promise<Given>;

const none: Maker = async () => ({});
const english: Maker = async () => ({ query: EN });

const ofOwnOrganization: Maker = async ({ actor }) => {
  const { id, type } = await organizationOf(actor);
  return { query: { organization: id, type } };
};

const bookById: Maker = async ({ actor }) => ({ params: { id: (await newBook(actor)).id }, query: EN });
const readerById: Maker = async ({ actor }) => ({ params: { id: (await newReader(actor)).id }, query: EN });
const licenceById: Maker = async ({ actor }) => ({ params: { id: (await newLicence(actor)).id } });
const publisherById: Maker = async ({ actor }) => ({ params: { id: (await newPublisher(actor)).id } });
const schoolById: Maker = async ({ actor }) => ({ params: { id: (await newSchool(actor)).id } });
const userById: Maker = async ({ actor }) => ({
  params: { id: (await newUser(actor, await organizationOf(actor))).id },
});

const classById: Maker = async ({ actor }) => {
  const school = await newSchool(actor);
  return { params: { id: (await newClass(actor, school.id)).classId } };
};

/** A class and a user of its school. */
async function membership(actor: Actor): Promise<{ userId: string; classId: string }> {
  const school = await newSchool(actor);
  const made = await newClass(actor, school.id);
  const user = await newUser(actor, { id: school.id, type: 'School' });
  return { userId: user.id, classId: made.classId };
}

async function assigned(actor: Actor): Promise<{ userId: string; licenseId: string }> {
  const licence = await newLicence(actor);
  const user = await newUser(actor, await organizationOf(actor));
  return { userId: user.id, licenseId: licence.id };
}

async function newSubscription(actor: Actor, now: Date): Promise<string> {
  const json = { maximumActivations: 3, expirationDate: dayFrom(now, 30) };
  return (await actor.ok('POST /v1/subscriptions', { json })).id;
}

async function uploadedPdf(actor: Actor): Promise<string> {
  return (await actor.ok('POST /v1/files', { form: { file: PDF, fileType: 'Document' } })).id;
}

async function fullBook(actor: Actor) {
  const [first = '', second = first] = await subjectIds(actor);
  return {
    ...(await bookForm(actor)),
    subject: first,
    secondSubject: second,
    stream: '4 havo',
    series: 'Horizon',
  };
}

const settings = { pageNumberOffset: 2, indexPageNumber: 4 };
const flatSettings = { 'settings.pageNumberOffset': '2', 'settings.indexPageNumber': '4' };
const flat = (organization: { id: string; type: string }) => ({
  'organization.id': organization.id,
  'organization.type': organization.type,
});

const readerFields = async (actor: Actor) => ({
  title: unique('Reader '),
  subject: await subjectId(actor),
  language: 'NL',
});

export const REQUESTS: Readonly<Record<Route, Maker>> = {
  'GET /v1/account': none,

  'GET /v1/books': async (world) => ({ query: { ...(await ofOwnOrganization(world)).query, ...EN } }),
  'GET /v1/books/{id}': bookById,
  'GET /v1/books/{id}/editor': bookById,
  'GET /v1/books/{id}/licenses': async (world) => ({ params: (await bookById(world)).params ?? {} }),
  'GET /v1/books/subjects': english,
  'GET /v1/books/types': english,
  'POST /v1/books': async ({ actor }) => ({
    query: EN,
    form: {
      ...(await fullBook(actor)),
      ...flatSettings,
      ...flat(await organizationOf(actor)),
      layoutType: 'PAGES',
      pdfFile: PDF,
      coverFile: PNG,
    },
  }),
  'PUT /v1/books/{id}': async ({ actor }) => ({
    params: { id: (await newBook(actor)).id },
    query: EN,
    json: { ...(await fullBook(actor)), year: 2027, settings },
  }),

  'GET /v1/classes/{id}': classById,
  'GET /v1/classes/classesForUser/{id}': async ({ actor }) => {
    const json = await membership(actor);
    await actor.ok('PUT /v1/assignClass/assignClassToUser', { json });
    return { params: { id: json.userId } };
  },
  'POST /v1/classes': async ({ actor }) => ({
    json: { subjectId: await subjectId(actor), schoolId: (await newSchool(actor)).id, name: unique('Class ') },
  }),
  'PUT /v1/classes/{id}': async (world) => ({
    ...(await classById(world)),
    json: { subjectId: await subjectId(world.actor), name: unique('Class ') },
  }),
  'PUT /v1/classes/delete/{id}': classById,
  'PUT /v1/assignClass/assignClassToUser': async ({ actor }) => ({ json: await membership(actor) }),
  'PUT /v1/unAssignClass/unAssignClassFromUser': async ({ actor }) => {
    const json = await membership(actor);
    await actor.ok('PUT /v1/assignClass/assignClassToUser', { json });
    return { json };
  },
  'GET /v1/schools/{id}/classes': async ({ actor }) => {
    const school = await newSchool(actor);
    await newClass(actor, school.id);
    return { params: { id: school.id } };
  },

  'POST /v1/files': async () => ({ form: { file: PDF, fileType: 'Document' } }),

  'GET /v1/licenses': async ({ actor }) => {
    await newLicence(actor);
    return { query: { type: 'TEACHER' } };
  },
  'GET /v1/licenses/{id}': async ({ actor }) => {
    const book = await newBook(actor);
    return { params: { id: (await newLicence(actor, bookLicence([book.id]))).id } };
  },
  'GET /v1/licenses/code/{code}': async ({ actor }) => ({ params: { code: (await newLicence(actor)).code } }),
  'GET /v1/licenses/{id}/activations': async ({ actor }) => {
    const json = await assigned(actor);
    await actor.ok('PUT /v1/licenses/assignLicense', { json });
    return { params: { id: json.licenseId } };
  },
  'POST /v1/licenses': async ({ actor }) => ({
    json: bookLicence([(await newBook(actor)).id], { code: unique('c'), organization: await organizationOf(actor) }),
  }),
  'PUT /v1/licenses/{id}': async ({ actor }) => {
    const book = await newBook(actor);
    const licence = await newLicence(actor, bookLicence([book.id]));
    return { params: { id: licence.id }, json: bookLicence([book.id], { maximumActivations: 7 }) };
  },
  'PUT /v1/licenses/{id}/cancel': licenceById,
  'DELETE /v1/licenses/{id}': licenceById,
  'PUT /v1/licenses/assignLicense': async ({ actor }) => ({ json: await assigned(actor) }),

  'GET /v1/publishers': none,
  'GET /v1/publishers/{id}': publisherById,
  'POST /v1/publishers': async () => ({ json: { name: unique('Publisher ') } }),
  'PUT /v1/publishers/{id}': async (world) => ({
    ...(await publisherById(world)),
    json: { name: unique('Publisher ') },
  }),

  'GET /v1/readers': english,
  'GET /v1/readers/{id}': readerById,
  'GET /v1/readers/{id}/editor': readerById,
  'POST /v1/readers': async ({ actor }) => ({
    query: EN,
    form: {
      ...(await readerFields(actor)),
      pdfDownloadable: 'true',
      ...flatSettings,
      ...flat(await organizationOf(actor)),
      pdfFile: PDF,
    },
  }),
  'PUT /v1/readers': async ({ actor }) => ({
    query: EN,
    json: { ...(await readerFields(actor)), fileId: await uploadedPdf(actor), pdfDownloadable: true, settings },
  }),
  'PUT /v1/readers/{id}': async ({ actor }) => ({
    params: { id: (await newReader(actor)).id },
    query: EN,
    json: { ...(await readerFields(actor)), fileId: await uploadedPdf(actor), pdfDownloadable: true, settings },
  }),

  'GET /v1/roles': ofOwnOrganization,

  'GET /v1/schools': none,
  'GET /v1/schools/{id}': schoolById,
  'POST /v1/schools': async () => ({ json: { name: unique('School '), country: 'NL', city: 'Utrecht' } }),
  'PUT /v1/schools/{id}': async (world) => ({
    ...(await schoolById(world)),
    json: { name: unique('School '), country: 'DE', city: 'Köln' },
  }),

  'GET /v1/subscriptions': none,
  'GET /v1/subscriptions/{id}': async ({ actor, now }) => ({ params: { id: await newSubscription(actor, now) } }),
  'POST /v1/subscriptions': async ({ actor, now }) => ({
    json: { maximumActivations: 3, expirationDate: dayFrom(now, 30), organization: await organizationOf(actor) },
  }),
  'PUT /v1/subscriptions/{id}': async ({ actor, now }) => ({
    params: { id: await newSubscription(actor, now) },
    json: { maximumActivations: 9 },
  }),
  'PUT /v1/subscriptions/assignSubscription': async ({ actor, now }) => ({
    json: {
      userId: (await newUser(actor, await organizationOf(actor))).id,
      subscriptionId: await newSubscription(actor, now),
    },
  }),

  'GET /v1/users': ofOwnOrganization,
  'GET /v1/users/{id}': userById,
  'GET /v1/users/userId/{email}': async ({ actor }) => ({
    params: { email: (await newUser(actor, await organizationOf(actor))).email },
  }),
  'POST /v1/users': async ({ actor }) => ({ json: userBody(await organizationOf(actor)) }),
  'POST /v1/users/enduser': async () => ({
    json: { firstName: 'Eve', lastName: 'End', email: `${unique('e')}@example.com`, language: 'NL' },
  }),
  'PUT /v1/users/{id}': async (world) => ({
    ...(await userById(world)),
    json: { firstName: 'Grace', lastName: 'Hopper', organization: await organizationOf(world.actor), roles: [] },
  }),
  'PUT /v1/users/enduser/{id}': async ({ actor }) => ({
    params: { id: (await newEndUser(actor)).id },
    json: { firstName: 'Eva', lastName: 'Ende', email: `${unique('e')}@example.com` },
  }),
  'PUT /v1/users/{id}/anonymize': userById,
  'GET /v1/users/checkModified': none,
  'GET /v1/users/{id}/modifications': userById,
  'GET /v1/users/{id}/lastlogin': userById,
};

export const ROUTES = Object.keys(REQUESTS) as Route[];

/** Creates the valid request of a route with its data. */
export const validRequest = (route: Route, actor: Actor, now: Date): Promise<Given> => REQUESTS[route]({ actor, now });

export { newSubscription, teacherLicence, uploadedPdf };
