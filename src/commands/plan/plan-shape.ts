/** The output of `edu plan`, `edu undo` and `edu apply` as data. */
import { any, boolean, choice, integer, list, object, text } from '../../contract/vocabulary.js';

const VERBS = ['create', 'update', 'assign', 'unassign', 'delete', 'cancel', 'none'] as const;

export const STEP = object(
  {
    step: integer('number of the step', { nullable: true }),
    verb: choice(VERBS, 'action; none for a conflict'),
    resource: text('resource'),
    key: text('name, code or e-mail address'),
    id: text('ID, if it exists', { nullable: true }),
    organization: text('ID of its organization', { nullable: true }),
    before: any('fields of the item when it was planned'),
    after: any('body of the request'),
    needs: list(integer('step'), 'steps that come first'),
    reversible: boolean('edu undo can reverse it'),
    mails: boolean('the service sends an e-mail with a password'),
    why: text('reason'),
    standing: choice(['open', 'present', 'stale'], 'to be sent, already done, or not sent: changed since the plan'),
  },
  'step',
);

const HEADER = ['plan', 'service', 'account', 'version', 'created', 'managed', 'hash', 'signature'];

/** A plan as one document. */
export const PLAN = object(
  {
    ...Object.fromEntries([...HEADER, 'summary'].map((name) => [name, any(name)])),
    steps: list(STEP, 'steps'),
    conflicts: list(STEP, 'changes that the service cannot make'),
  },
  'a plan',
);

export const APPLIED = object(
  {
    plan: text('hash of the plan'),
    steps: integer('number of steps'),
    done: integer('carried out'),
    exists: integer('already done'),
    stale: integer('skipped: changed since the plan'),
    skipped: integer('skipped: a step that it needs was not done'),
    failed: integer('rejected by the service'),
    unknown: integer('may have been done'),
    left: integer('not sent yet'),
    receipt: text('file with the outcome of each step'),
  },
  'outcome of a plan',
);
