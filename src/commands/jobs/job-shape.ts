/** The output of `edu jobs`. */
import { any, number, object, text } from '../../contract/vocabulary.js';

export const JOB_SHAPE = object(
  {
    id: text('job ID'),
    name: text('name', { nullable: true }),
    command: text('command', { nullable: true }),
    file: text('file that the rows came from', { nullable: true }),
    organization: text('organization that the job belongs to', { nullable: true }),
    state: text('running, done, failed rows, not finished, or damaged'),
    rows: number('number of rows', { nullable: true }),
    done: number('number of rows done', { nullable: true }),
    failed: number('number of rows that failed', { nullable: true }),
    left: number('number of rows left', { nullable: true }),
    started: text('when it was created', { nullable: true }),
    baseUrl: text('service', { nullable: true }),
    shard: any('part of the rows'),
  },
  'a job',
);

export const FAILED_SHAPE = object(
  {
    row: number('row, counted from 1'),
    line: number('line of the input on which it starts', { nullable: true }),
    status: text('rejected, conflict, unknown or invalid'),
    code: text('code of the licence', { nullable: true }),
    error: text('why', { nullable: true }),
  },
  'a row that failed',
);
