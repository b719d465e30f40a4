/** Counts licences by group and by the month in which they end. */
import type { Answer } from '../../contract/vocabulary.js';
import { dayIn } from '../../core/day.js';
import { asId, getPath, isObject } from '../../core/json.js';
import { plural } from '../../core/plural.js';
import { seatsOf } from '../kinds/list-filter.js';
import type { Grouping, SUMMARY } from './summary-shape.js';

export type Row = Answer<typeof SUMMARY>;

const newRow = (id: string | null, name: string | null): Row => {
  return { id, name, licences: 0, seats: 0, activated: 0, full: 0, unused: 0, expiring: 0 };
};

const textAt = (value: unknown, path: string): string | null => asId(getPath(value, path)) ?? null;

type Named = readonly [id: string | null, name: string | null];

/** The groups of a licence. Its books may have a `title` or a `name`, depending on the response. */
const GROUPS: Readonly<Record<Grouping, (licence: unknown) => readonly Named[]>> = {
  book(licence) {
    const books = getPath(licence, 'books');
    const named = (Array.isArray(books) ? books : [])
      .filter(isObject)
      .map((book): Named => [textAt(book, 'id'), textAt(book, 'title') ?? textAt(book, 'name')]);
    if (named.length > 0) return named;
    return [[null, textAt(licence, 'type') === 'Teacher' ? 'Teacher licences' : 'No book shown']];
  },
  organization: (licence) => [[textAt(licence, 'organization.id'), null]],
  type: (licence) => [[textAt(licence, 'type'), textAt(licence, 'type')]],
  category(licence) {
    const category = textAt(licence, 'licenseCategory');
    return [[category, category ?? 'No category shown']];
  },
};

export class Tally {
  readonly total = newRow(null, 'Total');
  readonly months = new Map<string, { licences: number; unused: number }>();
  #undated = 0;
  #unshown = 0;
  readonly #groups = new Map<Grouping, Map<string | null, Row>>();
  readonly #today: string;
  readonly #until: string;
  readonly #books: readonly string[];

  /**
   * @param until the last day (`yyyy-MM-dd`) that counts as expiring
   * @param books the IDs of the only books that are groups; all if empty
   */
  constructor(groupings: readonly Grouping[], today: string, until: string, books: readonly string[] = []) {
    for (const grouping of groupings) this.#groups.set(grouping, new Map());
    this.#today = today;
    this.#until = until;
    this.#books = books;
  }

  add(licence: unknown): void {
    const date = dayIn(getPath(licence, 'expiration.date')) ?? null;
    const { seats, used, isFull, isUnused } = seatsOf(licence);
    if (seats === undefined || used === undefined) this.#unshown++;
    const facts = {
      licences: 1,
      seats: seats ?? 0,
      activated: used ?? 0,
      full: Number(isFull),
      unused: Number(isUnused),
      expiring: date !== null && date >= this.#today && date <= this.#until ? 1 : 0,
    };
    if (date === null && textAt(licence, 'type') === 'Books') this.#undated++;
    if (date !== null) {
      const month = this.months.get(date.slice(0, 7)) ?? { licences: 0, unused: 0 };
      this.months.set(date.slice(0, 7), { licences: month.licences + 1, unused: month.unused + facts.unused });
    }
    addTo(this.total, facts);
    for (const [grouping, rows] of this.#groups) {
      const groups = new Map(GROUPS[grouping](licence).map((group) => [group[0] ?? group[1], group] as const));
      for (const [key, [id, name]] of groups) {
        if (grouping === 'book' && this.#books.length > 0 && !this.#books.includes(id ?? '')) continue;
        const row = rows.get(key) ?? newRow(id, name);
        rows.set(key, row);
        addTo(row, facts);
      }
    }
  }

  /** What the figures leave out. */
  notes(): readonly string[] {
    const [undated, unshown] = [this.#undated, this.#unshown].map((count) => plural(count, 'licence'));
    return [
      ...(this.#undated === 0
        ? []
        : [`${undated} without an end date: a term that starts with each activation does not count as expiring`]),
      ...(this.#unshown === 0 ? [] : [`${unshown} whose seats or activations the service does not show count as 0`]),
    ];
  }

  rows(grouping: Grouping): Row[] {
    const rows = [...(this.#groups.get(grouping)?.values() ?? [])];
    return rows.sort((one, other) => other.seats - one.seats || ((one.id ?? '') < (other.id ?? '') ? -1 : 1));
  }
}

function addTo(row: Row, facts: Readonly<Omit<Row, 'id' | 'name'>>): void {
  for (const name of Object.keys(facts) as (keyof typeof facts)[]) row[name] += facts[name];
}
