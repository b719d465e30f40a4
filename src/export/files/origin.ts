/** Compares service, account, organization, language and schema of two exports. */
import { usageError } from '../../core/errors.js';
import { shardName } from '../../core/shard.js';
import { RESOURCES, type Resource } from '../collect/resources.js';
import { filesOf, type Manifest, type ReadManifest, type ResourceFacts } from './manifest.js';
import { organizationList } from './visibility.js';

export const languagesOf = ({ language, languages }: Pick<Manifest, 'language' | 'languages'>): string =>
  [language, ...languages].join(', ');

/** The service, account and organization of an export. */
export type Owner = Pick<Manifest, 'account' | 'baseUrl' | 'organization'>;

type Origin = Owner &
  Pick<Manifest, 'language' | 'languages' | 'shard'> & {
    readonly resources: Readonly<Partial<Record<Resource, Pick<ResourceFacts, 'schemaSha256'>>>>;
  };

/** Why two exports cannot be compared: the end of the sentence "Cannot compare A with B: …". */
function otherOwner(one: Owner, other: Owner): string | undefined {
  if (one.baseUrl !== other.baseUrl) return `one is of ${one.baseUrl}, the other of ${other.baseUrl}`;
  if (one.account !== null && other.account !== null && one.account !== other.account) {
    return `one is of account ${one.account}, the other of account ${other.account}`;
  }
  // Most lists are those of the caller's organization, so all items would seem to be removed.
  const [mine, theirs] = [one.organization, other.organization];
  if (!mine || !theirs || mine.id === theirs.id) return undefined;
  return `one is of ${organizationList(mine)}, the other of ${organizationList(theirs)}`;
}

const shardText = (shard: Manifest['shard']): string =>
  shard === undefined ? 'a whole export' : `shard ${shardName(shard)}`;

/** Like `otherOwner`, for shards. */
export const otherShard = (one: Manifest['shard'], other: Manifest['shard']): string | undefined =>
  shardText(one) === shardText(other) ? undefined : `one is ${shardText(one)}, the other ${shardText(other)}`;

/** Like `otherOwner`, but also compares shard, language and the schemas of resources. */
export function otherOrigin(one: Origin, other: Origin, resources: Iterable<Resource>): string | undefined {
  const different = otherOwner(one, other) ?? otherShard(one.shard, other.shard);
  if (different !== undefined) return different;
  if (languagesOf(one) !== languagesOf(other)) {
    return `one has names in ${languagesOf(one)}, the other in ${languagesOf(other)}`;
  }
  const differing = [...resources].filter((name) => {
    const [then, now] = [one.resources[name]?.schemaSha256, other.resources[name]?.schemaSha256];
    return then !== undefined && now !== undefined && then !== now;
  });
  return differing.length === 0 ? undefined : `their schemas differ: ${differing.join(', ')}`;
}

/** @throws usage error if an export contains only changes, or one of the resources is not complete */
export function checkWhole({ folder, manifest }: ReadManifest, wanted: ReadonlySet<Resource>): void {
  if (manifest.since !== null)
    throw usageError(`${folder} contains only changes.`, 'Use whole exports, made without --since.');
  const broken = RESOURCES.filter((name) => wanted.has(name) && manifest.resources[name]?.complete === false);
  if (broken.length > 0)
    throw usageError(
      `${folder} is not complete: ${broken.join(', ')}.`,
      'Run its export again, or name other resources.',
    );
}

/**
 * @param resources those of the new export
 * @throws usage error if the folder has an export of another account or organization, or one whose files it would remove
 */
export function checkFolder(
  folder: string,
  before: (Owner & Partial<Pick<Manifest, 'resources'>>) | undefined,
  now: Owner,
  resources: ReadonlySet<Resource> = new Set(RESOURCES),
): void {
  if (before === undefined) return;
  const lost = RESOURCES.filter((name) => {
    const facts = before.resources?.[name];
    return !resources.has(name) && facts !== undefined && filesOf(facts).length > 0;
  });
  const other =
    otherOwner(before, now) ?? (lost.length > 0 ? `${lost.join(', ')} would be removed from it` : undefined);
  if (other === undefined) return;
  throw usageError(
    `Cannot export into ${folder}: it contains another export (${other}).`,
    'Name another folder with --to, or remove this one.',
  );
}
