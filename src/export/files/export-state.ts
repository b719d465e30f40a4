/** Stores the complete resources of an unfinished export, so that the next run with the same settings resumes it. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readRegularFile, streamRegularFile } from '../../core/fs/regular-file.js';
import { isResource, type Resource } from '../collect/resources.js';
import { filesOf, type ResourceFacts, writeAtomically } from './manifest.js';
import { checkFolder, type Owner } from './origin.js';
import type { ResourceRun } from './run-record.js';

/** An older unfinished export is not resumed, because its data would be too old. */
const MAX_AGE_MS = 12 * 60 * 60 * 1000;

interface StateFile {
  readonly identity: string;
  readonly owner: Owner;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly resources: Readonly<Record<string, ResourceFacts>>;
  /** Statistics of each resource. */
  readonly runs: Readonly<Record<string, ResourceRun>>;
}

export interface State {
  /** Resources that earlier runs completed. */
  readonly complete: ReadonlyMap<Resource, ResourceFacts>;
  /** Start of the first run, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Their statistics. */
  readonly runs: ReadonlyMap<Resource, ResourceRun>;
  /** Saves the state for the first time. */
  begin(): Promise<void>;
  /** Adds a complete resource and saves the state. */
  note(resource: Resource, facts: ResourceFacts, run: ResourceRun): Promise<void>;
  /** Saves the state again, because an earlier attempt may have failed on a full disk. */
  save(): Promise<void>;
}

/**
 * SHA-256 of a file in hex, and its size.
 * @param signal aborts with its reason
 * @returns undefined if the file cannot be read
 */
export async function digest(
  path: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<{ readonly sha256: string; readonly bytes: number } | undefined> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    const chunks = streamRegularFile(path, { maxBytes, highWaterMark: 1024 * 1024, signal }) as AsyncIterable<Buffer>;
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
    }
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
  return { sha256: hash.digest('hex'), bytes };
}

async function isIntact(folder: string, facts: ResourceFacts): Promise<boolean> {
  for (const { file, bytes, sha256 } of filesOf(facts)) {
    if ((await digest(join(folder, file), bytes + 1))?.sha256 !== sha256) return false;
  }
  return true;
}

const MAX_STATE_BYTES = 64 * 1024 * 1024;

async function readState(path: string): Promise<StateFile | undefined> {
  try {
    return JSON.parse(readRegularFile(path, MAX_STATE_BYTES)) as StateFile;
  } catch {
    return undefined;
  }
}

/**
 * Opens the state of an export.
 * @param folder the export's folder
 * @param path the state file
 * @param identity hash of settings, service and caller, which must be equal to resume
 * @param owner service and account of the export
 * @param now milliseconds since the epoch
 * @param fresh start again instead of resuming
 * @throws usage error if another account has begun an export into the folder
 */
export async function openState(
  folder: string,
  path: string,
  identity: string,
  owner: Owner,
  now: number,
  fresh: boolean,
): Promise<State> {
  const complete = new Map<Resource, ResourceFacts>();
  const runs = new Map<Resource, ResourceRun>();
  const found = await readState(path);
  checkFolder(folder, found?.owner, owner);
  const before = fresh ? undefined : found;
  const continued =
    before !== undefined && before.identity === identity && Math.abs(now - before.startedAt) < MAX_AGE_MS;
  if (continued) {
    for (const [name, facts] of Object.entries(before.resources)) {
      const run = before.runs?.[name];
      if (!isResource(name) || run === undefined || !facts.complete || !(await isIntact(folder, facts))) continue;
      complete.set(name, facts);
      runs.set(name, run);
    }
  }
  const startedAt = continued ? before.startedAt : now;
  let last: Promise<void> = Promise.resolve();
  let begun = continued ? last : undefined;
  const save = (): Promise<void> => {
    const state: StateFile = {
      identity,
      owner,
      startedAt,
      resources: Object.fromEntries(complete),
      runs: Object.fromEntries(runs),
    };
    return writeAtomically(path, JSON.stringify(state));
  };
  // Saves are serialized, because resources are completed concurrently. A failed save does not prevent the next one.
  const saveInOrder = (): Promise<void> => {
    last = last.catch(() => {}).then(save);
    return last;
  };
  return {
    complete: new Map(complete),
    startedAt,
    begin() {
      begun ??= saveInOrder();
      return begun;
    },
    runs: new Map(runs),
    note(resource, facts, run) {
      complete.set(resource, facts);
      runs.set(resource, run);
      return saveInOrder();
    },
    save: saveInOrder,
  };
}
