/** Plans the undo of a created item: delete it, or cancel it if it cannot be deleted. */
import { isActive } from '../../client/create/find-equal.js';
import { findListed } from '../../client/references/find-listed.js';
import { idFound } from '../../client/references/get-item.js';
import type { Client } from '../../client/request/client.js';
import type { Resource, Undo } from '../../contract/resource.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import type { RowWrite, Values } from '../row-command.js';
import { seenIn } from './known-row.js';

export interface UndoOptions {
  readonly resource: Resource;
  readonly undo: Undo;
  readonly client: Client;
  /** Cancel items that can no longer be deleted. */
  readonly cancels: boolean;
  readonly signal: AbortSignal;
}

/** Plans the undo of one item at a time, given its `id`, or its `code` if the ID is unknown. */
export function planUndo(options: UndoOptions): (values: Values) => Promise<readonly RowWrite[]> {
  const { resource, undo, client, cancels, signal } = options;
  const [noun] = resource.noun;
  const { get, getByCode } = resource.endpoints;

  /** The item with an ID or code, or `gone`; undefined if the service does not show it. */
  async function read(endpoint: Endpoint | undefined, field: 'id' | 'code', value: string) {
    const request = endpoint && client.call(endpoint, { params: { [field]: value } }, { signal, retries: 0 });
    const found = request === undefined ? 'hidden' : await seenIn(request);
    return found === 'hidden' ? findListed(client, resource, field, value, { signal }) : found;
  }

  function writesFor(id: string, used: number): readonly RowWrite[] {
    const write = (name: string, undoes: 'deleted' | 'cancelled'): readonly RowWrite[] => [
      { endpoint: resource.endpoints[name] as Endpoint, input: { params: { id } }, undoes },
    ];
    if (used === 0) return write(undo.by, 'deleted');
    if (undo.else !== undefined && cancels) return write(undo.else, 'cancelled');
    const times = used === 1 ? 'once' : `${used} times`;
    const instead = undo.else === undefined ? '' : '; to cancel it, add --cancel-activated';
    throw new EduError('refused', `Cannot delete ${noun} ${id}: it has been activated ${times}${instead}.`);
  }

  return async ({ id, code, row, doubtful }) => {
    if (doubtful === true || (id === undefined && (code === undefined || getByCode === undefined))) {
      throw new EduError('refused', `Cannot undo row ${row}: whether it created anything is unknown.`, {
        hint: 'Look it up first: run `edu jobs retry JOB`.',
      });
    }
    const item = await (id === undefined ? read(getByCode, 'code', String(code)) : read(get, 'id', String(id)));
    if (item === 'gone' || (item !== undefined && !isActive(item))) return [];
    const used = Number(item?.[undo.unless ?? ''] ?? 0);
    if (id !== undefined) return writesFor(String(id), used);
    if (item !== undefined && getByCode !== undefined)
      return writesFor(idFound(item, getByCode, noun, String(code)), used);
    throw new EduError('refused', `Cannot undo the ${noun} with the code ${code}: the service does not show it.`);
  };
}
