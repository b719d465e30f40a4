/** The list in which the service shows the items of a create. */
import { account } from '../../contract/account.js';
import { isOfOrganization, listInputs } from '../../contract/list-inputs.js';
import { resourceOf } from '../../contract/resource.js';
import type { OrganizationReference } from '../../contract/shared.js';
import { users } from '../../contract/users.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { EduError, isKind } from '../../core/errors.js';
import { asId, getPath, isObject, type JsonObject } from '../../core/json.js';
import { loadOnce } from '../../core/maps.js';
import { organizationIn } from '../references/item-index.js';
import type { CallOptions, Client } from '../request/client.js';
import type { Values } from '../request/request.js';

/** The methods of a client that look-ups use. */
export type Reader = Pick<Client, 'call' | 'pages'>;

/** The listed items that match. @throws EduError if the list cannot be read completely */
export async function filterItems(
  pages: AsyncIterable<readonly unknown[]>,
  matches: (item: JsonObject) => boolean,
): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  for await (const page of pages) for (const item of page) if (isObject(item) && matches(item)) found.push(item);
  return found;
}

/** The caller's organization, by the function that calls the service. */
const own = new WeakMap<Reader['call'], Promise<OrganizationReference>>();

const ACCOUNT_HINT = 'See: edu account show';

/** @throws the error of a user that the caller may not read, although it is the caller */
function hidden(error: unknown): never {
  if (!isKind(error, 'forbidden', 'not_found')) throw error;
  throw error.with({ message: `your organization is not shown: ${error.message}`, hint: ACCOUNT_HINT });
}

/**
 * The caller's organization, which the account does not contain (service-api-v1.md, "Account"). Requested once.
 * @throws EduError `invalid_response` if it is not named
 */
export const ownOrganization = ({ call }: Reader, options: CallOptions): Promise<OrganizationReference> =>
  loadOnce(own, call, async () => {
    const id = asId((await call(account.show, {}, options)).id);
    const user = id === undefined ? undefined : await call(users.get, { params: { id } }, options).catch(hidden);
    const organization = organizationIn(user);
    if (organization !== undefined) return organization;
    const shown = getPath(user, 'organization') ?? {};
    const isBlank = isObject(shown) && (shown.id ?? '') === '';
    throw new EduError('invalid_response', 'the response does not name your organization', {
      isReason: true,
      hint: ACCOUNT_HINT,
      // Only a user without an organization has no request to blame: see ownerOf.
      ...(isBlank ? {} : { method: users.get.method, path: users.get.path }),
    });
  });

/** The organization of a create: the given one, a class's school, or the caller's own. */
async function organizationOf(client: Reader, create: Endpoint, { body = {} }: Values, options: CallOptions) {
  const { id, type } = isObject(body.organization) ? body.organization : {};
  if (typeof id === 'string' && typeof type === 'string') return { id, type };
  const school = Object.entries(create.body ?? {}).find(([, { refersTo }]) => refersTo === 'school')?.[0];
  if (school !== undefined) return { id: String(body[school] ?? ''), type: 'School' };
  return ownOrganization(client, options);
}

/** True if the filters of a list call fit the create's body: BOOKS or TEACHER for a licence. */
function fits({ query = {} }: Values, { body = {} }: Values): boolean {
  return Object.entries(query).every(([name, value]) => {
    const sent = getPath(body, name);
    return name === 'language' || typeof sent !== 'string' || sent.toLowerCase() === String(value).toLowerCase();
  });
}

/**
 * The calls that list the items of a create. Reads at most the caller's organization.
 * @returns undefined if the service has no such list
 */
export async function listOfCreated(client: Reader, create: Endpoint, input: Values, options: CallOptions) {
  const endpoint = resourceOf(create)?.endpoints.list;
  if (endpoint === undefined) return undefined;
  const byOrganization = isOfOrganization(endpoint);
  const known = {
    languages: [String(input.query?.language ?? 'EN')],
    organizations: byOrganization ? [await organizationOf(client, create, input, options)] : [],
  };
  return listInputs(endpoint, known)
    .map(({ of, ...call }) => ({ endpoint, input: call }))
    .filter((call) => byOrganization || fits(call.input, input));
}
