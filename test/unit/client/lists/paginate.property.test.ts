/**
 * Pagination of a collection that changes meanwhile: random page sizes, removals, insertions, invalid cursors, failed
 * requests. Every item that existed throughout appears exactly once, and nothing appears twice.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { users } from '../../../../src/contract/users.js';
import { EduError } from '../../../../src/core/errors.js';
import type { Step } from '../../../support/scripted-send.js';
import { bench, lost } from '../support.js';

type Event =
  | { readonly do: 'remove'; readonly at: number }
  | { readonly do: 'insert'; readonly at: number }
  | { readonly do: 'expire' }
  | { readonly do: 'fail'; readonly how: 'reset' | 500 | 429 }
  | { readonly do: 'nothing' };

/** The documented behaviour: a removal anywhere invalidates cursors, and pages may be shorter than requested. */
class Collection {
  readonly ids: string[];
  readonly #everywhere: Set<string>;
  #era = 0;
  #made = 0;
  #issued = 0;

  constructor(count: number) {
    this.ids = Array.from({ length: count }, (_, i) => `i${i}`);
    this.#everywhere = new Set(this.ids);
  }

  /** Items that have existed since the beginning. */
  get throughout(): ReadonlySet<string> {
    return this.#everywhere;
  }

  apply(event: Event): void {
    if (event.do === 'remove' && this.ids.length > 0) {
      const [gone = ''] = this.ids.splice(event.at % this.ids.length, 1);
      this.#everywhere.delete(gone);
      this.#era++;
    } else if (event.do === 'insert') {
      this.ids.splice(event.at % (this.ids.length + 1), 0, `n${this.#made++}`);
    } else if (event.do === 'expire') this.#era++;
  }

  /** A page, or the refusal of its cursor. The cursor is an offset, so that insertions move items to the next page. */
  page(cursor: string | null, size: number): Step {
    const [era, offset] = cursor === null ? [this.#era, 0] : cursor.split('.').map(Number);
    if (era !== this.#era || offset === undefined)
      return { status: 400, body: { message: 'the cursor is no longer valid' } };
    const end = offset + size;
    // An empty page has another cursor, although it starts at the same place.
    const nextCursor = end < this.ids.length ? `${this.#era}.${end}.${this.#issued++}` : null;
    return { body: { users: this.ids.slice(offset, end).map((id) => ({ id })), paging: { nextCursor } } };
  }
}

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Event>({ do: 'nothing' }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), at: fc.nat(1000) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('insert' as const), at: fc.nat(1000) }) },
  { weight: 1, arbitrary: fc.constant<Event>({ do: 'expire' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      how: fc.constantFrom('reset' as const, 500 as const, 429 as const),
    }),
  },
);

test('returns every item that exists throughout exactly once, under any changes', async () => {
  let completed = 0;
  let restarted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 60 }),
      fc.array(fc.record({ event, size: fc.integer({ min: 0, max: 9 }) }), { maxLength: 60 }),
      async (count, plan) => {
        const collection = new Collection(count);
        let request = 0;
        const { client } = bench(({ url }) => {
          const step = plan[request++];
          if (step !== undefined) collection.apply(step.event);
          if (step?.event.do === 'fail') return step.event.how === 'reset' ? lost() : { status: step.event.how };
          const asked = new URL(url).searchParams;
          const most = Number(asked.get('limit'));
          return collection.page(asked.get('cursor'), Math.min(most, step?.size ?? 9));
        });
        const got: string[] = [];
        let restarts = 0;
        try {
          const query = { organization: '1', type: 'School' } as const;
          const options = { pageSize: 9, onRestart: () => restarts++ };
          for await (const page of client.pages(users.list, { query }, options)) {
            expect(page.length).toBeGreaterThan(0);
            got.push(...page.map(({ id }) => id));
          }
          completed++;
          if (restarts > 0) restarted++;
          for (const id of collection.throughout) expect(got).toContain(id);
        } catch (error) {
          // The only other permitted end: too many invalid cursors, or a failure that outlasts the retries.
          if (!(error instanceof EduError)) throw error;
          expect(['partial', 'server_error', 'unavailable', 'unreachable']).toContain(error.kind);
          if (error.kind === 'partial') expect(restarts).toBe(5);
        }
        expect(new Set(got).size).toBe(got.length);
      },
    ),
    { numRuns: 150 },
  );
  // Pagination that always fails would satisfy the property, too.
  expect(completed).toBeGreaterThan(40);
  expect(restarted).toBeGreaterThan(8);
});
