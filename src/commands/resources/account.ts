/** `edu account show`, and `edu whoami`. */
import type { Command, Group } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { Account, account } from '../../contract/account.js';
import { organizationReference } from '../../contract/shared.js';
import { users } from '../../contract/users.js';
import { shape } from '../../contract/vocabulary.js';
import { isKind } from '../../core/errors.js';
import { asId } from '../../core/json.js';
import { itemCommand } from '../kinds/define.js';

/** The account with its organization, which only `GET users/:id` returns. */
const AccountWithOrganization = shape('Account', 'the calling user', {
  ...Account.fields,
  organization: { ...organizationReference, nullable: true },
});

async function fetchAccount(context: Context): Promise<unknown> {
  const client = await context.client();
  const caller = await client.call(account.show, {}, { signal: context.signal });
  const id = asId(caller.id);
  let why = 'the account has no ID';
  if (id !== undefined)
    try {
      const user = await client.call(users.get, { params: { id } }, { signal: context.signal });
      return { ...caller, organization: user.organization ?? null };
    } catch (error) {
      if (!isKind(error, 'forbidden', 'not_found')) throw error;
      why = error.message;
    }
  await context.warn(`The organization is not shown: ${why}`);
  return { ...caller, organization: null };
}

const definition = (name: string, line: string): Command =>
  itemCommand({
    name,
    summary: 'Show your account: name, organization, roles and permissions.',
    examples: {
      'Show your account:': line,
      'Print the ID of your organization:': `${line} --query organization.id`,
    },
    shape: AccountWithOrganization,
    fetch: (_, context) => fetchAccount(context),
  });

export const group: Group = { name: 'account', commands: [definition('show', 'edu account show')] };
export const whoami: Command = definition('whoami', 'edu whoami');
