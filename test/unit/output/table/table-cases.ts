import { Licence } from '../../../../src/contract/licenses.js';
import { table } from '../../../../src/output/table/table.js';
import type { Layout } from '../../../../src/output/writers/writer.js';

export const at = (columns: number | undefined, more: Partial<Layout> = {}): Layout => ({
  title: 'licences',
  fields: undefined,
  header: undefined,
  excel: undefined,
  wide: false,
  columns,
  terminal: true,
  color: false,
  ...more,
});

export const organization = { id: 'org-1', type: 'Distributor' };
export const rest = { organization, licenseCategory: null, endUsers: [] };

export const licences = [
  {
    id: 'lic-0001',
    name: 'Herbst 2026 – Mathe 5',
    code: 'h26mathe5',
    type: 'Books',
    books: [
      { id: 'b1', ean: '0012345678905', title: 'Mathematik für die 5. Klasse' },
      { id: 'b2', ean: '0012345678906', title: 'Arbeitsheft' },
    ],
    expiration: { type: 'Days', days: 365, date: null },
    maximumActivations: 120,
    numberOfActivations: 7,
    ...rest,
  },
  {
    id: 'lic-0002',
    name: '数学教材 五年级 上册 🎓',
    code: '0042',
    type: 'Teacher',
    books: [],
    expiration: { type: 'Date', days: null, date: '2027-06-30' },
    maximumActivations: 1,
    numberOfActivations: 0,
    organization,
    licenseCategory: 'Standard',
    endUsers: [{ id: 'u1', email: null, firstName: 'Анна', lastName: 'Ильина', language: 'RU' }],
  },
  {
    id: 'lic-0003',
    name: '\x1b[31mred\x1b[0m\nlic-9999  forged \u202eline',
    code: 'evil',
    type: 'Teacher',
    books: [],
    expiration: null,
    maximumActivations: 5,
    numberOfActivations: 5,
    ...rest,
  },
];

export function print(layout: Layout, items: readonly unknown[] = licences, shape = Licence): string {
  const writer = table.list(shape as typeof Licence, layout);
  return `\n${writer.page(items)}${writer.end()}`;
}
