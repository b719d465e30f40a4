/** What people read of a plan. */
import { expect, test } from 'vitest';
import { markdownOf, treeOf } from '../../../src/plan/view/plan-text.js';
import type { PlanView } from '../../../src/plan/view/view.js';
import { actual, at, book, plan } from './small-states.js';

const lines = (view: PlanView): readonly string[] =>
  [...treeOf(view, (_, text) => text, false)].map((one) => one.trim());

const ada = { at, email: 'ada@s1.example', firstName: 'Ada', lastName: 'L', roles: ['Teacher'] };
const bob = { ...ada, email: 'bob@s1.example' };
const changed = (...ids: readonly string[]) => plan({ users: ids.map((id) => ({ at, id, lastName: 'B' })) }).view;
const standing = (view: PlanView, as: PlanView['steps'][number]['standing']): PlanView => ({
  ...view,
  steps: view.steps.map((step) => ({ ...step, standing: as })),
});

test.each<[string, PlanView, string]>([
  ['nothing', plan({}).view, 'Nothing to do. Plan'],
  ['a new user', plan({ users: [ada] }).view, '1 to add, 1 e-mail. Plan'],
  ['two', plan({ users: [ada, bob] }).view, '2 to add, 2 e-mails. Plan'],
  ['a change', changed('mia'), '1 to change. Plan'],
  ['a removal', plan({ classes: [{ at, name: '5a', users: ['tom'] }] }).view, '1 to remove (1 of 2 in 5a). Plan'],
  ['what is done', standing(changed('mia'), { is: 'present', id: 'mia' }), 'Nothing to do, 1 already done. Plan'],
  ['what is stale', standing(changed('mia', 'tom'), { is: 'stale', why: 'x' }), 'Nothing to do, 2 stale. Plan'],
  ['a conflict', plan({ users: [{ at, id: 'tom', language: 'FR' }] }).view, 'Nothing to do, 1 conflict. Plan'],
])('the summary of %s', (_, view, expected) => {
  expect(lines(view).at(-1)).toBe(expected);
});

test('books with the same EAN need an ID', () => {
  const { view, steps } = plan(
    { books: [{ at, ean: '978', title: 'X', language: 'DE' }] },
    actual({ books: [book('B1', '978'), book('B2', '978')] }),
  );
  expect(steps).toEqual([]);
  expect(view.conflicts).toMatchObject([
    { key: '978', why: '2 books have this EAN: give one in the column id (B1, B2)' },
  ]);
});

test('a name before and after a change keep their order from right to left, and wide names their columns', () => {
  const of = { organization: { id: 's1', type: 'School' as const }, language: 'EN', roles: [] };
  const state = actual({
    users: [
      { ...ada, ...of, id: 'ada', lastName: 'לוי' },
      { ...bob, ...of, id: 'bob', lastName: 'Bo', email: '山田@s1.example' },
    ],
  });
  const { view } = plan({ users: ['ada', 'bob'].map((id) => ({ at, id, lastName: 'כהן' })) }, state);
  expect(lines(view).slice(1, 3)).toEqual([
    '~ user    ada@s1.example    lastName לוי \u200e→\u200e כהן',
    '~ user    山田@s1.example   lastName Bo \u200e→\u200e כהן',
  ]);
});

test('the signs of a plan and their colours, and the same as Markdown', () => {
  const is = actual({ classes: [{ id: 'c1', name: '5|a', subjectId: '01', schoolId: 's1', users: ['mia', 'tom'] }] });
  const users = [ada, { at, id: 'mia', lastName: 'B' }, { at, id: 'tom', language: 'FR' }];
  const { view } = plan({ users, classes: [{ at, id: 'c1', users: ['mia'] }] }, is);
  const painted = [...treeOf(view, (style, text) => `<${style} ${text}>`, true)].join('').replace(/ +/g, ' ');
  expect(painted.split('\n')).toEqual([
    '<bold s1 Gymnasium>',
    ' <green +> user ada@s1.example Teacher e-mail with a password (firstName Ada, lastName L, language EN)',
    ' <yellow ~> user mia@s1.example lastName mia → B',
    ' <red -> member 5|a tom@s1.example',
    ' <yellow !> user tom@s1.example language DE → FR: the service cannot change it',
    '1 to add, 1 to change, 1 to remove (1 of 2 in 5|a), 1 e-mail, 1 conflict. Plan ',
    '',
  ]);
  expect([...markdownOf(view)].join('').split('\n')).toEqual([
    '### s1 Gymnasium',
    '',
    '| | What | Name | Details |',
    '|---|---|---|---|',
    '| add | user | ada@s1.example | Teacher; e-mail with a password; firstName Ada, lastName L, language EN |',
    '| change | user | mia@s1.example | lastName mia → B |',
    '| remove | member | 5\\|a  tom@s1.example |  |',
    '| conflict | user | tom@s1.example | language DE → FR: the service cannot change it |',
    '',
    '1 to add, 1 to change, 1 to remove (1 of 2 in 5\\|a), 1 e-mail, 1 conflict. Plan ',
    '',
  ]);
});
