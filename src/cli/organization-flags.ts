/** The organization of a command: from flag, environment or profile, else the caller's own. */

import { account } from '../contract/account.js';
import { ORGANIZATION_TYPES, type OrganizationReference, type OrganizationType } from '../contract/shared.js';
import { EduError, isKind, usageError } from '../core/errors.js';
import { either } from '../core/plural.js';
import { type Flag, flag, isOn, textOf, type Values } from './command.js';
import type { ChosenOrganization, Context } from './context.js';
import { shown } from './read-value.js';

export const ORGANIZATION_FLAGS: readonly Flag[] = [
  flag('--organization ID', 'organization, by ID or name (EDU_ORGANIZATION; default: your organization)', {
    refersTo: 'organization',
    group: 'Organization',
  }),
  flag('--organization-type TYPE', 'type of the organization (EDU_ORGANIZATION_TYPE)', {
    kind: 'choice',
    choices: ORGANIZATION_TYPES,
    group: 'Organization',
  }),
];

/** For lists of an organization. */
export const ALL_ORGANIZATIONS: Flag = flag('--all-organizations', 'your organization and all that it owns', {
  group: 'Organization',
});

/** The problem of an organization type without an organization; undefined if there is none. */
export function organizationProblem(values: Values, context: Context): string | undefined {
  const type = textOf(values, 'organization-type');
  if (type === undefined || textOf(values, 'organization') !== undefined) return undefined;
  if (context.configuredOrganization() !== undefined) return undefined;
  return `--organization-type ${type} needs --organization as well.`;
}

/**
 * The ID of the organization that the environment or the profile names.
 * @param given the type from a flag
 * @throws EduError `not_found`, `usage`
 */
async function configuredOrganization(
  configured: ChosenOrganization,
  given: OrganizationType | undefined,
  context: Context,
): Promise<ChosenOrganization> {
  const { id } = configured;
  const type = given ?? configured.type;
  const resolver = await context.resolver();
  const found = await resolver.find('organization', id, { type });
  if (found.is === 'one') return { id: found.match.id, type: found.match.type ?? type };
  const hint = 'Set EDU_ORGANIZATION, or the setting "organization" of the profile, to an ID.';
  const from = context.effective().organization?.from;
  const { choicesAmong, describeMissing } = await import('../client/references/reference-messages.js');
  if (found.is === 'several') {
    const choices = await choicesAmong(found.matches, resolver);
    const details = choices.map(({ match, message }) => ({ where: `id:${match.id}`, message }));
    throw usageError(`${from}: ${shown(id)} matches ${details.length} organizations.`, hint, details);
  }
  const missing = await describeMissing('organization', id, found, { type });
  throw new EduError('not_found', `${from}: ${missing.message}.`, { hint: `${missing.hint}\n${hint}` });
}

/** The organization from flag, environment or profile; undefined for the caller's own. */
async function chosenOrganization(values: Values, context: Context): Promise<ChosenOrganization | undefined> {
  const problem = organizationProblem(values, context);
  if (problem !== undefined) throw usageError(problem);
  const id = textOf(values, 'organization');
  const type = textOf(values, 'organization-type') as OrganizationType | undefined;
  if (id !== undefined) return { id, type };
  const configured = context.configuredOrganization();
  return configured && configuredOrganization(configured, type, context);
}

/** The organization of a list or of a user, with its ID and type. */
export async function organizationFor(values: Values, context: Context): Promise<OrganizationReference> {
  const chosen = await chosenOrganization(values, context);
  if (chosen === undefined)
    return context.callersOrganization().catch((error: unknown) => {
      if (!isKind(error, 'forbidden', 'not_found', 'invalid_response')) throw error;
      // Where the account itself is not found, or a page answers, the base URL is wrong.
      const { kind, path } = error;
      if (path === account.show.path || (kind === 'invalid_response' && path !== undefined)) throw error;
      throw error.with({ hint: 'Add --organization ID and --organization-type TYPE.' });
    });
  if (chosen.type !== undefined) return { id: chosen.id, type: chosen.type };
  const found = await (await context.resolver()).find('organization', chosen.id);
  if (found.is === 'one' && found.match.type !== undefined) return { id: found.match.id, type: found.match.type };
  throw usageError(
    `--organization-type is missing: the type of the organization ${shown(chosen.id)} is not known.`,
    `Add --organization-type ${either(ORGANIZATION_TYPES)}.`,
  );
}

/** Where a list of an organization looked, and which flag looks further. @param hasAll it takes `ALL_ORGANIZATIONS` */
export async function organizationScope(hasAll: boolean, values: Values, context: Context): Promise<string> {
  if (isOn(values, ALL_ORGANIZATIONS.name)) return 'in your organization and all that it owns';
  const further = `; --${hasAll ? `${ALL_ORGANIZATIONS.name} looks further` : 'organization looks elsewhere'}`;
  const { id, type } = await organizationFor(values, context);
  const { organization } = context.effective();
  if (textOf(values, 'organization') !== undefined) return `in ${type.toLowerCase()} ${id} only${further}`;
  if (organization !== undefined) return `in organization ${id} (${organization.from}) only${further}`;
  // Others own no organization.
  return `in your organization ${id} only${type === 'Distributor' ? further : ''}`;
}

type OrganizationBody = Readonly<Record<string, unknown>>;

/** The body field `organization` of a create; empty by default, because the service then uses the caller's own. */
export async function organizationBody(values: Values, context: Context): Promise<OrganizationBody> {
  const chosen = await chosenOrganization(values, context);
  if (chosen === undefined) return {};
  return { organization: { id: chosen.id, ...(chosen.type === undefined ? {} : { type: chosen.type }) } };
}
