/** Files of the program with which the targets begin: a job, a plan, an export's manifest, settings, credentials. */
import { newPlan } from '../../../src/plan/plan-file.js';
import type { Step } from '../../../src/plan/steps.js';

export const JOB = {
  version: 2,
  id: 'abcdef0123',
  name: null,
  baseUrl: 'http://127.0.0.1:1',
  organization: 'd1',
  batch: null,
  path: 'schools create',
  values: {},
  content: 'x',
  onExisting: 'skip',
  input: 'rows.csv',
  encoding: 'utf-8',
  marked: false,
  delimiter: ',',
  shard: null,
  rows: 3,
  created: '2026-01-01T00:00:00.000Z',
};
export const JOURNAL = [
  { row: 1, state: 'sending', key: 'k', attempt: 1 },
  { row: 1, state: 'created', id: 'a', code: 'k' },
  { row: 2, state: 'rejected', error: 'no' },
];
export const MANIFEST = {
  kind: 'edu-export',
  version: 1,
  complete: true,
  baseUrl: 'http://a.test',
  account: 'u1',
  organization: { id: 'd1', type: 'Distributor' },
  organizations: [],
  format: 'ndjson',
  gzip: false,
  language: 'EN',
  languages: ['EN'],
  since: null,
  resources: {
    schools: {
      complete: true,
      file: 'schools.ndjson',
      count: 1,
      bytes: 2,
      sha256: 'x',
      filters: [],
      schema: 's',
      schemaSha256: 'x',
      restarts: 0,
      unseen: [{ list: '', reason: 'r' }],
      notes: [],
    },
  },
};
const NEW_SCHOOL: Step = {
  step: 1,
  verb: 'create',
  resource: 'schools',
  id: null,
  before: null,
  after: { name: 'S', country: 'DE', city: 'B' },
};
export const PLAN = newPlan(
  { steps: [NEW_SCHOOL], managed: [] },
  { service: 'http://a.test', account: { id: 'd1', type: 'Distributor' }, created: '2026-01-01T00:00:00.000Z' },
);
export const SETTINGS = '{"profile":"a","profiles":{"a":{"base-url":"https://a.test","language":"NL"},"default":{}}}';
export const CREDENTIALS = '{"profiles":{"default":{"https://a.test":{"accessToken":"t","clientSecret":"s"}}}}';
