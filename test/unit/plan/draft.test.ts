import { expect, test } from 'vitest';
import { markdownOf, treeOf } from '../../../src/plan/view/plan-text.js';
import { actual, at, book, license, plan, said, user } from './small-states.js';

test('whole', () => {
  const is = actual({
    organizations: [
      { id: 's1', type: 'School', name: 'Gymnasium', country: 'DE', city: 'Ulm', roles: [{ id: 'r1', name: 'Teacher' }, { id: 'r2', name: 'Viewer' }] },
      { id: 's2', type: 'School', name: 'Lycée', roles: [{ id: 'q1', name: 'Teacher' }] },
      { id: 'p1', type: 'Publisher', name: 'Verlag' },
    ],
    subjects: [{ id: '01', name: 'Biology' }, { id: '02', name: 'Art' }],
    users: ['mia', 'tom', 'lea'].map((id) => user(id)),
    classes: ['5a', '5b', '6a', '7c'].map((name) => ({ id: `c-${name}`, name, subjectId: '01', schoolId: 's1', users: ['mia', 'tom'] })),
    licenses: [license({ holders: ['mia'], numberOfActivations: 1 }), license({ id: 'l2', code: 'used', numberOfActivations: 2 }), license({ id: 'l3', code: 'free' })],
    books: [{ ...book('B1', '978'), title: 'Old', year: 2020, level: '5', series: null, settings: { indexPageNumber: 1, pageNumberOffset: null } }],
    readers: [{ ...book('R1', '979'), pdfDownloadable: false }],
  });
  const planned = plan(
    {
      publishers: [{ at, id: 'p1', name: 'Verlag Neu' }, {at, name: 'Presse'}],
      schools: [{ at, name: 'Neu', country: 'DE', city: 'Bonn' }, { at, id: 's2', name: 'Lycée', city: 'Lyon' }],
      users: [
        { at, email: 'a@neu.example', firstName: 'A', lastName: 'B', organization: 'Neu', roles: ['Teacher'] },
        { at, id: 'mia', lastName: 'Brandt', roles: [], language: 'FR' },
        { at, id: 'tom', organization: 's2', roles: ['Viewer'] },
        { at, id: 'lea', organization: 'Neu', roles: ['Viewer'] },
      ],
      classes: [
        { at, name: '1a', school: 'Neu', subject: 'art', users: ['a@neu.example', 'mia'] },
        { at, id: 'c-5b', name: '5B', subject: 'Art', users: [] },
        { at, id: 'c-6a', name: '6a', users: [] },
        { at, id: 'c-7c', users: ['tom', 'eva'] },
      ],
      licenses: [
        { at, code: 'autumn1', name: 'Winter', maximumActivations: 9, expiration: { type: 'Date', date: '2030-01-01' }, endUsers: ['tom', 'a@neu.example'] },
        { at, code: 'used', remove: true },
        { at, code: 'free', remove: true },
        { at, code: 'new1', name: 'New', type: 'Books', books: ['978'], maximumActivations: 5, expiration: { type: 'Days', days: 30 }, endUsers: ['lea'] },
      ],
      books: [{ at, ean: '978', title: 'New', subject: 'Art', language: 'DE', series: 'S', settings: { pageNumberOffset: 2 } }],
      readers: [{ at, ean: '979', pdfDownloadable: true, language: 'DE' }, { at, ean: '980' }],
    },
    is,
    { prune: new Set(['classes', 'schools']) },
  );
  console.log(planned.faults);
  console.log([...treeOf(planned.view, (_, t) => t, true)].join(''));
  console.log([...treeOf(planned.view, (_, t) => t, true, 60)].join(''));
  console.log(planned.view.steps.map(({ step, needs, reversible, mails, why, section }) => `${step.step} needs ${needs} ${reversible ? '' : 'irreversible'} ${mails ? 'mails' : ''} ${section.id} ${section.name} ${JSON.stringify(step)}`).join('\n'));
  console.log(JSON.stringify(planned.managed));
});
