/** Classifies failures of an export, and words their errors. */
import { EduError, type ErrorKind } from '../../core/errors.js';
import { codeOf, describeErrno, isFull } from '../../core/fs/disk-errors.js';
import { asEduError } from '../../output/error-report.js';
import type { ResourceFacts, UnseenList } from '../files/manifest.js';
import type { Job } from './export-job.js';
import type { Resource } from './resources.js';

/** Errors after which reading other lists is pointless. */
export const HOPELESS: ReadonlySet<ErrorKind> = new Set([
  'unauthenticated',
  'interrupted',
  'terminated',
  'usage',
  'internal',
]);
const NOT_TO_SEE: ReadonlySet<ErrorKind> = new Set(['forbidden', 'not_found']);
export const OUT_OF_REACH: ReadonlySet<ErrorKind> = new Set(['unreachable', 'unavailable']);

/**
 * True if a list is skipped because the caller may not see it. A 404 counts only for the list of an item, which may have
 * been deleted; other lists always exist, so there it suggests a wrong base URL.
 * @param ofSomething whether the request names the item that the list belongs to
 */
export const isNotToSee = ({ kind }: EduError, ofSomething: boolean): boolean =>
  kind === 'forbidden' || (kind === 'not_found' && ofSomething);

/** The error for a failed write to disk; undefined for other errors. */
export function refusedWrite(error: unknown): EduError | undefined {
  if (!(error instanceof Error) || codeOf(error) === undefined || !('syscall' in error)) return undefined;
  const reason = `${describeErrno(error)}${'path' in error ? `: ${String(error.path)}` : ''}.`;
  if (!isFull(error)) {
    const hint = 'Check that the folder is writable.';
    return new EduError('internal', `Cannot write the export: ${reason}`, { hint, cause: error });
  }
  return new EduError('partial', `The export is not complete: ${reason}`, {
    hint: 'Free some space and run it again: complete files are kept. Sorting needs as much space again as the largest file.',
    cause: error,
  });
}

/** True if an error is one that `refusedWrite` returns, or its cause. */
export const isWriteRefusal = (error: unknown): boolean =>
  refusedWrite(error instanceof EduError ? error.cause : error) !== undefined;

export const exportError = (error: unknown): EduError => refusedWrite(error) ?? asEduError(error);

export const reasonOf = ({ kind, status, message }: EduError): string =>
  NOT_TO_SEE.has(kind)
    ? `${kind === 'forbidden' ? 'not allowed' : 'not found'}${status === undefined ? '' : ` (${status})`}`
    : message;

/** A note about a list. @param list blank for the only list of a resource */
export const noteOf = (what: string, list: string, reason: string): string =>
  `${what}${list === '' ? '' : ` ${list}`}: ${reason}`;

/** The note about a list that was skipped. */
export const skippedNote = ({ list, reason }: UnseenList): string => noteOf('skipped', list, reason);

/**
 * Fails the resources of which no list may be read, if the user named them or if no list of the export may be read. The
 * account is no list.
 */
export function markForbidden({ options, done, failures }: Job): readonly Resource[] {
  const lists = [...done].filter(([name]) => name !== 'account');
  const isUnseen = ({ complete, file, changes }: ResourceFacts): boolean =>
    complete && file === null && changes === undefined;
  const isNothingRead = lists.length > 0 && lists.every(([, facts]) => isUnseen(facts));
  return [...done].flatMap(([name, facts]) => {
    if (!isUnseen(facts) || !(isNothingRead || options.named.has(name))) return [];
    done.set(name, { ...facts, complete: false });
    const [reason] = facts.unseen.map((list) => list.reason);
    failures.set(name, new EduError('forbidden', `no list of ${name} can be read: ${reason ?? 'not allowed'}`));
    return [name];
  });
}
