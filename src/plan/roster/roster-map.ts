/** `roster-map.csv`: maps IDs of the roster to IDs of the service. Users keep it beside the roster. */
import { existsSync } from 'node:fs';
import { readBoolean } from '../../core/boolean.js';
import { type EduError, usageError } from '../../core/errors.js';
import { plural } from '../../core/plural.js';
import { openFile } from '../../core/table/open-table.js';
import { records } from '../../core/table/text-records.js';
import { fileFormat } from '../../export/files/file-format.js';
import { shapeOf } from '../../output/writers/records.js';
import { Findings, type Roster } from './roster.js';

const KINDS = ['school', 'user', 'class'] as const;
type Kind = (typeof KINDS)[number];

export interface MapRow {
  readonly kind: Kind;
  readonly sourcedId: string;
  readonly id: string | undefined;
  /** Name or e-mail address, for readers of the file and to detect changed IDs. */
  readonly key: string;
  /** Excluded from matching and planning. */
  readonly ignore: boolean;
}

export type RosterMap = ReturnType<typeof rosterMap>;

const COLUMNS = [
  ...['kind', 'sourcedId', 'id'].map((name) => ({ name, required: true })),
  ...['key', 'ignore'].map((name) => ({ name })),
];

/** Creates a map of rows; a later row replaces an earlier one of the same item. */
export function rosterMap(all: readonly MapRow[]) {
  const byKey = new Map(all.map((row) => [`${row.kind} ${row.sourcedId}`, row] as const));
  const rows: readonly MapRow[] = [...byKey.values()];
  return {
    rows,
    get: (kind: Kind, sourcedId: string): MapRow | undefined => byKey.get(`${kind} ${sourcedId}`),
    /** The known IDs of a kind, excluded ones or the others. */
    ids: (kind: Kind, isIgnored: boolean): string[] =>
      rows.flatMap((row) => (row.kind === kind && row.ignore === isIgnored && row.id !== undefined ? [row.id] : [])),
  };
}

/**
 * Reads a map.
 * @param isNeeded without it, the map is empty if there is no file
 * @throws EduError `usage` with all problems
 */
export async function readRosterMap(path: string, isNeeded = false): Promise<RosterMap> {
  if (!isNeeded && !existsSync(path)) return rosterMap([]);
  const findings = new Findings();
  const input = await openFile(path, { name: path });
  const table = records(input, path, COLUMNS, findings.problem);
  const rows: MapRow[] = [];
  const seen = new Map<string, string>();
  for await (const { at, values } of table.rows) {
    const { kind: word, sourcedId, id, key, ignore } = values;
    const kind = KINDS.find((one) => one === word?.toLowerCase());
    if (kind === undefined)
      findings.problem(at, `kind must be school, user or class, not ${JSON.stringify(word ?? '')}`);
    if (sourcedId === undefined) findings.problem(at, 'sourcedId is missing');
    const isIgnored = /^(?:x|ja)$/i.test(ignore ?? '') || readBoolean(ignore ?? 'false');
    if (isIgnored === undefined)
      findings.problem(at, `ignore must be true, false or blank, not ${JSON.stringify(ignore)}`);
    if (kind === undefined || sourcedId === undefined) continue;
    const before = seen.get(`${kind} ${sourcedId}`);
    if (before !== undefined) findings.problem(at, `names the same ${kind} as ${before}: ${sourcedId}`);
    seen.set(`${kind} ${sourcedId}`, at);
    rows.push({ kind, sourcedId, id, key: key ?? '', ignore: isIgnored === true });
  }
  if (findings.problems.length > 0)
    throw usageError(
      `Cannot use ${path}: ${plural(findings.problems.length, 'problem')}.`,
      'Fix it and run the command again.',
      findings.problems,
    );
  return rosterMap(rows);
}

/** The lines of a map, sorted for version control. */
export function mapLines({ rows }: RosterMap): readonly string[] {
  const { before, line } = fileFormat('csv', shapeOf([{ kind: '', sourcedId: '', id: '', key: '', ignore: '' }]));
  return [
    before,
    ...rows.map((row) => line({ ...row, key: row.key.toWellFormed(), ignore: row.ignore ? 'true' : '' })).sort(),
  ];
}

/**
 * Detects that the other system has changed its IDs, because a plan would create every person again.
 * @returns the error to throw, or undefined
 */
export function changedIds({ people, modes }: Roster, map: RosterMap): EduError | undefined {
  const keys = new Map(
    map.rows.flatMap(({ kind, sourcedId, key }) => (kind === 'user' ? [[key.toLowerCase(), sourcedId]] : [])),
  );
  if (modes.people !== 'bulk') return undefined;
  const unknown = [...people.values()].filter(({ sourcedId }) => map.get('user', sourcedId) === undefined);
  const renamed = unknown.filter(({ email }) => email !== undefined && keys.has(email.toLowerCase()));
  const [first, ...others] = renamed;
  const isMost = unknown.length * 2 > people.size && renamed.length * 2 > unknown.length;
  // One person may have got a new ID.
  if (first === undefined || others.length === 0 || !isMost) return undefined;
  return usageError(
    `Refusing the roster: the IDs of ${unknown.length} of ${people.size} people are not in roster-map.csv, but the e-mail addresses of ${renamed.length} of them are.`,
    'The other system seems to have changed its IDs. If so, run: edu roster match',
    [{ where: first.at, message: `${first.sourcedId} was ${keys.get(first.email?.toLowerCase() ?? '')} before` }],
  );
}
