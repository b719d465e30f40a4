/** The list in which the service shows the items of a create. */
import { account } from '../../contract/account.js';
import { isOfOrganization, listInputs } from '../../contract/list-inputs.js';
import { resourceOf } from '../../contract/resource.js';
import { users } from '../../contract/users.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { getPath, isObject } from '../../core/json.js';
import type { CallOptions, Client } from '../request/client.js';
import type { Values } from '../request/request.js';

/** What a look-up needs of a client. */
export type Reader = Pick<Client, 'call' | 'pages'>;

/** One call of a list. */
export interface ListCall {
  readonly endpoint: Endpoint;
  readonly input: Values;
}

/** The caller's own organization, which the account does not name (service-api-v1.md, "Account"). */
export async function ownOrganization(client: Reader, options: CallOptions): Promise<{ id: string; type: string }> {
  const { id } = await client.call(account.show, {}, options);
  return (await client.call(users.get, { params: { id } }, options)).organization;
}

/** The organization that the create is for: the one given, a class's school, or the caller's own. */
async function organizationOf(client: Reader, create: Endpoint, { body = {} }: Values, options: CallOptions) {
  const { id, type } = isObject(body.organization) ? body.organization : {};
  if (typeof id === 'string' && typeof type === 'string') return { id, type };
  const school = Object.entries(create.body ?? {}).find(([, { refersTo }]) => refersTo === 'school')?.[0];
  if (school !== undefined) return { id: String(body[school] ?? ''), type: 'School' };
  return ownOrganization(client, options);
}

/** A filter of the list that the create's body decides: the BOOKS or TEACHER of a licence. */
function isMeant({ query = {} }: Values, { body = {} }: Values): boolean {
  return Object.entries(query).every(([name, value]) => {
    const sent = getPath(body, name);
    return name === 'language' || typeof sent !== 'string' || sent.toLowerCase() === String(value).toLowerCase();
  });
}

/**
 * The calls that list what a create makes. Reads nothing but the caller's own organization, where that is needed.
 * @returns undefined when the service has no such list
 */
export async function listOfCreated(
  client: Reader,
  create: Endpoint,
  input: Values,
  options: CallOptions,
): Promise<readonly ListCall[] | undefined> {
  const endpoint = resourceOf(create)?.endpoints.list;
  if (endpoint === undefined) return undefined;
  const byOrganization = isOfOrganization(endpoint);
  const known = {
    languages: [String(input.query?.language ?? 'EN')],
    organizations: byOrganization ? [await organizationOf(client, create, input, options)] : [],
  };
  return listInputs(endpoint, known)
    .map(({ of, ...call }) => ({ endpoint, input: call }))
    .filter((call) => byOrganization || isMeant(call.input, input));
}
