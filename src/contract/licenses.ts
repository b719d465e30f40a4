/** Licences, their activations and their assignment to users (service-api-v1.md, "Licences"). */
import { ID, ORGANIZATION, USED } from './columns.js';
import { resource } from './resource.js';
import {
  assignedUser,
  LANGUAGES,
  LICENCE_CODE,
  namedUser,
  optionalOrganization,
  organizationReference,
} from './shared.js';
import {
  choice,
  date,
  del,
  type Field,
  type Fields,
  get,
  integer,
  list,
  number,
  object,
  post,
  put,
  shape,
  text,
  timestamp,
  variant,
} from './vocabulary.js';

/** The validities that `expiration.days` may have ("Limits"). */
export const LICENCE_DAYS = [30, 90, 365, 455, 820, 1095, 1185, 1550, 3650] as const;

/** The values of the list's query parameter `type`. */
export const LISTED_TYPES = ['BOOKS', 'TEACHER'] as const;

export const LICENCE_TYPES = ['Books', 'Teacher'] as const;

const endUserWithLanguage = object(
  { ...namedUser, language: choice(LANGUAGES, 'language', { open: true, nullable: true }) },
  'user',
);

const rest = {
  expiration: object(
    {
      type: choice(['Days', 'Date'], 'counted from activation, or a fixed day', { open: true }),
      days: number('validity in days from activation', { nullable: true }),
      date: date('last day', { nullable: true }),
    },
    'how long the licence is valid',
    { nullable: true },
  ),
  maximumActivations: number('maximum number of activations'),
  numberOfActivations: number('how often it has been activated'),
  organization: organizationReference,
  licenseCategory: text('licence category', { nullable: true }),
} as const;

/** The fields of a licence, whose books and users differ between responses. */
const licence = <const B extends Fields, const U extends Field>(book: B, endUser: U) => ({
  id: text('licence ID'),
  name: text('name'),
  code: text('code, unique across all organizations'),
  type: choice(LICENCE_TYPES, 'type of the licence', { open: true }),
  books: list(object({ id: text('book ID'), ean: text('EAN'), ...book }, 'book'), 'the books that the licence opens'),
  ...rest,
  endUsers: list(endUser, 'users that hold the licence'),
});

const titled = { title: text('title') } as const;

/** As returned by lists. */
export const Licence = shape('Licence', 'a licence', licence(titled, endUserWithLanguage), {
  columns: [
    ID,
    { title: 'Name', from: 'name', rank: 2, minWidth: 18 },
    { title: 'Code', from: 'code', rank: 1 },
    { title: 'Type', from: 'type', rank: 5 },
    { title: 'Books', from: 'books', rank: 4, minWidth: 14 },
    USED,
    { title: 'Expires', from: 'expiration', as: 'expiry', sortBy: 'expiration.date', rank: 2 },
    { title: 'Users', from: 'endUsers', count: true, rank: 6 },
    { title: 'Category', from: 'licenseCategory', rank: 7, minWidth: 8 },
    ORGANIZATION,
  ],
});

/** As returned by ID and by code: users have no language. */
export const LicenceDetail = variant(
  Licence,
  'a licence looked up by ID or code',
  licence(titled, object(namedUser, 'user')),
);

/** As returned by create and update: a book's title is `name`, and `licenseCategory` contains the category's name. */
export const WrittenLicence = variant(
  Licence,
  'a licence as returned by create and update',
  licence({ name: text('title', { readAs: 'title' }) }, endUserWithLanguage),
);

const LicenceActivation = shape(
  'LicenceActivation',
  'an activation of a licence',
  {
    creationDate: timestamp('when it was activated', { format: 'yyyy-MM-dd HH:mm:ss' }),
    expirationDate: timestamp('when it ends', { format: 'yyyy-MM-dd HH:mm:ss' }),
    user: text('user ID', { refersTo: 'user' }),
  },
  {
    prints: 'user',
    columns: [
      { title: 'User', from: 'user', rank: 0 },
      { title: 'Activated', from: 'creationDate', rank: 1 },
      { title: 'Expires', from: 'expirationDate', rank: 1 },
    ],
  },
);

const licenceId = text('licence ID', { required: true, refersTo: 'licence' });
const params = { id: licenceId } as const;

const isBooks = { field: 'type', is: 'Books' } as const;

const licenceBody = {
  name: text('name', { required: true }),
  maximumActivations: integer('maximum number of activations', { required: true, minimum: 0 }),
  type: choice(LICENCE_TYPES, 'type of the licence', { required: true }),
  books: list(text('book ID', { refersTo: 'book' }), 'IDs of the books that the licence opens', {
    requiredWhen: isBooks,
  }),
  expiration: object(
    {
      type: choice(['Days', 'Date'], 'counted from activation, or a fixed day', { requiredWhen: isBooks }),
      days: choice(LICENCE_DAYS, 'validity in days from activation', {
        requiredWhen: { field: 'expiration.type', is: 'Days' },
      }),
      date: date('last day of validity', { requiredWhen: { field: 'expiration.type', is: 'Date' } }),
    },
    'how long the licence is valid',
    { requiredWhen: isBooks },
  ),
  licenseCategory: text('ID of an existing licence category; the default one if left out', {
    refersTo: 'licenceCategory',
    readBack: false,
  }),
} as const;

export const licenses = {
  list: get('/v1/licenses', "List the licences that the caller's organization created.", {
    query: { type: choice(LISTED_TYPES, 'type of the licences', { required: true }) },
    list: { key: 'licenses', of: Licence, paged: true, maxPerPage: 100, scope: 'that your organization created' },
  }),
  get: get('/v1/licenses/{id}', 'Show one licence.', { params, returns: LicenceDetail, errors: [403, 404] }),
  getByCode: get('/v1/licenses/code/{code}', 'Show the licence that has a code.', {
    params: { code: text('licence code', { required: true }) },
    returns: LicenceDetail,
    errors: [403, 404],
  }),
  activations: get('/v1/licenses/{id}/activations', 'List the activations of a licence.', {
    params,
    list: { key: 'activations', of: LicenceActivation },
    errors: [403, 404],
  }),
  create: post('/v1/licenses', 'Create a licence.', {
    body: {
      ...licenceBody,
      code: text('code of lowercase letters and digits; generated if left out', { format: 'code' }),
      organization: optionalOrganization,
    },
    returns: WrittenLicence,
    repeat: 'keyed',
    key: 'code',
    errors: [400],
  }),
  update: put('/v1/licenses/{id}', 'Replace the data of a licence.', {
    params,
    body: licenceBody,
    returns: WrittenLicence,
    errors: [400],
  }),
  cancel: put('/v1/licenses/{id}/cancel', 'Cancel a licence.', { params, destroys: true, errors: [403, 404] }),
  delete: del('/v1/licenses/{id}', 'Delete a licence that has no activations.', {
    params,
    destroys: true,
    errors: [400, 403, 404],
  }),
  assign: put('/v1/licenses/assignLicense', 'Assign a licence to a user.', {
    body: {
      userId: text('user ID', { required: true, refersTo: 'user' }),
      licenseId: licenceId,
    },
    returns: object(
      { user: assignedUser, activatedLicensesIds: list(text('licence ID'), "IDs of the user's licences") },
      'the user and the licences that the user holds',
      {
        prints: 'user.id',
        columns: [
          { title: 'User', from: 'user', rank: 0 },
          { title: 'Licences held', from: 'activatedLicensesIds', rank: 1 },
        ],
      },
    ),
    assigns: { in: 'endUsers', is: true },
    errors: [400],
  }),
};

const { activations, ...ofLicenses } = licenses;

export const license = resource({
  name: 'licenses',
  noun: ['licence', 'licences'],
  refersTo: 'licence',
  endpoints: ofLicenses,
  shape: Licence,
  label: '{name} ({code})',
  search: ['name', 'code'],
  natural: 'code',
  written: [
    { field: 'code', noun: 'code', prefix: 'code:', key: 'code', form: LICENCE_CODE, through: 'getByCode' },
    { field: 'name', noun: 'name' },
  ],
  // A licence owned by a school cannot be read by its creator, but the list of licences may contain it.
  recognised: { by: 'key', field: 'code', unique: true, through: ['getByCode'], orListed: true },
  undo: { by: 'delete', unless: 'numberOfActivations', else: 'cancel' },
});

export const activation = resource({
  name: 'activations',
  noun: ['activation', 'activations'],
  endpoints: { list: activations },
  shape: LicenceActivation,
  label: '{user}',
  search: ['user'],
  natural: null,
  written: [],
  // The export adds `licenseId`, because the response does not contain it.
  exportKey: ['licenseId', 'creationDate', 'user'],
});
