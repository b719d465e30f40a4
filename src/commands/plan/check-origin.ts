/** Checks that a plan or receipt belongs to the service and the account in use. */
import type { Context } from '../../cli/context.js';
import { usageError } from '../../core/errors.js';
import type { Origin } from '../../plan/plan-file.js';

/** @param what beginning of the message @throws EduError `usage` */
export async function checkOrigin({ service, account }: Origin, what: string, context: Context): Promise<void> {
  const { baseUrl } = await context.client();
  const own = await context.callersOrganization();
  const other =
    service !== baseUrl
      ? `it was made for ${service}, not for ${baseUrl}`
      : account.id !== own.id
        ? `it was made by the organization ${account.id}, and you belong to ${own.id}`
        : undefined;
  if (other !== undefined)
    throw usageError(`${what}: ${other}.`, 'Use the profile or --base-url that it was made with.');
}
