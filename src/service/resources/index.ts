/** All handlers. The compiler asks for one for every endpoint of the contract, and for nothing else. */
import type { Contract } from '../../contract/index.js';
import type { Handlers } from '../handler-types.js';
import { account } from './account.js';
import { books } from './books.js';
import { classes } from './classes.js';
import { files } from './files.js';
import { licenses } from './licenses.js';
import { publishers } from './publishers.js';
import { readers } from './readers.js';
import { roles } from './roles.js';
import { schools } from './schools.js';
import { subscriptions } from './subscriptions.js';
import { users } from './users.js';

export const handlers = {
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
} satisfies { readonly [R in keyof Contract]: Handlers<R> };
