/** Compares steps with what the service has: which of them are still to be sent. */
import { isObject } from '../../core/json.js';
import { stateOf } from '../actual.js';
import { differing, isEqual, isRelation } from '../items.js';
import type { Fields, Step } from '../steps.js';
import type { Plannable } from '../want-columns.js';
import { isStep, type Names, withRoleIds } from './names.js';

/** `open`: to be sent; `present`: already done; `stale`: the service has changed since the plan. */
export type Standing =
  | { readonly is: 'open' }
  | { readonly is: 'present'; readonly id: string }
  | { readonly is: 'stale'; readonly why: string };

export const OPEN: Standing = { is: 'open' };
const stale = (why: string): Standing => ({ is: 'stale', why });

/** How an item that was read compares with a step that changes or removes it. @param state undefined if it is gone */
export function standingOfItem({ verb, resource, before, after }: Step, id: string, state?: Fields): Standing {
  const kind = resource as Plannable;
  if (state === undefined) return verb === 'update' ? stale('it no longer exists') : { is: 'present', id };
  if (verb === 'update' && differing(kind, state, after ?? {}).length === 0) return { is: 'present', id };
  const names = differing(kind, state, before ?? {});
  if (names.length === 0) return OPEN;
  return stale(`${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} changed since the plan`);
}

/** Why the organization, school or roles of a step do not fit what the service has. */
function misfit({ after, resource }: Step, present: Fields | undefined, { organizations }: Names) {
  const { schoolId, organization, roles } = after ?? {};
  const given = resource === 'classes' ? schoolId && { id: schoolId, type: 'School' } : organization;
  if (!isObject(given) || isStep(given.id) || isEqual(given, present?.organization)) return undefined;
  const known = organizations.get(String(given.id));
  if (known?.type !== given.type)
    return `no ${String(given.type).toLowerCase()} that your organization owns has the ID ${String(given.id)}`;
  const other = (Array.isArray(roles) && known?.roles ? roles : []).find(
    (role) => typeof role === 'string' && !known?.roles?.some(({ id }) => id === role),
  );
  return other === undefined ? undefined : `${known?.id} has no role with the ID ${String(other)}`;
}

function standingOfMember(step: Step, names: Names): Standing {
  const { actual, items, groupOf } = names;
  const { userId } = step.after ?? step.before ?? {};
  const [resource, ref] = groupOf(step);
  const asked = `id:${String(userId)}`;
  if (actual.elsewhere.has(asked) && actual.elsewhere.get(asked) === undefined) return stale('no user has this ID');
  const one = items[resource].get(String(ref));
  if (isStep(ref)) return OPEN;
  if (one === undefined) return stale(`the ${resource === 'classes' ? 'class' : 'licence'} no longer exists`);
  const people = 'holders' in one ? one.holders : 'schoolId' in one ? one.users : [];
  return people.includes(String(userId)) === (step.verb === 'assign') ? { is: 'present', id: String(userId) } : OPEN;
}

export function standingOf(step: Step, names: Names): Standing {
  const { verb, id, after } = step;
  if (isRelation(step)) return standingOfMember(step, names);
  const kind = step.resource as Plannable;
  const item = id === null ? undefined : names.items[kind].get(id);
  const state = item && stateOf(kind, item);
  const why = misfit(step, state, names);
  if (why !== undefined) return stale(why);
  const resolved = (fields: Fields | null): Fields | null => {
    const organization = isObject(fields?.organization) ? fields.organization.id : undefined;
    return fields && withRoleIds(fields, names.organizations.get(String(organization))?.roles ?? []);
  };
  if (verb !== 'create')
    return standingOfItem({ ...step, before: resolved(step.before), after: resolved(after) }, id ?? '', state);
  const same = names.twinOf(step);
  if (same === undefined) return OPEN;
  // The service cannot change the language of a user, so it is not part of the state.
  const language = 'language' in same && same.language !== '' ? { language: same.language } : {};
  const other = differing(kind, { ...stateOf(kind, same), ...language }, resolved(after) ?? {});
  return other.length === 0 ? { is: 'present', id: same.id } : stale(`it exists, but differs in ${other.join(', ')}`);
}
