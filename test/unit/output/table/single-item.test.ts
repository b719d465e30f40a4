import { describe, expect, it } from 'vitest';
import { LicenceDetail } from '../../../../src/contract/licenses.js';
import { table } from '../../../../src/output/table/table.js';
import { shapeOf } from '../../../../src/output/writers/records.js';
import type { Layout } from '../../../../src/output/writers/writer.js';
import { at, licences } from './table-cases.js';

describe('a single item', () => {
  const item = (value: unknown, layout: Layout, shape: unknown = LicenceDetail) =>
    `\n${table.item(value, shape as typeof LicenceDetail, layout)}`;

  it('is a table of two columns, with one row for each field', () => {
    expect(item(licences[0], at(60))).toBe(`
ID            lic-0001
Name          Herbst 2026 – Mathe 5
Code          h26mathe5
Type          Books
Books         Mathematik für die 5. Klasse (b1)
              Arbeitsheft (b2)
Used          7 of 120
Expires       365 days after activation
Users         –
Category      –
Organization  Distributor org-1
`);
  });

  it('wraps long values and cuts nothing', () => {
    expect(
      item({ ...licences[0], name: 'Ein sehr langer Name für eine Lizenz' }, at(34, { fields: ['id', 'name'] })),
    ).toBe(`
ID    lic-0001
Name  Ein sehr langer Name für
      eine Lizenz
`);
  });

  it('has no line for a field that the response does not have', () => {
    const { licenseCategory: _, ...without } = licences[0] ?? {};
    expect(item(without, at(60))).not.toContain('Category');
    expect(item({ ...without, licenseCategory: null }, at(60))).toContain('\nCategory      –\n');
    const { maximumActivations: __, ...unlimited } = without as Record<string, unknown>;
    expect(item(unlimited, at(60))).toContain('\nUsed          7 of ?\n');
  });

  it('has the fields of the data without a documented shape', () => {
    const logins = { web: '2026-01-31T08:30:00Z', iPad: null, iPadId: 1, overall: { atNight: 'x' } };
    expect(item(logins, at(80), shapeOf([logins]))).toBe(`
Web      2026-01-31 08:30:00 Z
iPad     –
iPad ID  1
Overall  at night x
`);
    expect(item('u1', at(80), shapeOf(['u1']))).toBe('\nValue  u1\n');
  });
});
