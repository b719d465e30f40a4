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
