/** Id and code of what a row made or changed. Sends nothing. */
import type { Outcome } from '../job/states.js';
import type { RowWrite } from '../row-command.js';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The text under a name of an object. */
export const textAt = (value: unknown, name: string): string | undefined =>
  isObject(value) && typeof value[name] === 'string' ? value[name] : undefined;

/** Both as far as they are known: from the answer, else from what was sent. */
export function namesOf(write: RowWrite, answer: unknown): Pick<Outcome, 'id' | 'code'> {
  const id =
    textAt(answer, 'id') ??
    textAt(answer, 'classId') ??
    textAt(isObject(answer) ? answer.user : undefined, 'id') ??
    textAt(write.receipt, 'id') ??
    textAt(write.receipt, 'classId') ??
    textAt(write.input.params, 'id');
  const code = textAt(answer, 'code') ?? textAt(write.input.body, 'code');
  return { ...(id === undefined ? {} : { id }), ...(code === undefined ? {} : { code }) };
}
