/** A plan with a step of each kind: what it sends, and what people see of it. */
import { expect, test } from 'vitest';
import { groupsOf } from '../../../src/plan/apply/apply-plan.js';
import { memberGuard } from '../../../src/plan/apply/member-guard.js';
import { treeOf } from '../../../src/plan/view/plan-text.js';
import type { StepView } from '../../../src/plan/view/view.js';
import { actual, at, book, license, plan, user } from './small-states.js';

const IS = actual({
  organizations: [
    {
      id: 's1',
      type: 'School',
      name: 'Gymnasium',
      country: 'DE',
      city: 'Ulm',
      roles: ['Teacher', 'Viewer'].map((name, index) => ({ id: `r${index + 1}`, name })),
    },
    { id: 's2', type: 'School', name: 'Lycée', country: 'FR', roles: [{ id: 'q1', name: 'Teacher' }] },
    { id: 's3', type: 'School', name: 'Absent' },
    { id: 'p1', type: 'Publisher', name: 'Verlag' },
    { id: 'p2', type: 'Publisher', name: 'Absent' },
  ],
  subjects: ['Biology', 'Art'].map((name, index) => ({ id: `0${index + 1}`, name })),
  users: ['mia', 'tom', 'lea'].map((id) => user(id)),
  classes: ['5a', '5b', '6a', '7c'].map((name) => ({
    id: `c-${name}`,
    name,
    subjectId: '01',
    schoolId: 's1',
    users: ['mia', 'tom'],
  })),
  licenses: [
    license({ holders: ['mia'], numberOfActivations: 1 }),
    license({ id: 'l2', code: 'used', numberOfActivations: 2 }),
    license({ id: 'l3', code: 'free' }),
  ],
  books: [
    {
      ...book('B1', '978'),
      title: 'Old',
      year: 2020,
      level: '5',
      series: null,
      settings: { indexPageNumber: 1, pageNumberOffset: null },
    },
  ],
  readers: [{ ...book('R1', '979'), pdfDownloadable: false }],
});
const PLANNED = plan(
  {
    publishers: [
      { at, id: 'p1', name: 'Neuer Verlag' },
      { at, name: 'Presse' },
    ],
    schools: [
      { at, name: 'Neu', country: 'DE', city: 'Bonn' },
      { at, name: 'Lycée', city: 'Lyon' },
    ],
    users: [
      { at, email: 'a@neu.example', firstName: 'A', lastName: 'B', organization: 'Neu', roles: ['Teacher'] },
      { at, id: 'mia', lastName: 'Brandt', roles: [], language: 'FR', email: 'm@s1.example' },
      { at, id: 'tom', organization: 's2', roles: [] },
      { at, id: 'lea', organization: 'Neu', roles: ['Viewer'] },
    ],
    classes: [
      { at, name: '1a', school: 'Neu', subject: 'art', users: ['a@neu.example', 'mia'] },
      { at, id: 'c-5b', name: '5B', subject: 'Art', users: [] },
      { at, id: 'c-6a', add: ['lea'], remove: ['tom'] },
      { at, id: 'c-7c', users: ['tom', 'eva'] },
    ],
    licenses: [
      {
        at,
        code: 'autumn1',
        name: 'Winter',
        maximumActivations: 2,
        endUsers: ['tom', 'a@neu.example'],
        expiration: { type: 'Date', date: '2030-01-01' },
      },
      { at, code: 'used', remove: true },
      { at, code: 'free', remove: true },
      {
        at,
        code: 'new1',
        name: 'New',
        type: 'Books',
        books: ['978'],
        maximumActivations: 5,
        endUsers: ['lea'],
        expiration: { type: 'Days', days: 30 },
      },
    ],
    books: [{ at, ean: '978', title: 'New', subject: 'Art', language: 'DE', settings: { pageNumberOffset: 2 } }],
    readers: [
      { at, ean: '979', pdfDownloadable: true, language: 'DE' },
      { at, ean: '980' },
    ],
  },
  IS,
  { prune: new Set(['classes', 'schools', 'publishers']) },
);

/** A step with its number, what comes first, and `!` if no undo reverses it. */
const shown = ({ step: { step, verb, resource, id, before, after }, needs, reversible }: StepView): string => {
  const [from, to] = [before, after].map((fields) => JSON.stringify(fields).replaceAll('"', ''));
  return `${[...needs.map((need) => `${need} →`), step].join(' ')}${reversible ? '' : '!'} ${verb} ${resource} ${id} ${from} ${to}`;
};

test('sends these requests, in an order in which each needs only earlier ones', () => {
  expect(PLANNED.faults).toEqual([]);
  expect(PLANNED.managed).toEqual([{ school: 's1', classes: ['c-5b', 'c-6a', 'c-7c', 'c-5a'] }]);
  expect(PLANNED.view.steps.map(shown)).toEqual([
    '1 update publishers p1 {name:Verlag} {name:Neuer Verlag}',
    '2! create publishers null null {name:Presse}',
    '3! create schools null null {name:Neu,country:DE,city:Bonn}',
    '4! update schools s2 {name:Lycée,country:FR,city:null} {name:Lycée,country:FR,city:Lyon}',
    '3 → 5! create users null null {firstName:A,lastName:B,email:a@neu.example,language:EN,organization:{id:{step:3},type:School},roles:[{name:Teacher}]}',
    '6 update users mia {firstName:A,lastName:mia,organization:{id:s1,type:School},roles:[r1]} {firstName:A,lastName:Brandt,organization:{id:s1,type:School},roles:[r1]}',
    '7 update users tom {firstName:A,lastName:tom,organization:{id:s1,type:School},roles:[r1]} {firstName:A,lastName:tom,organization:{id:s2,type:School},roles:[q1]}',
    '3 → 8 update users lea {firstName:A,lastName:lea,organization:{id:s1,type:School},roles:[r1]} {firstName:A,lastName:lea,organization:{id:{step:3},type:School},roles:[{name:Teacher},{name:Viewer}]}',
    '9 update classes c-5b {name:5b,subjectId:01} {name:5B,subjectId:02}',
    '3 → 10 create classes null null {name:1a,subjectId:02,schoolId:{step:3}}',
    '11 unassign members null {classId:c-5b,userId:mia} null',
    '12 unassign members null {classId:c-5b,userId:tom} null',
    '13 assign members null null {classId:c-6a,userId:lea}',
    '14 unassign members null {classId:c-6a,userId:tom} null',
    '5 → 10 → 15 assign members null null {classId:{step:10},userId:{step:5}}',
    '10 → 16 assign members null null {classId:{step:10},userId:mia}',
    '17! delete classes c-5a {subjectId:01,name:5a,users:2} null',
    '18 update licenses l1 {name:Autumn,maximumActivations:3,type:Books,books:[B1],expiration:{type:Days,days:365}} {name:Winter,maximumActivations:2,type:Books,books:[B1],expiration:{type:Date,date:2030-01-01}}',
    '18 → 19! assign holders null null {licenseId:l1,userId:tom}',
    '20! cancel licenses l2 {name:Autumn,maximumActivations:3,type:Books,books:[B1],expiration:{type:Days,days:365},numberOfActivations:2} null',
    '21! delete licenses l3 {name:Autumn,maximumActivations:3,type:Books,books:[B1],expiration:{type:Days,days:365},numberOfActivations:0} null',
    '22 create licenses null null {name:New,code:new1,type:Books,maximumActivations:5,books:[B1],expiration:{type:Days,days:30},organization:{id:s1,type:School}}',
    '22 → 23! assign holders null null {licenseId:{step:22},userId:lea}',
    '24 update books B1 {ean:978,title:Old,year:2020,stream:5,series:null,subject:01,type:Guide,settings:{indexPageNumber:1},language:DE} {ean:978,title:New,year:2020,stream:5,series:null,subject:02,type:Guide,settings:{indexPageNumber:1,pageNumberOffset:2},language:DE}',
    '25 update readers R1 {title:T,subject:01,pdfDownloadable:false,language:DE} {title:T,subject:01,pdfDownloadable:true,language:DE}',
  ]);
});

test('sends steps of one kind together, after those that they need', () => {
  const groups = groupsOf(
    PLANNED.steps,
    memberGuard(PLANNED.steps, false, () => true),
  );
  const sent = groups.flat().map(({ step }) => step);
  for (const {
    step: { step },
    needs,
  } of PLANNED.view.steps)
    for (const need of needs) expect(sent.indexOf(need), `${need}, ${step}`).toBeLessThan(sent.indexOf(step));
  expect(groups).toHaveLength(21);
});

test('is shown by organization, with everything that a step does besides', () => {
  expect([...treeOf(PLANNED.view, (_, text) => text, true)].join('').split('\n')).toEqual([
    'p1 Verlag',
    '  ~ publisher  Verlag   name Verlag → Neuer Verlag',
    'p2 Absent',
    '  ! publisher  Absent  stays: the service cannot remove it',
    's1 Gymnasium',
    '  ~ user     mia@s1.example   lastName mia → Brandt',
    '  ~ user     tom@s1.example   organization s1 → s2, roles Teacher → Teacher',
    '  ~ user     lea@s1.example   organization s1 → Neu, roles Teacher → Teacher, Viewer',
    '  ~ class    5b   name 5b → 5B, subjectId Biology → Art',
    '  - class    5a   with 2 users',
    '  + member   6a  lea@s1.example',
    '  - member   5b  mia@s1.example',
    '  - member   5b  tom@s1.example',
    '  - member   6a  tom@s1.example',
    '  + licence  new1      New  (type Books, maximumActivations 5, books B1, expiration 30 days)',
    '  ~ licence  autumn1   name Autumn → Winter, maximumActivations 3 → 2, expiration 365 days → 2030-01-01; a category may be reset: the service shows none',
    '  - licence  used      activated 2 times, so it is cancelled, again if it was before (the service does not show it): there is no way back',
    '  - licence  free',
    '  + holder   autumn1  tom@s1.example',
    '  + holder   new1  lea@s1.example',
    '  ~ book     978   title Old → New, subject Biology → Art, settings indexPageNumber 1 → indexPageNumber 1, pageNumberOffset 2, language DE; a second subject is lost: the service does not return it',
    '  ~ reader   979   pdfDownloadable false → true, language DE',
    '  ! user     mia  e-mail mia@s1.example → m@s1.example: the service cannot change it',
    '  ! user     mia  language DE → FR: the service cannot change it',
    '  ! member   7c  eva  no user has this ID, e-mail address or name (looked in your organization only)',
    '  ! member   7c  keeps 1 user who would leave: its list has unknown users',
    '  ! holder   autumn1  a@neu.example  all 2 activations are in use',
    '  ! holder   autumn1  stays with 1 person: the service cannot take it away',
    '  ! reader   980  does not exist: a reader is created with its files (edu readers create)',
    's2 Lycée',
    '  ~ school  Lycée   city Lyon',
    's3 Absent',
    '  ! school  Absent  stays: the service cannot remove it',
    'Neu (new)',
    '  + school  Neu   Bonn  (country DE)',
    '  + user    a@neu.example   Teacher    e-mail with a password  (firstName A, lastName B, language EN)',
    '  + class   1a   Art',
    '  + member  1a  a@neu.example',
    '  + member  1a  mia@s1.example',
    'Presse (new)',
    '  + publisher  Presse',
    '10 to add, 9 to change, 6 to remove (2 of 2 in 5b, 1 of 2 in 6a), 1 e-mail, 9 conflicts. Plan ',
    '',
  ]);
});
