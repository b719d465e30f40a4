/**
 * The contract of the service as plain data: endpoints, OAuth endpoints and resources. Commands import only the file of
 * their resource, which loads faster.
 */
import { account, callingUser } from './account.js';
import { book, books, bookType, subject } from './books.js';
import { classes, schoolClass } from './classes.js';
import { files, storedFile } from './files.js';
import { activation, license, licenses } from './licenses.js';
import { oauth } from './oauth.js';
import { publisher, publishers } from './publishers.js';
import { reader, readers } from './readers.js';
import { role, roles } from './roles.js';
import { school, schools } from './schools.js';
import { subscription, subscriptions } from './subscriptions.js';
import { endUser, user, users } from './users.js';
import type { Endpoint } from './vocabulary.js';

/** The endpoints under `/v1`, by group and name. */
export const contract = {
  account,
  books,
  classes,
  files,
  licenses,
  publishers,
  readers,
  roles,
  schools,
  subscriptions,
  users,
};

/** All resources, in the order of exports. */
export const resources = [
  callingUser,
  subject,
  bookType,
  publisher,
  school,
  role,
  user,
  endUser,
  schoolClass,
  book,
  reader,
  storedFile,
  license,
  activation,
  subscription,
] as const;

type Listed = Extract<(typeof resources)[number], { readonly endpoints: { readonly list: Endpoint } }>;
/** The resources that can be exported: those with a list, and the account. */
export type Exportable = Listed['name'] | 'account';

export const EXPORTABLE = resources
  .filter(({ name, endpoints }) => 'list' in endpoints || name === 'account')
  .map(({ name }) => name as Exportable);

export { oauth };
export type Contract = typeof contract;
