import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Store } from '../../../../src/service/store/store.js';
import { folder, licence, numbered, open } from './open-store.js';

describe.each(['in memory', 'on disk'])('store %s', (where) => {
  const fresh = (): Promise<Store> => open(where === 'on disk' ? { directory: folder() } : {});

  it('finds text that is not well formed, and distinguishes it from similar text', async () => {
    const store = await fresh();
    const organization = { type: 'School', ownerId: null, country: null, city: null } as const;
    const names = ['lone \ud800', 'lone \udc00', 'nul \0 a', 'nul \0 b', 'nul ', 'lone \ufffd'];
    store.write(() =>
      store.organizations.insertMany(names.map((name, at) => ({ id: String(at), name, ...organization }))),
    );
    for (const [at, name] of names.entries()) {
      expect(store.read(() => store.organizations.first({ type: 'School', name }))?.id, JSON.stringify(name)).toBe(
        String(at),
      );
    }
  });

  it('pages in the order of insertion', async () => {
    const store = await fresh();
    const mixed = numbered(25).map((one, index) => ({ ...one, creatorId: index % 5 === 0 ? 'other' : 'o1' }));
    store.write(() => store.licences.insertMany(mixed.reverse()));
    const seen: string[] = [];
    let after: number | undefined = 0;
    let pages = 0;
    while (after !== undefined) {
      const from: number = after;
      const page = store.read(() => store.licences.page({ creatorId: 'o1', type: 'Books' }, from, 7));
      seen.push(...page.items.map(({ id }) => id));
      after = page.next;
      pages++;
    }
    expect(seen).toEqual(mixed.filter(({ creatorId }) => creatorId === 'o1').map(({ id }) => id));
    expect(pages).toBe(3);
  });

  it('applies all of a write or nothing', async () => {
    const store = await fresh();
    store.write(() => store.licences.insert(licence('1')));
    expect(() =>
      store.write(() => {
        store.licences.update(licence('1', { name: 'changed' }));
        store.licences.insert(licence('2', { bookIds: ['b2'] }));
        throw new Error('changed my mind');
      }),
    ).toThrow('changed my mind');
    expect(store.read(() => store.licences.get('1'))?.name).toBe('Licence 1');
    expect(store.read(() => store.licences.count({}))).toBe(1);
    expect(store.read(() => store.licencesOfBook('b2', 'o1', 0, 9)).items).toEqual([]);
    store.write(() => store.licences.insert(licence('3')));
    expect(store.read(() => store.licences.count({}))).toBe(2);
  });

  it('keeps the licences of a book up to date through every change', async () => {
    const store = await fresh();
    const ofBook = (book: string, owner = 'o1') =>
      store.read(() => store.licencesOfBook(book, owner, 0, 10).items.map(({ id }) => id));
    store.write(() => {
      store.licences.insertMany([licence('1', { bookIds: ['b1', 'b2'] }), licence('2', { ownerId: 'o2' })]);
      store.licences.insert(licence('3', { bookIds: ['b2', 'b1'] }));
    });
    expect([ofBook('b1'), ofBook('b2'), ofBook('b1', 'o2'), ofBook('b9')]).toEqual([['1', '3'], ['1', '3'], ['2'], []]);
    store.write(() => store.licences.update(licence('1', { bookIds: ['b9'] })));
    expect([ofBook('b1'), ofBook('b2'), ofBook('b9')]).toEqual([['3'], ['3'], ['1']]);
    store.write(() => store.licences.remove('3'));
    expect([ofBook('b1'), ofBook('b2')]).toEqual([[], []]);
    const page = store.read(() => store.licencesOfBook('b9', 'o1', 0, 1));
    expect([page.items.length, page.next]).toEqual([1, undefined]);
  });

  it('counts removals from the lists that a record leaves', async () => {
    const store = await fresh();
    store.write(() => store.licences.insert(licence('one', { bookIds: ['b1', 'b2'], type: 'Books' })));
    const lists = ['Books', 'Teacher'].map((type) => store.licences.page({ creatorId: 'o1', type }, 0, 1).list);
    lists.push(...['b1', 'b2'].map((id) => store.licencesOfBook(id, 'o1', 0, 1).list));
    const removals = () => store.read(() => lists.map((list) => store.removals(list)));
    expect(removals()).toEqual([0, 0, 0, 0]);
    store.write(() => store.licences.update(licence('one', { bookIds: ['b2'], name: 'other', type: 'Books' })));
    expect(removals()).toEqual([0, 0, 1, 0]);
    store.write(() => store.licences.remove('one'));
    expect(removals()).toEqual([1, 0, 1, 1]);
    store.refill(() => {});
    expect(removals()).toEqual([2, 1, 2, 2]);
  });

  it('looks up many at once', async () => {
    const store = await fresh();
    store.write(() => store.licences.insertMany(numbered(2500)));
    expect(store.read(() => store.licences.count({ type: 'Books' }))).toBe(2500);
    const found = store.read(() => store.licences.many(['02499', 'none', '00000', '00000']));
    expect([...found.keys()].sort()).toEqual(['00000', '02499']);
    expect(store.read(() => store.licences.many([])).size).toBe(0);
    expect(store.read(() => store.licences.allIn('code', ['code01234', 'code00002'])).map(({ id }) => id)).toEqual([
      '00002',
      '01234',
    ]);
  });

  it('is filled again, and restored from a copy', async () => {
    const store = await fresh();
    const copy = join(folder(), 'copy.db');
    store.write(() => {
      store.setSetting('secret', 's');
      store.licences.insertMany(numbered(3));
    });
    store.copyTo(copy);
    store.refill((it) => it.licences.insert(licence('new', { bookIds: ['b7'] })));
    expect(store.read(() => store.licences.all({}).map(({ id }) => id))).toEqual(['new']);
    expect(store.read(() => store.licencesOfBook('b1', 'o1', 0, 9).items)).toEqual([]);
    const removals = store.read(() => store.removals('licences'));
    expect(removals).toBeGreaterThan(0);
    store.restoreFrom(copy);
    expect(store.read(() => store.licences.all({}).map(({ id }) => id))).toEqual(['00000', '00001', '00002']);
    expect(store.read(() => store.licencesOfBook('b1', 'o1', 0, 9).items)).toHaveLength(3);
    expect(store.read(() => store.removals('licences'))).toBeGreaterThan(removals);
    expect(store.read(() => store.setting('secret'))).toBe('s');
  });
});
