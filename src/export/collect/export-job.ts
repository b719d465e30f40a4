/** One run of an export: settings, tools and progress. */
import type { CallThrottle, Client, Traffic } from '../../client/request/client.js';
import type { Language } from '../../contract/shared.js';
import type { EduError } from '../../core/errors.js';
import type { Limiter } from '../../core/for-each.js';
import type { Machine } from '../../core/io.js';
import type { Shard } from '../../core/shard.js';
import type { ExportJournal } from '../files/export-journal.js';
import type { Format } from '../files/file-format.js';
import type { CopyFormat, OrganizationFacts, ReadManifest, ResourceFacts } from '../files/manifest.js';
import type { RecordFile } from '../files/read-data-file.js';
import type { ResourceRun } from '../files/run-record.js';
import type { Resource } from './resources.js';

export interface ExportOptions {
  readonly folder: string;
  readonly resources: ReadonlySet<Resource>;
  /** Those that the user asked for by name: one that may not be read is a failure. */
  readonly named: ReadonlySet<Resource>;
  readonly format: Format;
  readonly gzip: boolean;
  /** Also write the data files in this format. */
  readonly copy: CopyFormat | undefined;
  readonly language: Language;
  /** Languages of subjects and types; empty for `language` alone. */
  readonly languages: readonly Language[];
  /** The export is incomplete if the caller may not see a list. */
  readonly strict: boolean;
  /** The export is incomplete if an item does not match its schema. */
  readonly strictSchema: boolean;
  /** Folder of an earlier export; only changes since then are written. */
  readonly since: string | undefined;
  /** Folder of an earlier export whose lists must be readable now. */
  readonly baseline: string | undefined;
  /** Max removed items of a resource since the earlier export: a number, or a share from 0 to 1. */
  readonly maxRemoved: { readonly count: number } | { readonly share: number } | undefined;
  /** Allow a comparison with an export of another account, service, language or schema. */
  readonly force: boolean;
  readonly shard: Shard | undefined;
  readonly concurrency: number;
  readonly pageSize: number | undefined;
  readonly fresh: boolean;
  /** Max number of restarts of a list whose cursor expires. */
  readonly maxRestarts: number;
  /** Mode of the files, if others may read them. */
  readonly mode: number | undefined;
}

export interface ExportParts extends Machine {
  readonly client: Client;
  /** One for all lists of the export. */
  readonly throttle?: CallThrottle | undefined;
  readonly account: () => Promise<string>;
  readonly organization: () => Promise<OrganizationFacts>;
  readonly signal: AbortSignal;
  readonly version: string;
  /** Called as items arrive. @param count items of the resource so far */
  readonly onItems?: ((resource: Resource, count: number) => void) | undefined;
  /** Called when a resource has ended, complete or not. */
  readonly onDone?: ((resource: Resource, facts: ResourceFacts) => Promise<void>) | undefined;
  /** Called once if an earlier run is resumed. @param kept when resources, and lists of others, were read (ISO 8601) */
  readonly onContinue?: ((kept: ReadonlyMap<string, string>) => Promise<void>) | undefined;
}

/** The earlier export that this one is compared with. */
export interface Baseline extends ReadManifest {
  /** Its name in messages: `--baseline yesterday`. */
  readonly label: string;
}

/** The state of an export that has locked its folder. */
export interface Job {
  readonly options: ExportOptions;
  readonly parts: ExportParts;
  readonly work: string;
  readonly limit: Limiter;
  readonly signal: AbortSignal;
  readonly stop: (error: EduError) => void;
  readonly journal: ExportJournal;
  readonly baseline: Baseline | undefined;
  /** The caller's organization, or why it is not known. */
  readonly own: OrganizationFacts | EduError;
  /** The caller's organization and those that it owns, once known. */
  organizations: readonly OrganizationFacts[];
  /** Called before the first file is renamed to its final name. */
  readonly beforePublishing: () => Promise<void>;
  readonly done: Map<Resource, ResourceFacts>;
  readonly runs: Map<Resource, ResourceRun>;
  readonly failures: Map<Resource, EduError>;
  /** True if a list was read, so that the service is reachable. */
  reached: boolean;
  /** The file of all licences, for reading their activations. */
  licences: RecordFile | undefined;
}

/** Wraps a client so that its traffic is also counted in `traffic`, and its requests wait for the throttle of the export. */
export const countedClient = (
  { client, throttle }: Pick<ExportParts, 'client' | 'throttle'>,
  traffic: Traffic,
): Client => ({
  ...client,
  call: (endpoint, input, options) => client.call(endpoint, input, { ...options, traffic, throttle }),
  pages: (endpoint, input, options) => client.pages(endpoint, input, { ...options, traffic, throttle }),
  texts: (endpoint, input, options) => client.texts(endpoint, input, { ...options, traffic, throttle }),
});
