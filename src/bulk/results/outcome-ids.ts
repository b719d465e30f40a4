/** The ID and code of the item that a row created or changed. */
import { getPath } from '../../core/json.js';
import type { Outcome } from '../job/states.js';
import type { RowWrite } from '../row-command.js';

export function textAt(value: unknown, path: string): string | undefined {
  const found = getPath(value, path);
  return typeof found === 'string' ? found : undefined;
}

/** Each from the response, else from the request, as far as known. */
export function namesOf({ endpoint, input }: RowWrite, response: unknown): Pick<Outcome, 'id' | 'code'> {
  const { returns } = endpoint;
  const id = textAt(response, returns?.prints ?? returns?.id ?? 'id') ?? textAt(input.params, 'id');
  const code = textAt(response, 'code') ?? textAt(input.body, 'code');
  const names: { id?: string; code?: string } = {};
  if (id !== undefined) names.id = id;
  if (code !== undefined) names.code = code;
  return names;
}
