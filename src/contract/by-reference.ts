/** The resource that a reference points to, loaded when it is asked for. */
import type { Resource } from './resource.js';
import type { Referent } from './vocabulary.js';

const RESOURCES: Partial<Record<Referent, () => Promise<Resource>>> = {
  book: async () => (await import('./books.js')).book,
  bookType: async () => (await import('./books.js')).bookType,
  class: async () => (await import('./classes.js')).schoolClass,
  file: async () => (await import('./files.js')).storedFile,
  licence: async () => (await import('./licenses.js')).license,
  publisher: async () => (await import('./publishers.js')).publisher,
  reader: async () => (await import('./readers.js')).reader,
  role: async () => (await import('./roles.js')).role,
  school: async () => (await import('./schools.js')).school,
  subject: async () => (await import('./books.js')).subject,
  subscription: async () => (await import('./subscriptions.js')).subscription,
  user: async () => (await import('./users.js')).user,
};

/** @returns undefined for an organization, which is a publisher, a school or the caller's own, and for a licence category, which no endpoint shows */
export const resourceBehind = async (ref: Referent): Promise<Resource | undefined> => RESOURCES[ref]?.();
