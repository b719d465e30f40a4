/** People of a wanted state who are in none of the lists that were read, and holders of licences. */
import { expect, test } from 'vitest';
import { usageError } from '../../../src/core/errors.js';
import { findPeople, withHolders } from '../../../src/plan/find-people.js';
import { NOTHING_WANTED, type Want } from '../../../src/plan/want.js';
import { actual, at, license, user } from './small-states.js';

/** Finds people of a want. `u…` are IDs that the service knows. */
async function found(want: Partial<Want>, is = actual({ classes: [] }), holders: readonly [string, string][] = []) {
  const asked: string[] = [];
  const read: string[] = [];
  let isListed = false;
  const people = await findPeople({ ...NOTHING_WANTED, ...want }, is, {
    resolver: {
      findMany: async (_, wanted) => {
        for (const one of wanted) {
          asked.push(one.text);
          const id = one.text.replace(/^id:/, '');
          if (id.startsWith('bad')) one.error = usageError('no such list');
          one.found = id.startsWith('u')
            ? { is: 'one', match: { id, label: id, names: [] } }
            : { is: 'none', closest: [], isRead: true };
        }
      },
    },
    others: async () => {
      isListed = true;
      return [user('lea', { email: 'LEA@s2.example' })];
    },
    holders: new Map(holders),
    get: async (id) => {
      read.push(id);
      return id.endsWith('gone') ? undefined : user(id);
    },
  });
  return { asked, read, isListed, ids: people.users.map(({ id }) => id), elsewhere: [...people.elsewhere] };
}
const KNOWN = ['mia', 'tom'];

test('looks up whom no list shows, once, whatever names them', async () => {
  expect(
    await found(
      {
        users: [
          { at, email: 'uNew@s1.example' },
          { at, email: 'MIA@s1.example' },
          { at, id: 'tom' },
        ],
        classes: [
          { at, users: ['mia', 'u1', 'id:tom'] },
          {
            at,
            add: ['tom@s1.example', 'u2'],
            remove: ['id:u3', 'u1'],
            pairs: [{ field: 'users', text: 'mia', also: 'u6' }],
          },
          { at, pairs: [{ field: 'subject', text: '1', also: 'u7' }] },
        ],
        licenses: [
          { at, endUsers: ['u4', 'end@home.example'] },
          { at, addEndUsers: ['nobody'], pairs: [{ field: 'endUsers', text: 'mia', also: 'u8' }] },
        ],
      },
      undefined,
      [['end@home.example', 'e1']],
    ),
  ).toEqual({
    asked: ['uNew@s1.example', 'u1', 'u2', 'id:u3', 'u4', 'nobody', 'u6', 'u8'],
    read: ['uNew@s1.example', 'u1', 'u2', 'u3', 'u4', 'u6', 'u8'],
    isListed: false,
    ids: [...KNOWN, 'uNew@s1.example', 'u1', 'u2', 'u3', 'u4', 'u6', 'u8'],
    elsewhere: [
      ['end@home.example', 'e1'],
      ['uNew@s1.example', 'uNew@s1.example'],
      ...['u1', 'u2'].map((id) => [id, id]),
      ['id:u3', 'u3'],
      ['u4', 'u4'],
      ['nobody', undefined],
      ...['u6', 'u8'].map((id) => [id, id]),
    ],
  });
  await expect(found({ classes: [{ at, users: ['bad'] }] })).rejects.toThrow('no such list');
});

test('reads the users of all organizations for many unknown people, or for a user with an unknown ID', async () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `n${index}@s1.example`);
  const members = (count: number) => found({ classes: [{ at, users: [...many(count - 1), 'lea@s2.example'] }] });
  expect(await members(200)).toMatchObject({ isListed: false, ids: KNOWN, asked: { length: 200 } });
  expect(await members(201)).toMatchObject({ isListed: true, ids: [...KNOWN, 'lea'], asked: { length: 200 } });
  expect(await found({ users: [{ at, id: 'lea' }] })).toMatchObject({ isListed: true, asked: [] });
  expect(await found({ users: [{ at, id: 'tom' }] })).toMatchObject({ isListed: false, asked: [] });
  const news = (count: number) =>
    found({ users: many(count).map((email) => ({ at, email })), classes: [{ at, add: ['u1'] }] });
  expect((await news(199)).asked).toHaveLength(200);
  // Too many to look up; their creation fails if an address is taken.
  expect((await news(200)).asked).toEqual(['u1']);
});

test('reads the users who leave a class that is named by ID, but not its other members', async () => {
  const one = (id: string, users: readonly string[]) => ({ id, name: id, subjectId: '01', schoolId: 's1', users });
  const is = actual({ classes: [one('c1', ['mia', 'x1', 'x-gone']), one('c2', ['y1', 'y2'])] });
  const want = {
    classes: [
      { at, id: 'c1', users: [] },
      { at, id: 'c2', remove: ['id:y1'] },
      { at, users: [] },
    ],
  };
  expect(await found(want, is)).toMatchObject({ asked: [], read: ['x1', 'x-gone', 'y1'], ids: [...KNOWN, 'x1', 'y1'] });
});

test.each<[string, Partial<Want['licenses'][number]>, readonly string[]]>([
  ['by code', { code: 'AUTUMN1', endUsers: ['tom@s1.example'] }, ['mia', 'u9']],
  ['by ID', { id: 'l1', addEndUsers: ['eve@home.example'] }, ['mia', 'u9']],
  ['of a holder', { code: 'autumn1', endUsers: ['mia@s1.example', 'mia'] }, ['mia']],
  ['of nobody', { code: 'autumn1' }, ['mia']],
  ['of another licence', { code: 'spring1', endUsers: ['tom'] }, ['mia']],
])('reads the activations of a licence that is wanted %s if it is not in the list', async (_, wanted, holders) => {
  const people = { users: actual().users, elsewhere: new Map([['eve@home.example', 'e1']]) };
  const read = (numberOfActivations: number) => {
    const held = license({ holders: ['mia'], numberOfActivations });
    const want = { ...NOTHING_WANTED, licenses: [{ at, ...wanted }] };
    return withHolders(want, [held], people, async () => ['u9', 'mia']);
  };
  expect(await read(2)).toMatchObject([{ holders }]);
  expect(await read(1)).toMatchObject([{ holders: ['mia'] }]);
});
