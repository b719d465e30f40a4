/** An export as plan has no steps, whatever the names and addresses of a service are. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Actual, rolesOf } from '../../../src/plan/actual.js';
import { wantOf } from '../../../src/plan/as-want.js';
import { readWant } from '../../../src/plan/read-want.js';
import { PLANNABLE } from '../../../src/plan/want-columns.js';
import { writeWant } from '../../../src/plan/write-want.js';
import { temporaryFolder } from '../../support/run.js';
import { actual, book, license, plan, user } from './small-states.js';

/** Names that files, list cells or look-ups could change, that are IDs, or that a spreadsheet damaged. */
const NAMES = [
  ...['5a', ' 5a', '5a\u00a0', 'a;b', 'a\\;b', 'a\\', '"', ',', 'a\r\nb', '\ufeffx', '=1+1', '', 'null', '007', '😀'],
  ...['İ', 'ß', 'e\u0301', '\u202eabc', '\u001b[31m', '\ud800', '__proto__', '{"id":1}', '#N/A', '9.78E+12', 'true'],
  ...['a@b', 'A@x.example', 'b;c@x.example', 'id:u1', 'name:5a', 's2', 'b2', 'r2', 'u2', 'k2', 'x@4'],
];

/** A service in which everything is called so. @param ids of what there is of each kind; an ID may look like an address */
function serviceOf(name: string, ids: readonly string[]): Actual {
  const all = <T>(prefix: string, make: (id: string, index: number) => T): readonly T[] =>
    ids.map((id, index) => make(`${prefix}${id}`, index));
  const roles = all('r', (id) => ({ id, name }));
  const people = all('u', (id) => id);
  const first = (prefix: string): string => `${prefix}${ids[0]}`;
  return actual({
    own: { id: 's0', type: 'School' },
    organizations: [
      { id: 's0', type: 'School', name: 'Own', roles },
      ...all('s', (id) => ({ id, type: 'School' as const, name, country: 'DE', city: name, roles })),
      ...all('p', (id) => ({ id, type: 'Publisher' as const, name, roles: [] })),
    ],
    subjects: all('b', (id) => ({ id, name })),
    users: all('u', (id, index) =>
      user(id, {
        email: name === '' ? null : name,
        firstName: name,
        lastName: name,
        // Where names are blank, the service shows no roles.
        roles: name === '' ? rolesOf(undefined) : roles.slice(index),
        organization: { id: first('s'), type: 'School' },
      }),
    ),
    // The second one has the subject of the first, the third another one.
    classes: ['1', '2', '3'].map((id) => ({
      id: `c${id}`,
      name,
      schoolId: first('s'),
      users: people,
      subjectId: id === '3' ? `b${ids.at(-1)}` : first('b'),
    })),
    licenses: ['one', ''].map((code, index) =>
      license({
        id: `l${index}`,
        code,
        name,
        type: index === 0 ? 'Books' : 'Teacher',
        licenseCategory: 'School',
        ...{ books: [...all('k', (id) => ({ id, ean: name }))], holders: people, numberOfActivations: people.length },
        organization: { id: first('s'), type: 'School' },
      }),
    ),
    books: all('k', (id) => ({
      ...book(id, name),
      title: name,
      subject: { id: first('b') },
      year: 2020,
      level: null,
      series: name,
      settings: { indexPageNumber: 1, pageNumberOffset: null },
    })),
    readers: all('k', (id) => ({ ...book(id, name), title: name, pdfDownloadable: false })),
  });
}

test('writes IDs of subjects that may not be listed, and says what it leaves out', () => {
  const is = serviceOf('5a', ['1']);
  const left: string[] = [];
  const rows = (more: Partial<Actual>) => wantOf({ ...is, ...more }, (...what) => left.push(what.join(' ')));
  expect(rows({ subjects: undefined }).classes[0]).toMatchObject({ subjectId: is.classes[0]?.subjectId });
  expect(left).toEqual([]);
  rows({ subjects: [], organizations: [], users: is.users.map((one) => ({ ...one, firstName: ' A', lastName: '' })) });
  const subjects = ['classes subjectId', 'licenses organization', 'books subject', 'readers subject'];
  expect([...new Set(left)]).toEqual(['users firstName', ...subjects]);
});

const IDS = [['1'], ['1', '2'], ['@4', '3']] as const;

test.each([
  ['csv', IDS],
  ['ndjson', [IDS[1]]],
  ['json', [IDS[1]]],
] as const)('reads back what it writes in %s', async (format, all) => {
  const folder = temporaryFolder();
  for (const [index, name] of NAMES.entries())
    for (const ids of all) {
      const is = serviceOf(name, ids);
      const to = join(folder, `${index} ${ids.join(' ')}`);
      await writeWant(wantOf(is), new Set(PLANNABLE), to, format);
      const { faults, steps, conflicts } = plan((await readWant(to)).want, is);
      expect([...faults, ...steps, ...conflicts], `${JSON.stringify(name)} ${ids}`).toEqual([]);
    }
});

test.each<[readonly string[], readonly string[]]>([
  [
    ['1'],
    [
      'publishers [{name:5a}]',
      'schools [{name:5a,country:DE,city:5a}]',
      'users [{email:5a,firstName:5a,lastName:5a,language:DE,organization:s1,roles:[5a]}]',
      'classes [{classId:c1,className:5a,schoolId:s1,subjectId:5a,usersInClass:[5a]},{classId:c2,className:5a,schoolId:s1,subjectId:5a,usersInClass:[5a]},{classId:c3,className:5a,schoolId:s1,subjectId:5a,usersInClass:[5a]}]',
      'licenses [{id:l1,name:5a,type:Teacher,books:[5a],expiration:{type:Days,days:365},maximumActivations:3,organization:s1,endUsers:[5a]},{name:5a,code:one,type:Books,books:[5a],expiration:{type:Days,days:365},maximumActivations:3,organization:s1,endUsers:[5a]}]',
      'books [{ean:5a,title:5a,settings:{indexPageNumber:1,pageNumberOffset:null},year:2020,series:5a,subject:5a}]',
      'readers [{ean:5a,title:5a,pdfDownloadable:false}]',
    ],
  ],
  [
    ['1', '2'],
    [
      'publishers [{id:p1,name:5a},{id:p2,name:5a}]',
      'schools [{id:s1,name:5a,country:DE,city:5a},{id:s2,name:5a,country:DE,city:5a}]',
      'users [{id:u1,email:5a,firstName:5a,lastName:5a,language:DE,organization:s1,roles:[r1,r2]},{id:u2,email:5a,firstName:5a,lastName:5a,language:DE,organization:s1,roles:[r2]}]',
      'classes [{classId:c1,className:5a,schoolId:s1,subjectId:b1,usersInClass:[u1,u2]},{classId:c2,className:5a,schoolId:s1,subjectId:b1,usersInClass:[u1,u2]},{className:5a,schoolId:s1,subjectId:b2,usersInClass:[u1,u2]}]',
      'licenses [{id:l1,name:5a,type:Teacher,books:[k1,k2],expiration:{type:Days,days:365},maximumActivations:3,organization:s1,endUsers:[u1,u2]},{name:5a,code:one,type:Books,books:[k1,k2],expiration:{type:Days,days:365},maximumActivations:3,organization:s1,endUsers:[u1,u2]}]',
      'books [{id:k1,ean:5a,title:5a,settings:{indexPageNumber:1,pageNumberOffset:null},year:2020,series:5a,subject:b1},{id:k2,ean:5a,title:5a,settings:{indexPageNumber:1,pageNumberOffset:null},year:2020,series:5a,subject:b1}]',
      'readers [{id:k1,ean:5a,title:5a,pdfDownloadable:false},{id:k2,ean:5a,title:5a,pdfDownloadable:false}]',
    ],
  ],
])('names things as people know them, and by ID where that is not clear: %j', (ids, expected) => {
  const rows = Object.entries(wantOf(serviceOf('5a', ids)));
  expect(rows.map(([resource, all]) => `${resource} ${JSON.stringify(all).replaceAll('"', '')}`)).toEqual(expected);
});
