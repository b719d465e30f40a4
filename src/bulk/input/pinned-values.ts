/**
 * Values of rows that depend on their present items, worked out once for a job and stored with it: an extension becomes
 * the end that it leads to, so that a row that is sent again after a lost response is not extended twice.
 */
import type { Value, Values, Verb } from '../row-command.js';
import { keyOfRow } from './read-row.js';
import { type ReferenceHost, References } from './resolve-references.js';

/** Beginning of the key of a row's values among the stored references. */
const PIN = 'pin ';

/** The references of a job's rows, with the pinned values of each. */
export class PinnedReferences extends References {
  readonly #pinning: Verb;
  readonly #pinned = new Map<string, Values>();

  constructor(verb: Verb, host: ReferenceHost) {
    super(verb, host);
    this.#pinning = verb;
  }

  #keyFor(values: Values): string {
    return `${PIN}${keyOfRow(this.#pinning, values)}`;
  }

  /** Works out the values of a row. @param values with references filled in @returns all values @throws EduError */
  async pin(values: Values): Promise<Values> {
    const own = await this.#pinning.pin?.(values);
    if (own !== undefined) this.#pinned.set(this.#keyFor(values), own);
    return { ...values, ...own };
  }

  unpin(): void {
    this.#pinned.clear();
  }

  override filled(values: Values): Values {
    const whole = super.filled(values);
    const own = this.#pinned.size === 0 ? undefined : this.#pinned.get(this.#keyFor(whole));
    return own === undefined ? whole : { ...whole, ...own };
  }

  override kept(): string {
    return super.kept() + [...this.#pinned].map(([key, values]) => `${JSON.stringify([key, values])}\n`).join('');
  }

  override restore(kept: string): void {
    const others = kept.split('\n').filter((line) => {
      if (!line.startsWith(`["${PIN}`)) return true;
      const [key, values] = JSON.parse(line) as readonly [string, Record<string, Value>];
      this.#pinned.set(key, values);
      return false;
    });
    super.restore(others.join('\n'));
  }
}
