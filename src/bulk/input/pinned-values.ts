/**
 * Values of rows that depend on their present items, worked out once for a job and stored with it: an extension becomes
 * the end that it leads to, so that a row that is sent again after a lost response is not extended twice.
 */
import { EduError } from '../../core/errors.js';
import type { Value, Values, Verb } from '../row-command.js';
import { keyOfRow } from './read-row.js';
import type { References } from './resolve-references.js';

/** Beginning of the key of a row's values among the stored references. */
const PIN = 'pin ';

export type PinnedReferences = ReturnType<typeof withPinned>;

/** Adds the pinned values of rows to references. */
export function withPinned(found: References, verb: Verb) {
  const pinned = new Map<string, Values>();
  const keyFor = (values: Values): string => `${PIN}${keyOfRow(verb, values)}`;
  return {
    ...found,
    /** Works out the values of a row. @param values with references filled in @throws EduError if they cannot be */
    async pin(values: Values): Promise<void> {
      const own = await verb.pin?.(values);
      if (own !== undefined) pinned.set(keyFor(values), own);
    },
    unpin: (): void => pinned.clear(),
    filled(values: Values): Values {
      const whole = found.filled(values);
      const own = pinned.size === 0 ? undefined : pinned.get(keyFor(whole));
      return own === undefined ? whole : { ...whole, ...own };
    },
    kept: (): string =>
      found.kept() + [...pinned].map(([key, values]) => `${JSON.stringify([key, values])}\n`).join(''),
    /** @throws SyntaxError or TypeError if the text is damaged */
    restore(kept: string): void {
      const others = kept.split('\n').filter((line) => {
        if (!line.startsWith(`["${PIN}`)) return true;
        const [key, values] = JSON.parse(line) as readonly [string, Record<string, Value>];
        pinned.set(key, values);
        return false;
      });
      found.restore(others.join('\n'));
    },
  };
}

/** True if the row's own write gets the same error, and reports it with its row. */
export const isOfRow = (error: unknown): error is EduError =>
  error instanceof EduError && ['usage', 'not_found', 'forbidden', 'refused'].includes(error.kind);
