/** All handlers. The compiler requires exactly one for each endpoint of the contract. */
import type { Contract } from '../../contract/index.js';
import type { Handlers } from '../handler-types.js';
import { account } from './account.js';
import { books } from './books.js';
import { classes } from './classes.js';
import { files } from './files.js';
import { licenses } from './licenses.js';
import { publishers, schools } from './organizations.js';
import { readers } from './readers.js';
import { roles } from './roles.js';
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
