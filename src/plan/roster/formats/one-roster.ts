/**
 * OneRoster 1.1 and 1.2 CSV (1EdTech, "OneRoster 1.1 CSV Tables" and "OneRoster 1.2 CSV Binding"), bulk and delta. No
 * passwords or phone numbers are read; `demographics.csv` is never opened.
 */
import type { Rows } from '../../../core/table/rows.js';
import { records } from '../../../core/table/text-records.js';
import type { RosterFormat } from '../format.js';
import type { Findings } from '../roster.js';

const PERIOD = { begin: 'beginDate', end: 'endDate' } as const;

export const ONE_ROSTER: RosterFormat = {
  name: 'OneRoster',
  marks: ['manifest', 'classes schoolSourcedId', 'users orgSourcedIds', 'users enabledUser', 'roles roleType'],
  hasManifest: true,
  schoolTypes: ['school'],
  tables: [
    {
      file: 'orgs',
      kind: 'school',
      required: { id: 'sourcedId', name: 'name', type: 'type' },
      optional: { status: 'status' },
    },
    {
      file: 'academicsessions',
      kind: 'term',
      required: { id: 'sourcedId', end: 'endDate' },
      optional: { status: 'status' },
    },
    {
      file: 'roles',
      kind: 'role',
      required: { person: 'userSourcedId', role: 'role', school: 'orgSourcedId' },
      optional: { id: 'sourcedId', status: 'status', primary: 'roleType', ...PERIOD },
    },
    {
      file: 'users',
      kind: 'person',
      required: {
        id: 'sourcedId',
        firstName: ['preferredGivenName', 'givenName'],
        lastName: ['preferredFamilyName', 'familyName'],
      },
      optional: {
        status: 'status',
        enabled: 'enabledUser',
        schools: 'orgSourcedIds',
        school: 'primaryOrgSourcedId',
        role: 'role',
        username: 'username',
        identifier: 'identifier',
        email: 'email',
      },
    },
    {
      file: 'classes',
      kind: 'class',
      required: { id: 'sourcedId', title: 'title', school: 'schoolSourcedId' },
      optional: { status: 'status', subject: ['subjects', 'subjectCodes'], terms: 'termSourcedIds' },
    },
    {
      file: 'enrollments',
      kind: 'membership',
      required: { class: 'classSourcedId', person: 'userSourcedId' },
      optional: { id: 'sourcedId', status: 'status', ...PERIOD },
    },
  ],
};

/** The mode of each file that a manifest lists, by its name in lower case; a roster without a manifest is complete. */
export interface Manifest {
  readonly version: string | undefined;
  readonly modes: ReadonlyMap<string, string>;
}

/** Reads `manifest.csv`. */
export async function readManifest(input: Rows, findings: Findings): Promise<Manifest> {
  const where = 'manifest.csv';
  const columns = ['propertyName', 'value'].map((name) => ({ name, required: true }));
  const modes = new Map<string, string>();
  let version: string | undefined;
  for await (const { values } of records(input, where, columns, (place, message) => findings.problem(place, message))
    .rows) {
    const { propertyName = '', value } = values;
    const property = propertyName.toLowerCase();
    if (property === 'oneroster.version') version = value;
    if (!property.startsWith('file.')) continue;
    const mode = value?.toLowerCase() ?? '';
    modes.set(property.slice('file.'.length), mode);
    if (!['bulk', 'delta', 'absent'].includes(mode))
      findings.problem(where, `${propertyName} must be bulk, delta or absent, not ${JSON.stringify(value ?? '')}`);
  }
  if (version !== undefined && !/^1\.[12](\.|$)/.test(version))
    findings.problem(where, `OneRoster ${version} is not supported; use 1.1 or 1.2`);
  return { version, modes };
}
