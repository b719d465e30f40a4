/** One run of an export: settings, tools and progress. */
import type { Client, Traffic } from '../../client/request/client.js';
import type { Language } from '../../contract/shared.js';
import type { EduError } from '../../core/errors.js';
import type { Machine } from '../../core/machine.js';
import type { FileFacts } from '../files/data-file.js';
import type { State } from '../files/export-state.js';
import type { Format } from '../files/file-format.js';
import type { ListJournal } from '../files/list-journal.js';
import type { OrganizationFacts, ReadManifest, ResourceFacts } from '../files/manifest.js';
import type { ResourceRun } from '../files/run-record.js';
import type { Limiter } from './limiter.js';
import type { Resource } from './resources.js';
import type { Shard } from './shard.js';

export interface ExportOptions {
  readonly folder: string;
  readonly resources: ReadonlySet<Resource>;
  readonly format: Format;
  readonly gzip: boolean;
  /** Csv for Excel. */
  readonly excel: boolean;
  readonly language: Language;
  /** Of subjects and types; empty for just `language`. */
  readonly languages: readonly Language[];
  /** What the caller may not see makes the export incomplete. */
  readonly strict: boolean;
  /** Items that do not match their schema make the export incomplete. */
  readonly strictSchema: boolean;
  /** Folder of an earlier export: only what changed since then is written. */
  readonly since: string | undefined;
  /** Folder of an earlier export: lists that it read must be readable now. */
  readonly baseline: string | undefined;
  /** Items of a resource that may be gone since the earlier export: a number, or a share from 0 to 1. */
  readonly maxRemoved: { readonly count: number } | { readonly share: number } | undefined;
  /** Compare with an earlier export of another account, service, language or schema. */
  readonly force: boolean;
  /** The share of the lists to read; all of them if undefined. */
  readonly shard: Shard | undefined;
  /** Lists that are read at a time. */
  readonly concurrency: number;
  readonly pageSize: number | undefined;
  /** Do not continue an export that was broken off. */
  readonly fresh: boolean;
}

export interface ExportParts extends Machine {
  readonly client: Client;
  /** The id of the caller's account. */
  readonly account: () => Promise<string>;
  /** The caller's own organization. */
  readonly organization: () => Promise<OrganizationFacts>;
  readonly signal: AbortSignal;
  /** Of `edu`. */
  readonly version: string;
  /** Called as items arrive, with how many of the resource there are so far. */
  readonly onItems?: ((resource: Resource, count: number) => void) | undefined;
  /** Called when a resource is finished, complete or not. */
  readonly onDone?: ((resource: Resource, facts: ResourceFacts) => void) | undefined;
  /** Called once when resources of an earlier run are kept, with the times at which they were read (ISO 8601). */
  readonly onContinue?: ((kept: ReadonlyMap<Resource, string>) => void) | undefined;
}

/** The earlier export that this one is compared with. */
export interface Baseline extends ReadManifest {
  readonly folder: string;
  /** As messages name it: `--baseline yesterday`. */
  readonly label: string;
}

/** What the export works with once the folder is its own. */
export interface Job {
  readonly options: ExportOptions;
  readonly parts: ExportParts;
  readonly work: string;
  readonly limit: Limiter;
  readonly signal: AbortSignal;
  /** Ends all reading. */
  readonly stop: (error: EduError) => void;
  readonly state: State;
  readonly journal: ListJournal;
  readonly baseline: Baseline | undefined;
  /** The caller's own organization and those that it owns, as soon as they are known. */
  organizations: readonly OrganizationFacts[];
  /** Called before a file gets its name for the first time. */
  readonly beforePublishing: () => Promise<void>;
  readonly done: Map<Resource, ResourceFacts>;
  /** How resources were read that are done. */
  readonly runs: Map<Resource, ResourceRun>;
  readonly failures: Map<Resource, EduError>;
  /** Something was read: the service is there. */
  reached: boolean;
  /** Where all licences are, for their activations. */
  licences: { readonly folder: string; readonly facts: FileFacts } | undefined;
}

/** The same client, whose traffic is counted apart too. */
export const countedClient = (client: Client, traffic: Traffic): Client => ({
  ...client,
  call: (endpoint, input, options) => client.call(endpoint, input, { ...options, traffic }),
  pages: (endpoint, input, options) => client.pages(endpoint, input, { ...options, traffic }),
});
