/** `edu jobs …`: the bulk jobs on this machine. */
import { EXISTING_FLAG, PACE_FLAGS } from '../../cli/bulk-flags.js';
import { type Argument, type Command, type Flag, flag, type Group, isOn, OUTPUT_FILE } from '../../cli/command.js';
import { DRY_RUN } from '../../cli/global-flags.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { plainCommand } from '../kinds/define.js';
import { JOB_SHAPE } from './job-shape.js';

const JOB: Argument = { name: 'job', description: 'name or ID of the job' };

/** The flags that also apply to an existing job. */
const RUN_FLAGS: readonly Flag[] = [...PACE_FLAGS, { ...EXISTING_FLAG, note: 'default: as in its command' }].map(
  ({ group, ...flag }) => flag,
);

const FORGET: Flag = flag('--forget', 'also delete the record of created items, so that equal rows create them again');

const RUNS = { prints: 'item', traits: ['result', 'service', 'rows', 'limit'], endsItself: true } as const;

const list: Command = {
  name: 'list',
  summary: 'List the bulk jobs on this machine, newest first.',
  examples: {
    'List the jobs:': 'edu jobs list',
    'List unfinished jobs as JSON:': `edu jobs list --json --query '[?left>\`0\`]'`,
  },
  shape: JOB_SHAPE,
  prints: 'list',
  traits: LOCAL_LIST,
  run: async (_, context) => (await import('./run-jobs.js')).listJobs(context),
};

const show: Command = plainCommand({
  name: 'show',
  summary: 'Show the command, progress and outcome of a job.',
  details: 'To write the failed rows, with their errors, to a file for --from: `edu jobs resume JOB --failed FILE`.',
  arguments: [JOB],
  flags: [
    flag(
      '--results FILE',
      'write the outcome of each row, with IDs and codes, to FILE (.csv, .xlsx, .ndjson or .json; - for stdout)',
      OUTPUT_FILE,
    ),
  ],
  examples: {
    'Show a job by its name:': 'edu jobs show autumn',
    'Print the number of rows left:': 'edu jobs show autumn --query left',
    'Write the created codes to a file:': 'edu jobs show autumn --results codes.csv',
  },
  shape: JOB_SHAPE,
  prints: 'item',
  traits: ['result'],
  run: async (values, context) => (await import('./run-jobs.js')).showJob(values, context),
});

const resume: Command = plainCommand({
  name: 'resume',
  summary: 'Resume an unfinished job.',
  details:
    'The same as running its command again: finished rows are skipped, and rows that may have been sent are looked up first.',
  arguments: [JOB],
  flags: RUN_FLAGS,
  examples: {
    'Resume a job:': 'edu jobs resume autumn',
    'Write the outcome of each row to a file as well:': 'edu jobs resume autumn --results results.csv',
  },
  ...RUNS,
  run: async (values, context, commands) =>
    (await import('./run-jobs.js')).resumeJob(values, undefined, context, commands),
});

const retry: Command = plainCommand({
  name: 'retry',
  summary: 'Retry the failed rows of a job.',
  details:
    'Looks up rows whose outcome is unknown first. Readers, subscriptions, end users and files cannot be looked up ' +
    'reliably: after you have checked that they do not exist, send them again with --unknown.',
  arguments: [JOB],
  flags: [flag('--unknown', 'also resend rows whose outcome is unknown'), ...RUN_FLAGS],
  examples: {
    'Retry failed rows:': 'edu jobs retry autumn',
    'Retry rows with an unknown outcome as well:': 'edu jobs retry autumn --unknown',
    'Update items that exist with other values:': 'edu jobs retry autumn --on-existing update',
  },
  ...RUNS,
  run: async (values, context, commands) => {
    const rows = isOn(values, 'unknown') ? 'unknown' : 'failed';
    return (await import('./run-jobs.js')).resumeJob(values, rows, context, commands);
  },
});

const undo: Command = plainCommand({
  name: 'undo',
  summary: 'Undo a job: delete what it created. Asks for confirmation.',
  details:
    'The API can delete licences and classes; other items stay and are listed. Activated licences cannot be deleted: they ' +
    'stay, or are cancelled with --cancel-activated. Items that existed before the job stay. An undo is a job itself: to resume it, run the same command again.',
  arguments: [JOB],
  flags: [
    flag('--cancel-activated', 'cancel activated licences'),
    DRY_RUN,
    ...PACE_FLAGS.map(({ group, ...flag }) => flag),
  ],
  examples: {
    'Show the request without sending it:': 'edu jobs undo autumn --dry-run',
    'Delete its licences, and cancel those in use:': 'edu jobs undo autumn --cancel-activated --yes',
  },
  ...RUNS,
  run: async (values, context, commands) => (await import('./undo.js')).undoJob(undo, values, context, commands),
  resume: async (job, flags, context) => (await import('./undo.js')).resumeUndo(job, flags, context),
});

const remove: Command = plainCommand({
  name: 'remove',
  aliases: ['rm', 'delete'],
  summary: 'Delete local job records: the input and the outcome of each row.',
  details:
    'Created items are kept. Running the command again still does not create them twice, because their IDs stay on this ' +
    'machine, without personal data; --forget deletes these as well. Asks for confirmation if a job is unfinished.',
  arguments: [{ ...JOB, description: 'names or IDs of jobs', many: true }],
  examples: {
    'Delete the record of a job:': 'edu jobs remove autumn',
    'Delete the record of an unfinished job without confirmation:': 'edu jobs remove autumn --yes',
  },
  flags: [FORGET],
  prints: 'nothing',
  run: async (values, context) => (await import('./run-jobs.js')).removeJobs(values, context),
});

const prune: Command = plainCommand({
  name: 'prune',
  summary: 'Delete the local records of finished jobs and applied plans, and plans of assistants.',
  details:
    'Jobs with failed or unfinished rows are kept, as are plans with steps that are left or of unknown outcome. Files ' +
    'that you named, such as a plan and its receipt, stay; those of edu mcp, and the default receipt of classes sync and licenses sync, are deleted.',
  flags: [
    flag('--older-than DURATION', 'minimum time since the end of a job or plan (default 90d)', { notEmpty: true }),
    FORGET,
  ],
  examples: {
    'Delete the records of jobs that ended more than 90 days ago:': 'edu jobs prune',
    'Delete the records of all finished jobs:': 'edu jobs prune --older-than 0s',
  },
  prints: 'nothing',
  run: async (values, context) => (await import('./run-jobs.js')).pruneJobs(values, context),
});

export const group: Group = {
  name: 'jobs',
  details: 'A job is one run of a command with --from or --count. See `edu help bulk`.',
  commands: [list, show, resume, retry, undo, remove, prune],
};
