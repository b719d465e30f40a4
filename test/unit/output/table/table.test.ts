import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Licence } from '../../../../src/contract/licenses.js';
import { Role } from '../../../../src/contract/roles.js';
import { User } from '../../../../src/contract/users.js';

import { table } from '../../../../src/output/table/table.js';
import { widthOf } from '../../../../src/output/width.js';
import { shapeOf } from '../../../../src/output/writers/records.js';
import { anyText } from '../../../support/any-text.js';
import { at, licences, organization, print } from './table-cases.js';

describe('a list', () => {
  it('shows the books at 80 columns', () => {
    expect(print(at(80))).toBe(`
ID        NAME                   CODE       BOOKS               USED  EXPIRES
────────  ─────────────────────  ─────────  ─────────────────  ─────  ──────────
lic-0001  Herbst 2026 – Mathe 5  h26mathe5  Mathematik für d…  7/120  365 days
lic-0002  数学教材 五年级 上册…  0042       –                    0/1  2027-06-30
lic-0003  \\x1b[31mred\\x1b[0m\\n…  evil       –                    5/5  –
`);
  });

  it('cuts nothing with --wide', () => {
    expect(print(at(60, { wide: true }))).toBe(print(at(200)));
  });

  it('cuts nothing in a file', () => {
    expect(print(at(undefined))).toBe(print(at(200)));
  });

  it('has the requested fields, in their order, with readable references', () => {
    expect(print(at(80, { fields: ['organization', 'id', 'books.ean', 'endUsers'] }))).toBe(`
ORGANIZATION       ID        BOOKS EAN                     USERS
─────────────────  ────────  ────────────────────────────  ─────
Distributor org-1  lic-0001  0012345678905, 0012345678906      0
Distributor org-1  lic-0002  –                                 1
Distributor org-1  lic-0003  –                                 0
`);
  });

  it('has a requested field that is absent everywhere, and all fields if every one is', () => {
    expect(print(at(80, { fields: ['id', 'licenseCategory'] }), [{ id: 'a' }])).toContain('ID  CATEGORY\n');
    expect(print(at(80), [{}])).toContain('ID');
  });

  it('never cuts an ID, however narrow the terminal', () => {
    const items = [{ ...licences[0], id: 'licence-with-an-id-of-40-characters-00001' }];
    expect(print(at(20), items)).toBe(`
ID
─────────────────────────────────────────
licence-with-an-id-of-40-characters-00001
`);
  });

  it('keeps the widths of its first 40 rows, although a filter leaves few in each page', () => {
    const writer = table.list(Licence, at(36, { fields: ['id', 'code', 'name'] }));
    const items = Array.from({ length: 40 }, (_, at) => ({
      id: `a${at}`,
      code: 'c1',
      name: at === 39 ? 'Longest' : 'Short',
    }));
    expect([writer.page(items.slice(0, 1)), writer.page([])]).toEqual(['', '']);
    expect(
      String(writer.page(items.slice(1)))
        .split('\n')
        .slice(0, 3),
    ).toEqual(['ID   CODE  NAME', '───  ────  ───────', 'a0   c1    Short']);
    expect(writer.page([{ id: 'a-longer-id', code: 'c2', name: 'Longer than that' }])).toBe(
      'a-longer-id  c2    Longer…\n',
    );
    expect(writer.end()).toBe('');
  });

  it('has no column for a field that no item has', () => {
    const [{ endUsers: _, licenseCategory, ...item } = { endUsers: [], licenseCategory: null }] = licences;
    const titles = (items: readonly unknown[]) => print(at(200), items).split('\n')[1];
    expect(titles([item])).not.toMatch(/USERS|CATEGORY/);
    expect(titles([item, { ...item, licenseCategory }])).toMatch(/CATEGORY/);
  });

  it('isolates right-to-left text, so that it does not reorder the cells beside it', () => {
    const items = [{ id: '1', name: 'שירה 12', code: 'a' }];
    expect(print(at(80, { fields: ['id', 'name', 'code'] }), items)).toContain('1   \u2068שירה 12\u2069  a\n');
  });

  it('shows names of people and roles', () => {
    const user = {
      id: 'u1',
      email: 'ana@example.org',
      firstName: 'Ana',
      lastName: 'Müller',
      language: 'DE',
      avatarUrl: null,
      organization: { id: 's1', type: 'School' },
      roles: [
        { id: 'r1', name: 'Teacher' },
        { id: 'r2', name: 'Editor' },
      ],
    };
    expect(print(at(100), [user], User as never)).toBe(`
ID  NAME        E-MAIL           LANGUAGE  ROLES            ORGANIZATION
──  ──────────  ───────────────  ────────  ───────────────  ────────────
u1  Ana Müller  ana@example.org  DE        Teacher, Editor  School s1
`);
    const permissions = ['Create Book', 'Create File', 'Update Book'].map((permission) => {
      const [operation, resource] = permission.split(' ');
      return { resource, operation };
    });
    const role = { id: 'r1', name: 'Teacher', permissions };
    expect(print(at(100), [role], Role as never)).toBe(`
ID  NAME     PERMISSIONS
──  ───────  ───────────────────────────────
r1  Teacher  Create/Update Book, Create File
`);
  });

  it('has the columns of the data without a documented shape', () => {
    const items = [
      { field: 'email', when: '2026-01-31T08:30:00+0100', by: { id: 'u1' } },
      { field: 'name', odd: true },
    ];
    expect(print(at(80), items, shapeOf(items) as never)).toBe(`
FIELD  WHEN                       BY  ODD
─────  ─────────────────────────  ──  ───
email  2026-01-31 08:30:00 +0100  u1  –
name   –                          –   yes
`);
    expect(print(at(80), ['u1', 'u2'], shapeOf(['u1']) as never)).toBe('\nVALUE\n─────\nu1\nu2\n');
  });

  it('stays small when the service sends megabytes', () => {
    const item = { ...licences[0], name: 'x'.repeat(5_000_000), code: 'y'.repeat(5_000_000) };
    const text = print(at(80), [item]);
    for (const line of text.split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(80);
    expect(print(at(undefined), [item]).length).toBeLessThan(10_000);
  });

  it('never has a line wider than the terminal, and aligns its columns', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 30 });
    const hostile = fc.oneof(word, anyText(30));
    const item = fc.record({
      id: fc.stringMatching(/^[a-z\d-]{1,20}$/),
      name: hostile,
      code: hostile,
      type: fc.constantFrom('Books', 'Teacher', null),
      books: fc.array(fc.record({ id: word, ean: word, title: hostile }), { maxLength: 3 }),
      expiration: fc.constantFrom(null, { type: 'Days', days: 30, date: null }, { type: 'Odd', days: 'x', date: 1 }),
      maximumActivations: fc.oneof(fc.nat(), fc.constant(null)),
      numberOfActivations: fc.oneof(fc.nat(), hostile),
      organization: fc.constantFrom(organization, null),
      licenseCategory: fc.oneof(hostile, fc.constant(null)),
      endUsers: fc.constant([]),
    });
    const rows = fc.array(item, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 30, max: 250 }), (items, columns) => {
        const first = print(at(columns), items).split('\n').slice(1, -1);
        expect(first).toHaveLength(items.length + 2);
        for (const line of first) {
          // Text from the service cannot contain the isolates.
          expect(line.replace(/\u2068([^\u2066-\u2069]*)\u2069/g, '$1')).not.toMatch(
            /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/,
          );
        }
        for (const line of first) expect(widthOf(line)).toBeLessThanOrEqual(columns);
        // Two empty cells precede each column of the first page.
        const starts = [...(first[1] ?? '').matchAll(/─+/g)].map(({ index }) => index);
        for (const start of starts.slice(1)) {
          for (const line of first) expect(cellsAt(line, start - 2, 2).trim()).toBe('');
        }
      }),
      { numRuns: 40 },
    );
  });
});

/** The text in some cells of a line. */
function cellsAt(line: string, start: number, count: number): string {
  let cell = 0;
  let found = '';
  for (const char of line) {
    const width = widthOf(char);
    if (width > 0 && cell >= start && cell < start + count) found += char;
    cell += width;
  }
  return found;
}
