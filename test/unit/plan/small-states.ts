/** Small states and wanted states for tests of the planner. */
import type { Actual, ActualLicense, ActualPublication, ActualUser } from '../../../src/plan/actual.js';
import { planState } from '../../../src/plan/planner/plan-state.js';
import type { Planned, PlanOptions } from '../../../src/plan/steps.js';
import { type PlanView, viewOf } from '../../../src/plan/view/view.js';
import { NOTHING_WANTED, type Want } from '../../../src/plan/want.js';

export const SCHOOL = { id: 's1', type: 'School' } as const;
export const at = 'users.csv line 2';

export const user = (id: string, more: Partial<ActualUser> = {}): ActualUser => ({
  id,
  email: `${id}@s1.example`,
  firstName: 'A',
  lastName: id,
  language: 'DE',
  organization: SCHOOL,
  roles: [{ id: 'r1', name: 'Teacher' }],
  ...more,
});

export const license = (more: Partial<ActualLicense> = {}): ActualLicense => ({
  id: 'l1',
  code: 'autumn1',
  name: 'Autumn',
  type: 'Books',
  books: [{ id: 'B1', ean: '978' }],
  expiration: { type: 'Days', days: 365, date: null },
  maximumActivations: 3,
  numberOfActivations: 0,
  organization: SCHOOL,
  licenseCategory: null,
  holders: [],
  ...more,
});

export const book = (id: string, ean: string): ActualPublication => ({
  id,
  ean,
  title: 'T',
  subject: { id: '01' },
  type: { name: 'Guide' },
  organization: SCHOOL,
  settings: undefined,
});

export const actual = (more: Partial<Actual> = {}): Actual => ({
  own: SCHOOL,
  organizations: [
    {
      ...SCHOOL,
      name: 'Gymnasium',
      roles: [
        { id: 'r1', name: 'Teacher' },
        { id: 'r2', name: 'Viewer' },
      ],
    },
    { id: 's2', type: 'School', name: 'Lycée', roles: [{ id: 'q1', name: 'Teacher' }] },
  ],
  language: 'EN',
  subjects: [{ id: '01', name: 'Biology' }],
  users: [user('mia'), user('tom')],
  elsewhere: new Map(),
  classes: [{ id: 'c1', name: '5a', subjectId: '01', schoolId: 's1', users: ['mia', 'tom'] }],
  hiddenSchools: new Map(),
  licenses: [],
  books: [],
  readers: [],
  ...more,
});

/** A plan, and what people see of it. */
export type Small = Planned & { readonly view: PlanView };

export function plan(want: Partial<Want>, is = actual(), more: Partial<PlanOptions> = {}): Small {
  const planned = planState({ ...NOTHING_WANTED, ...want }, is, {
    prune: new Set(),
    complete: [],
    organization: SCHOOL,
    ...more,
  });
  return { ...planned, view: viewOf({ hash: '', ...planned }, is) };
}

export const said = ({ view: { steps, conflicts } }: Small): readonly string[] => [
  ...steps.map(({ step: { verb, resource }, key }) => `${verb} ${resource} ${key}`),
  ...conflicts.map(({ key, why }) => `! ${key}: ${why}`),
];
