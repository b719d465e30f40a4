/** `edu jobs …`: the bulk jobs of this machine. */
import { EXISTING_FLAG, PACE_FLAGS } from '../../cli/bulk-flags.js';
import { type Argument, type Command, type Flag, type Group, isOn, type Trait } from '../../cli/command.js';
import { DRY_RUN } from '../../cli/global-flags.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { JOB_SHAPE } from './shape.js';

const JOB: Argument = { name: 'job', about: 'name or id of the job' };

/** All but what only a new job can be told. */
const RUN_FLAGS: readonly Flag[] = [...PACE_FLAGS, { ...EXISTING_FLAG, note: 'default: as its command said' }].map(
  ({ group, ...flag }) => flag,
);

const FORGET: Flag = {
  name: 'forget',
  kind: 'switch',
  about: 'also forget what the rows made, so that it can be made again',
};

const RUNS: readonly Trait[] = ['result', 'service', 'rows', 'limit'];

const list: Command = {
  name: 'list',
  summary: 'List the bulk jobs of this machine, the newest first.',
  examples: [
    { about: 'List the jobs:', line: 'edu jobs list' },
    { about: 'Those with something left to do, as JSON:', line: 'edu jobs list --json --query "[?left>`0`]"' },
  ],
  shape: JOB_SHAPE,
  prints: 'list',
  traits: LOCAL_LIST,
  run: async (_, context) => (await import('./run-jobs.js')).listJobs(context),
};

const show: Command = {
  name: 'show',
  summary: 'Show a job and how it stands.',
  details:
    '--failed lists the rows that failed instead, with row, line, status, code and error. ' +
    'For a file of these rows that --from reads again: edu jobs resume JOB --failed FILE',
  arguments: [JOB],
  flags: [
    { name: 'failed', kind: 'switch', about: 'list the rows that failed' },
    {
      name: 'results',
      value: 'FILE',
      kind: 'text',
      notEmpty: true,
      about: 'write the outcome of each row, with ids and codes',
      note: '.csv, .ndjson or .json; - for stdout',
    },
  ],
  check: (values) =>
    isOn(values, 'failed') && values.results !== undefined
      ? [{ where: '--failed', message: 'lists rows, and --results writes them: use one of them' }]
      : [],
  examples: [
    { about: 'Show a job by its name:', line: 'edu jobs show autumn' },
    { about: 'How many rows are left?', line: 'edu jobs show autumn --query left' },
    { about: 'Which codes did it make?', line: 'edu jobs show autumn --results codes.csv' },
    { about: 'Which rows failed, and why?', line: 'edu jobs show autumn --failed' },
  ],
  shape: JOB_SHAPE,
  prints: 'item',
  traits: (values) => (isOn(values, 'failed') ? LOCAL_LIST : ['result']),
  run: async (values, context) => (await import('./run-jobs.js')).showJob(show, values, context),
};

const resume: Command = {
  name: 'resume',
  summary: 'Go on with a job that was interrupted or given up.',
  details: 'The same as running its command again. Rows that may have been sent are looked up, done ones are skipped.',
  arguments: [JOB],
  flags: RUN_FLAGS,
  examples: [
    { about: 'Go on:', line: 'edu jobs resume autumn' },
    { about: 'And write down what came of each row:', line: 'edu jobs resume autumn --results results.csv' },
  ],
  prints: 'item',
  traits: RUNS,
  endsItself: true,
  run: async (values, context, commands) =>
    (await import('./run-jobs.js')).goOn(resume, values, undefined, context, commands),
};

const retry: Command = {
  name: 'retry',
  summary: 'Try the rows of a job again that failed.',
  details:
    'Rows whose outcome is unknown are looked up first. What has no key (classes, readers, subscriptions, end users, ' +
    'files) is sent again only with --unknown: say it when you have made sure that it was not done.',
  arguments: [JOB],
  flags: [{ name: 'unknown', kind: 'switch', about: 'send rows of unknown outcome again as well' }, ...RUN_FLAGS],
  examples: [
    { about: 'Try again what was refused:', line: 'edu jobs retry autumn' },
    { about: 'Also what may have been done:', line: 'edu jobs retry autumn --unknown' },
    { about: 'Change what exists already, and differs:', line: 'edu jobs retry autumn --on-existing update' },
  ],
  prints: 'item',
  traits: RUNS,
  endsItself: true,
  run: async (values, context, commands) =>
    (await import('./run-jobs.js')).goOn(
      retry,
      values,
      values.unknown === true ? 'unknown' : 'failed',
      context,
      commands,
    ),
};

const undo: Command = {
  name: 'undo',
  summary: 'Take back what a job made: delete licences and classes. Asks first.',
  details:
    'Licences that somebody has activated cannot be deleted: they stay, or are cancelled with --cancel-activated. What the ' +
    'API cannot take back is listed: users, schools, publishers, books, readers, subscriptions, files. What existed before ' +
    'the job stays. An undo is a job itself: interrupted, the same line continues it.',
  arguments: [JOB],
  flags: [
    { name: 'cancel-activated', kind: 'switch', about: 'cancel licences that somebody has activated' },
    DRY_RUN,
    ...PACE_FLAGS.map(({ group, ...flag }) => flag),
  ],
  examples: [
    { about: 'See what would be sent:', line: 'edu jobs undo autumn --dry-run' },
    { about: 'Delete its licences, cancel those in use:', line: 'edu jobs undo autumn --cancel-activated --yes' },
  ],
  prints: 'item',
  traits: [...RUNS, 'question'],
  endsItself: true,
  run: async (values, context) => (await import('./undo.js')).undoJob(undo, values, context),
  goOn: async (job, flags, context) => (await import('./undo.js')).resumeUndo(job, flags, context),
};

const remove: Command = {
  name: 'remove',
  aliases: ['rm', 'delete'],
  summary: 'Delete local job records: the input and the outcome of each row.',
  details:
    'What was created stays, and running its command again does not create it a second time: identities and IDs of the ' +
    'rows are kept on this machine, without personal data. --forget deletes these, too. ' +
    'Asks first when a job is not finished.',
  arguments: [{ ...JOB, about: 'names or ids of jobs', many: true }],
  examples: [
    { about: 'Forget a job that is done:', line: 'edu jobs remove autumn' },
    { about: 'Forget one that is not, without a question:', line: 'edu jobs remove autumn --yes' },
  ],
  flags: [FORGET],
  prints: 'nothing',
  traits: ['question'],
  run: async (values, context) => (await import('./run-jobs.js')).removeJobs(remove, values, context),
};

const prune: Command = {
  name: 'prune',
  summary: 'Delete the local records of finished jobs.',
  details: 'As edu jobs remove does for one; jobs with rows that are left or failed stay.',
  flags: [
    {
      name: 'older-than',
      value: 'DURATION',
      kind: 'text',
      notEmpty: true,
      about: 'jobs that ended longer ago',
      note: 'default 90d',
    },
    FORGET,
  ],
  examples: [
    { about: 'Delete the records of jobs that ended more than 90 days ago:', line: 'edu jobs prune' },
    { about: 'Of all finished jobs:', line: 'edu jobs prune --older-than 0s' },
  ],
  prints: 'nothing',
  run: async (values, context) => (await import('./run-jobs.js')).pruneJobs(values, context),
};

export const jobsGroup: Group = {
  name: 'jobs',
  details: 'A job is one command with --from or --count. See: edu help bulk',
  commands: [list, show, resume, retry, undo, remove, prune],
};
