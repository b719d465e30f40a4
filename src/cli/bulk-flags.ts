/** The bulk flags of every write command. */
import { type Flag, flag, OUTPUT_FILE, withEach } from './command.js';
import { IGNORE_UNKNOWN_FLAG, READING_FLAGS } from './reading-flags.js';

const GROUP = 'Bulk';

export const ON_EXISTING = ['skip', 'fail', 'update'] as const;

/** Flags for running a job and writing its results, also of `edu jobs resume`. */
export const PACE_FLAGS = withEach({ trait: 'rows', group: GROUP }, [
  flag('--concurrency N', 'number of rows to send at the same time (default 8)', { kind: 'whole', minimum: 1 }),
  flag('--rate N/s', 'maximum requests per second (default: adapted to the service)', { notEmpty: true }),
  flag('--results FILE', 'write the outcome of each row to FILE (.csv, .xlsx, .ndjson or .json)', OUTPUT_FILE),
  flag('--failed FILE', 'write failed rows to FILE for correction', OUTPUT_FILE),
  flag(
    '--max-errors N|N%|none',
    'stop after N failed rows, or N% of all rows (default: stop when the first 20 rows are all rejected with the same error)',
    { notEmpty: true },
  ),
]);

/** For creates with a natural key. */
export const EXISTING_FLAG = flag('--on-existing WHAT', 'action for rows that exist already (default skip)', {
  trait: 'rows',
  kind: 'choice',
  choices: ON_EXISTING,
  group: GROUP,
});

const COUNT_FLAG = flag('--count N', 'create N equal items', { kind: 'whole', minimum: 1, group: GROUP });

const INPUT_FLAGS = withEach({ group: GROUP }, [
  flag(
    '--from FILE',
    'run once for each row of a CSV, TSV, Excel (.xlsx), NDJSON or JSON file (- for stdin; see `edu help bulk`)',
  ),
  flag('--template', 'print a CSV header for --from'),
]);

const JOB_FLAGS: readonly Flag[] = [
  ...withEach({ trait: 'rows', group: GROUP }, [
    flag('--job NAME', 'name of the job in `edu jobs`', { notEmpty: true }),
    flag('--batch NAME', 'name of the batch; another name creates equal rows again', { notEmpty: true }),
  ]),
  ...withEach({ group: GROUP }, [
    flag('--skip-invalid', 'send the valid rows even if others are invalid (those fail; see --results and --failed)', {
      trait: 'file',
    }),
    flag('--shard I/N', 'run part I of N of the rows, for CI matrices', { trait: 'rows' }),
  ]),
  ...withEach({ trait: 'file', group: GROUP }, [...READING_FLAGS, IGNORE_UNKNOWN_FLAG]),
];

/** The bulk flags of a write. @param countable it accepts --count @param keyed its items have a natural key */
export const bulkFlags = (countable: boolean, keyed: boolean): readonly Flag[] => [
  ...INPUT_FLAGS,
  ...(countable ? [COUNT_FLAG] : []),
  ...PACE_FLAGS,
  ...(keyed ? [EXISTING_FLAG] : []),
  ...JOB_FLAGS,
];

export const BULK_NAMES: ReadonlySet<string> = new Set(bulkFlags(true, true).map(({ name }) => name));
