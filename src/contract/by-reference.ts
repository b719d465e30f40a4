/** Finds the resources that a reference can point to. */
import type { Resource } from './resource.js';
import type { Referent } from './vocabulary.js';

/** Loads only the files of these resources, because loading all of them delays the start. */
const LOADERS: Partial<Record<Referent, () => Promise<readonly Resource[]>>> = {
  book: async () => [(await import('./books.js')).book],
  bookType: async () => [(await import('./books.js')).bookType],
  endUser: async () => [(await import('./users.js')).endUser],
  class: async () => [(await import('./classes.js')).schoolClass],
  licence: async () => [(await import('./licenses.js')).license],
  organization: async () => [(await import('./schools.js')).school, (await import('./publishers.js')).publisher],
  publisher: async () => [(await import('./publishers.js')).publisher],
  reader: async () => [(await import('./readers.js')).reader],
  role: async () => [(await import('./roles.js')).role],
  school: async () => [(await import('./schools.js')).school],
  subject: async () => [(await import('./books.js')).subject],
  subscription: async () => [(await import('./subscriptions.js')).subscription],
  user: async () => [(await import('./users.js')).user],
};

/**
 * The resources that a reference can point to.
 * @returns none for a file or a licence category, which no endpoint lists; for an organization all whose items are one
 */
export const resourcesBehind = async (refersTo: Referent): Promise<readonly Resource[]> =>
  (await LOADERS[refersTo]?.()) ?? [];
