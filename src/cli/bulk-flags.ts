/** The bulk flags of every write command (PRODUCT.md section 8). */
import type { Flag } from './command.js';

const GROUP = 'Bulk';

export const ON_EXISTING = ['skip', 'fail', 'update'] as const;

/** Flags for running a job and writing its results, also of `edu jobs resume`. */
export const PACE_FLAGS: readonly Flag[] = [
  {
    name: 'concurrency',
    trait: 'rows',
    value: 'N',
    kind: 'whole',
    minimum: 1,
    group: GROUP,
    description: 'number of rows to send at the same time',
    note: 'default 8',
  },
  {
    name: 'rate',
    trait: 'rows',
    value: 'N/s',
    kind: 'text',
    notEmpty: true,
    group: GROUP,
    description: 'maximum requests per second',
    note: 'default: adapted to the service',
  },
  {
    name: 'results',
    trait: 'rows',
    value: 'FILE',
    kind: 'text',
    notEmpty: true,
    group: GROUP,
    description: 'write the outcome of each row to FILE',
    note: '.csv, .ndjson or .json',
  },
  {
    name: 'failed',
    trait: 'rows',
    value: 'FILE',
    kind: 'text',
    notEmpty: true,
    group: GROUP,
    description: 'write failed rows to FILE for correction',
  },
  {
    name: 'max-errors',
    trait: 'rows',
    value: 'N|N%|none',
    kind: 'text',
    notEmpty: true,
    group: GROUP,
    description: 'stop after N failed rows, or N% of all rows',
    note: 'default: stop when the first 20 rows are all rejected with the same error',
  },
];

/** For creates with a natural key. */
export const EXISTING_FLAG: Flag = {
  name: 'on-existing',
  trait: 'rows',
  value: 'WHAT',
  kind: 'choice',
  choices: ON_EXISTING,
  group: GROUP,
  description: 'action for rows that exist already',
  note: 'default skip',
};

const COUNT_FLAG: Flag = {
  name: 'count',
  value: 'N',
  kind: 'whole',
  minimum: 1,
  group: GROUP,
  description: 'create N of the same kind',
};

const INPUT_FLAGS: readonly Flag[] = [
  {
    name: 'from',
    value: 'FILE',
    kind: 'text',
    group: GROUP,
    description: 'run once for each row of a CSV, TSV, Excel (.xlsx), NDJSON or JSON file',
    note: '- for stdin; see `edu help bulk`',
  },
  { name: 'template', kind: 'switch', group: GROUP, description: 'print a CSV header for --from' },
];

/** Flags for reading columns and cells of a file. */
export const READING_FLAGS: readonly Flag[] = [
  {
    name: 'map',
    trait: 'file',
    value: 'HEADER=COLUMN',
    kind: 'text',
    repeat: true,
    notEmpty: true,
    group: GROUP,
    description: 'read the column HEADER of the file as COLUMN',
  },
  {
    name: 'ignore',
    trait: 'file',
    value: 'HEADER',
    kind: 'text',
    repeat: true,
    notEmpty: true,
    group: GROUP,
    description: 'ignore the column HEADER of the file',
  },
  {
    name: 'ignore-unknown',
    trait: 'file',
    kind: 'switch',
    group: GROUP,
    description: 'ignore columns with unknown names',
  },
  {
    name: 'date-format',
    trait: 'file',
    value: 'FORMAT',
    kind: 'text',
    notEmpty: true,
    group: GROUP,
    description: 'format of dates in the file, such as dd.MM.yyyy',
    note: 'default yyyy-MM-dd',
  },
  {
    name: 'sheet',
    trait: 'file',
    value: 'NAME',
    kind: 'text',
    notEmpty: true,
    group: GROUP,
    description: 'sheet of the Excel workbook',
    note: 'default: the only one with cells',
  },
];

const JOB_FLAGS: readonly Flag[] = [
  {
    name: 'job',
    trait: 'rows',
    value: 'NAME',
    kind: 'text',
    notEmpty: true,
    group: GROUP,
    description: 'name of the job in `edu jobs`',
  },
  {
    name: 'batch',
    trait: 'rows',
    value: 'NAME',
    kind: 'text',
    notEmpty: true,
    group: GROUP,
    description: 'name of the batch; another name creates equal rows again',
  },
  {
    name: 'skip-invalid',
    trait: 'file',
    kind: 'switch',
    group: GROUP,
    description: 'send the valid rows of a file with invalid ones',
    note: 'these fail; see --results and --failed',
  },
  {
    name: 'shard',
    trait: 'rows',
    value: 'I/N',
    kind: 'text',
    group: GROUP,
    description: 'run part I of N of the rows, for CI matrices',
  },
  {
    name: 'encoding',
    trait: 'file',
    value: 'NAME',
    kind: 'text',
    group: GROUP,
    description: 'encoding of the file',
    note: 'default: detected, or UTF-8',
  },
  {
    name: 'delimiter',
    trait: 'file',
    value: 'CHAR',
    kind: 'text',
    group: GROUP,
    description: 'CSV delimiter',
    note: 'default: detected',
  },
  ...READING_FLAGS,
];

/**
 * The bulk flags of a write.
 * @param countable the command accepts --count
 * @param keyed the items that it creates have a natural key
 */
export const bulkFlags = (countable: boolean, keyed: boolean): readonly Flag[] => [
  ...INPUT_FLAGS,
  ...(countable ? [COUNT_FLAG] : []),
  ...PACE_FLAGS,
  ...(keyed ? [EXISTING_FLAG] : []),
  ...JOB_FLAGS,
];

export const BULK_NAMES: ReadonlySet<string> = new Set(bulkFlags(true, true).map(({ name }) => name));
