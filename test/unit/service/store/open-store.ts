import { onTestFinished } from 'vitest';
import type { Licence, User } from '../../../../src/service/store/records.js';
import { openStore, type Store, type StoreOptions } from '../../../../src/service/store/store.js';

export { temporaryFolder as folder } from '../../../support/run.js';

export const opened = new Set<Store>();

export const open = async (options: StoreOptions): Promise<Store> => {
  const store = await openStore(options);
  opened.add(store);
  onTestFinished(() => {
    if (opened.has(store)) close(store);
  });
  return store;
};
export const close = (store: Store): void => {
  opened.delete(store);
  store.close();
};
export const licence = (id: string, more: Partial<Licence> = {}): Licence => ({
  id,
  name: `Licence ${id}`,
  code: `code${id}`,
  type: 'Books',
  bookIds: ['b1'],
  expiration: null,
  maximumActivations: 1,
  numberOfActivations: 0,
  ownerId: 'o1',
  creatorId: 'o1',
  categoryId: '01',
  cancelled: false,
  ...more,
});

export const user = (id: string, email: string | null): User => ({
  id,
  kind: 'user',
  email,
  verified: true,
  firstName: 'A',
  lastName: 'B',
  language: 'EN',
  avatarUrl: null,
  organizationId: 'o1',
  creatorId: 'o1',
  roleIds: [],
  anonymized: false,
});

export const numbered = (count: number, more: Partial<Licence> = {}): Licence[] =>
  Array.from({ length: count }, (_, index) => licence(String(index).padStart(5, '0'), more));
