/** Checks the owner of a job, so that no other organization resumes it. */
import { account } from '../../contract/account.js';
import { isKind, usageError } from '../../core/errors.js';
import { shellLine } from '../../core/shell.js';
import type { BulkHost } from '../host.js';
import { nameOf } from './job-manifest.js';
import type { JobFolder } from './job-store.js';

type Caller = Pick<BulkHost, 'callersOrganization' | 'client' | 'signal'>;

/** The ID of the caller's organization, or of the account if the caller may not read the organization. */
export async function ownerOf(context: Caller): Promise<string> {
  try {
    return (await context.callersOrganization()).id;
  } catch (error) {
    if (!isKind(error, 'forbidden', 'not_found', 'invalid_response')) throw error;
    const client = await context.client();
    return `account ${(await client.call(account.show, {}, { signal: context.signal })).id}`;
  }
}

/** @throws EduError `usage` if a job belongs to another service or organization */
export async function checkOwner({ manifest }: JobFolder, context: Caller): Promise<void> {
  const called = nameOf(manifest);
  const { baseUrl } = await context.client();
  if (manifest.baseUrl !== baseUrl) {
    throw usageError(
      `The job ${called} belongs to the service ${manifest.baseUrl}, not to ${baseUrl}. Nothing was sent.`,
      manifest.baseUrl.endsWith('.invalid')
        ? 'Add --offline.'
        : `Add ${shellLine('--base-url', manifest.baseUrl)}, or the --profile of that service.`,
    );
  }
  const organization = await ownerOf(context);
  if (manifest.organization === organization) return;
  throw usageError(
    `The job ${called} belongs to the organization ${manifest.organization}, and you act for ${organization}. Nothing was sent.`,
    'Use the --profile (with --offline: --as) of that organization.',
  );
}
