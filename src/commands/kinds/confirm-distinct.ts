/** Asks before a create whose item exists already, where equal items are a mistake: a class of a school. */
import { isActive } from '../../bulk/send/known-row.js';
import { isOn } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { equalsIn, namesOf, showingOf } from '../../client/create/find-equal.js';
import type { Client } from '../../client/request/client.js';
import { resourceOf } from '../../contract/resource.js';
import { EduError, ignoring } from '../../core/errors.js';
import { askYes } from './confirm.js';
import type { Call } from './spec.js';

const ignoringUnreadable = ignoring('forbidden', 'not_found', 'refused', 'conflict', 'invalid_response');

const isDistinct = ({ endpoint }: Call): boolean => {
  const { recognised, endpoints } = resourceOf(endpoint) ?? {};
  return endpoints?.create === endpoint && recognised?.by === 'equality' && recognised.distinct === true;
};

/** `An equal class c17 exists already`, `Equal classes c17 and c18 exist already`; undefined if none is listed, or the list cannot be read. */
async function findEqual({ endpoint, input }: Call, client: Client, signal: AbortSignal): Promise<string | undefined> {
  const showing = await showingOf(client, endpoint, input, { signal });
  const items = showing && (await equalsIn(showing).catch(ignoringUnreadable))?.filter(isActive);
  if (showing === undefined || items === undefined || items.length === 0) return undefined;
  const names = namesOf(showing, items);
  return items.length === 1 ? `An equal ${names} exists already` : `Equal ${names} exist already`;
}

/** @throws EduError `conflict` without a terminal and without `--yes`; `usage` when the answer is no */
export async function confirmDistinct(writes: readonly Call[], context: Context): Promise<void> {
  if (isOn(context.globals, 'yes')) return;
  for (const write of writes.filter(isDistinct)) {
    const found = await findEqual(write, await context.client(), context.signal);
    if (found === undefined) continue;
    if (context.canAsk) await askYes(`${found}. Create another one?`, context);
    else throw new EduError('conflict', `${found}. Nothing was sent.`, { hint: 'Pass --yes to create another one.' });
  }
}
