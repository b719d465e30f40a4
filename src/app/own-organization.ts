/** Finds the caller's own organization, which the account does not include (service-api-v1.md, "Account"). */
import type { Context } from '../cli/context.js';
import { account } from '../contract/account.js';
import type { OrganizationReference } from '../contract/shared.js';
import { users } from '../contract/users.js';
import { EduError } from '../core/errors.js';

/** The service may return null for any text. */
const isNamed = (text: string | undefined): text is string => typeof text === 'string' && text !== '';

async function fetchOrganization(context: Context): Promise<OrganizationReference> {
  const client = await context.client();
  const options = { signal: context.signal };
  const caller = await client.call(account.show, {}, options);
  const user = isNamed(caller.id) ? await client.call(users.get, { params: { id: caller.id } }, options) : undefined;
  const { organization } = user ?? {};
  if (!isNamed(organization?.id) || !isNamed(organization.type)) {
    throw new EduError('invalid_response', 'the response does not name your organization', {
      hint: 'Add --organization ID and --organization-type TYPE.',
    });
  }
  return { id: organization.id, type: organization.type };
}

/** The caller's organization. It is cached by service and token, but not with --offline. */
export async function callersOrganization(context: Context): Promise<OrganizationReference> {
  if (context.isOffline) return fetchOrganization(context);
  const { findAccessToken } = await import('../auth/credentials/credentials.js');
  const { rememberedOrganization, rememberOrganization } = await import('../settings/remembered.js');
  const { baseUrl, profile } = context.effective();
  const token = findAccessToken({ env: context.env, profile: profile.value, baseUrl: baseUrl?.value })?.token;
  if (baseUrl === undefined || token === undefined) return fetchOrganization(context);
  const caller = { baseUrl: baseUrl.value, token };
  const remembered = await rememberedOrganization(context.env, caller, context.machine);
  if (remembered !== undefined) return remembered;
  const found = await fetchOrganization(context);
  await rememberOrganization(context.env, caller, found, context.machine);
  return found;
}
