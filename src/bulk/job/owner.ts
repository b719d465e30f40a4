/** Checks the owner of a job, so that no other organization resumes it. */
import { account } from '../../contract/account.js';
import { isKind, usageError } from '../../core/errors.js';
import { shellLine } from '../../core/shell.js';
import type { BulkHost } from '../host.js';
import { nameOf } from './job-manifest.js';
import { allJobs, type JobFolder } from './job-store.js';

type Caller = Pick<BulkHost, 'callersOrganization' | 'client' | 'env' | 'signal'>;

/**
 * The ID of the caller's organization, or of the account if the caller may not read the organization. An account keeps to
 * the one that its first job had, because rows would be sent again for another owner.
 */
export async function ownerOf(context: Caller): Promise<string> {
  const { baseUrl, call } = await context.client();
  const jobs = allJobs(context.env).filter(({ manifest }) => manifest.baseUrl === baseUrl);
  const owners = jobs.map(({ manifest }) => manifest.organization);
  const accountOf = async () => `account ${(await call(account.show, {}, { signal: context.signal })).id}`;
  try {
    const { id } = await context.callersOrganization();
    const mine = owners.some((one) => one.startsWith('account ')) ? await accountOf() : id;
    return owners.includes(mine) ? mine : id;
  } catch (error) {
    // A user without an organization is no broken answer, which has a path.
    const isHidden = isKind(error, 'forbidden', 'not_found') || (isKind(error, 'invalid_response') && !error.path);
    if (!isHidden) throw error;
    return accountOf();
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
