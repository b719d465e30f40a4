/** The ID and code of the item that a row created or changed. */
import { getPath } from '../../core/json.js';
import type { Outcome } from '../job/states.js';
import type { RowWrite } from '../row-command.js';

/** The string at a path of a response. */
export function textAt(value: unknown, path: string): string | undefined {
  const found = getPath(value, path);
  return typeof found === 'string' ? found : undefined;
}

/** Each from the response, else from the request, as far as known. */
export function namesOf({ endpoint, input }: RowWrite, response: unknown): Pick<Outcome, 'id' | 'code'> {
  const { returns } = endpoint;
  const path = returns?.prints ?? returns?.id ?? 'id';
  const id = textAt(response, path) ?? textAt(input.params, 'id');
  const code = textAt(response, 'code') ?? textAt(input.body, 'code');
  return { ...(id === undefined ? {} : { id }), ...(code === undefined ? {} : { code }) };
}
