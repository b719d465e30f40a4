/** Converts a step to its request, or to its outcome if there is nothing to send. */
import type { Outcome } from '../../bulk/job/states.js';
import type { RowWrite } from '../../bulk/row-command.js';
import type { Language, OrganizationReference } from '../../contract/shared.js';
import { endpointOf, filled, isRelation } from '../items.js';
import type { Fields, Step } from '../steps.js';
import { hasRoleNames, stepsIn, withIds, withRoleIds } from '../view/names.js';
import { type Standing, standingOfItem } from '../view/step-standing.js';
import type { Plannable } from '../want-columns.js';
import type { MemberGuard } from './member-guard.js';
import type { PresentReader } from './present.js';

export type Prepared = { readonly outcome: Outcome } | { readonly writes: readonly RowWrite[] };

export interface StepHost {
  readonly reader: PresentReader;
  readonly language: Language;
  readonly guard: MemberGuard;
  /** The ID of the item that an earlier step created; undefined if the step was not done. */
  readonly idOf: (step: number) => string | undefined;
  /** The ID of the school of a class; undefined if it is unknown. */
  readonly schoolOf: (classId: string) => string | undefined;
}

/** Fields with IDs in place of references to steps and of names of roles; undefined if a step was not done. */
async function resolved(fields: Fields, host: StepHost): Promise<Fields | undefined> {
  let isLacking = false;
  const found = withIds(fields, (step) => {
    const id = host.idOf(step);
    isLacking ||= id === undefined;
    return id;
  }) as Fields;
  if (isLacking) return undefined;
  if (!hasRoleNames(found)) return found;
  return withRoleIds(found, await host.reader.roles(found.organization as OrganizationReference));
}

const skipped = (why: string): Prepared => ({ outcome: { state: 'rejected', skipped: true, error: why } });

/** The outcome of a step that refers to steps that were not done. */
const skippedFor = ({ before, after }: Step): Prepared =>
  skipped(`step ${[...new Set(stepsIn(after ?? before))].join(' or ')}, which it needs, was not done`);

/** The outcome of a step that is not sent. @param mayBeOurs whether an earlier run may have sent it */
export const outcomeOfStanding = (standing: Exclude<Standing, { readonly is: 'open' }>, mayBeOurs: boolean) =>
  standing.is === 'stale'
    ? ({ outcome: { state: 'conflict', error: standing.why } } as const)
    : ({ outcome: { state: mayBeOurs ? 'updated' : 'exists', id: standing.id } } as const);

/** The request of a step. @param body null for none */
function writeOf({ verb, resource, id }: Step, body: Fields | null, language: Language): RowWrite {
  const endpoint = endpointOf({ verb, resource });
  if (endpoint === undefined) throw new TypeError(`There is no endpoint for ${verb} ${resource}.`);
  const sent = body && filled(body);
  const query = endpoint.query === undefined ? {} : { query: { language } };
  return { endpoint, input: { ...(id === null ? {} : { params: { id } }), ...query, ...(sent && { body: sent }) } };
}

/** The request of a step for display: items that earlier steps would create have no ID. */
export function shownWrite(step: Step, language: Language): RowWrite {
  const body = isRelation(step) ? (step.after ?? step.before) : step.after;
  return writeOf(step, withIds(body, (created) => `<ID of step ${created}>`) as Fields | null, language);
}

/** Prepares a create, update or removal. */
async function change(step: Step, id: string | null, mayBeOurs: boolean, host: StepHost): Promise<Prepared> {
  const { resource } = step;
  const after = step.after && (await resolved(step.after, host));
  if (after === undefined) return skippedFor(step);
  if (hasRoleNames(after ?? {}))
    return outcomeOfStanding({ is: 'stale', why: 'the organization has no such role' }, false);
  if (id !== null) {
    const before = await resolved(step.before ?? {}, host);
    const state = await host.reader.item(
      resource as Plannable,
      id,
      resource === 'classes' ? host.schoolOf(id) : undefined,
    );
    const standing = standingOfItem({ ...step, after, before: before ?? {} }, id, state);
    if (standing.is !== 'open') return outcomeOfStanding(standing, mayBeOurs);
  }
  return { writes: [writeOf(step, after, host.language)] };
}

async function relate(step: Step, mayBeOurs: boolean, host: StepHost): Promise<Prepared> {
  const { verb, resource, before, after } = step;
  const body = await resolved(after ?? before ?? {}, host);
  if (body === undefined) return skippedFor(step);
  const { userId, classId, licenseId } = body as Readonly<Record<string, string>>;
  const people = await host.reader.people(resource === 'members' ? 'members' : 'holders', classId ?? licenseId ?? '');
  if (people.has(userId ?? '') === (verb === 'assign'))
    return outcomeOfStanding({ is: 'present', id: userId ?? '' }, mayBeOurs);
  if (host.guard.lacksAdd(step)) return skipped('not all users were added to the class');
  if (host.guard.wouldEmpty(step, people))
    return outcomeOfStanding({ is: 'stale', why: 'the class has changed since the plan and would be empty' }, false);
  return { writes: [writeOf(step, body, host.language)] };
}

/**
 * Reads the item of a step again and decides what to send.
 * @param mayBeOurs whether an earlier run may have sent the step
 */
export const prepareStep = (step: Step, mayBeOurs: boolean, host: StepHost): Promise<Prepared> =>
  isRelation(step) ? relate(step, mayBeOurs, host) : change(step, step.id, mayBeOurs, host);
