/** The ID and code of the item that a row created or changed. */
import { getPath } from '../../core/json.js';
import type { Outcome } from '../job/states.js';
import type { RowWrite } from '../row-command.js';

/** The text at a path of an answer. */
export function textAt(value: unknown, path: string): string | undefined {
  const found = getPath(value, path);
  return typeof found === 'string' ? found : undefined;
}

/** Both as far as they are known: from the answer, else from what was sent. */
export function namesOf({ endpoint, input }: RowWrite, answer: unknown): Pick<Outcome, 'id' | 'code'> {
  const { returns } = endpoint;
  const path = returns?.prints ?? returns?.id ?? 'id';
  const id = textAt(answer, path) ?? textAt(input.params, 'id');
  const code = textAt(answer, 'code') ?? textAt(input.body, 'code');
  return { ...(id === undefined ? {} : { id }), ...(code === undefined ? {} : { code }) };
}
