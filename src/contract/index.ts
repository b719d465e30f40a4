/**
 * The whole interface of the service as plain data: 58 endpoints and the two of OAuth. Client, bundled service,
 * commands, output and references are all derived from these rows. A command imports the file of its resource instead.
 */
import { account } from './account.js';
import { books } from './books.js';
import { classes } from './classes.js';
import { files } from './files.js';
import { licenses } from './licenses.js';
import { oauth } from './oauth.js';
import { publishers } from './publishers.js';
import { readers } from './readers.js';
import { roles } from './roles.js';
import { schools } from './schools.js';
import { subscriptions } from './subscriptions.js';
import { users } from './users.js';

/** The 58 endpoints under `/v1`, by resource and name. */
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

export { oauth };
export type Contract = typeof contract;
