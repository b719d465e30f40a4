/** Assignments: a write for each of several users. */
import { type Argument, type Command, type Flag, flag, textOf, textsOf } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { idsOf } from '../../client/references/id-in.js';
import { schoolClass } from '../../contract/classes.js';
import { fieldFor, labelOf, type Resource } from '../../contract/resource.js';
import { user } from '../../contract/users.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { excerpt } from '../../core/clean-text.js';
import { ignoring, usageError } from '../../core/errors.js';
import { getPath, isObject } from '../../core/json.js';
import { writeCommand } from './define.js';
import { argumentFor, fetchItem, inWords, membersOf, OF_SCHOOL, USERS } from './references.js';
import type { Described, Write } from './spec.js';

/** A write that assigns an item to a user, or the opposite, and its words. */
export interface Assignment {
  readonly resource: Resource;
  readonly endpoint: Endpoint;
  /** The verb of the answer: `Assigned`. */
  readonly done: string;
  /** The write in messages. */
  readonly what: (item: string, user: string) => string;
  /** The answer about a user for whom nothing changes, as far as the item tells. */
  readonly unchanged?: (item: string, user: string) => string;
}

interface AssignSpecial extends Described {
  /** The argument of the item, if it has another name than in other commands. */
  readonly item?: Argument;
}

const OF_CLASS: readonly Flag[] = [
  flag('--class CLASS', 'the members of this class, instead of USER', { refersTo: 'class' }),
  OF_SCHOOL,
];

/** @throws EduError `usage` for a class without members */
async function someMembersOf(id: string, context: Context): Promise<readonly string[]> {
  const members = await membersOf(id, context);
  if (members.length > 0) return members;
  throw usageError(`Cannot assign anything to class ${inWords('class', id, context)}: it has no members.`);
}

/** A user as the response to an assignment shows it. */
function userIn(answer: unknown): string | undefined {
  const shown = getPath(answer, 'user');
  return isObject(shown) && typeof shown.lastName === 'string' ? excerpt(labelOf(user, shown)) : undefined;
}

/** The writes for several users. @param isRow true for a row of a bulk job, which has no answer in words */
export async function assignments(
  assignment: Assignment,
  id: string,
  users: readonly string[],
  isRow: boolean,
  context: Context,
): Promise<readonly Write[]> {
  const { resource, endpoint, done, what, unchanged } = assignment;
  const { assigns } = endpoint;
  const present =
    isRow || assigns === undefined
      ? undefined
      : await fetchItem(resource, id, context, true).catch(ignoring('forbidden', 'not_found', 'refused'));
  const before = assigns && idsOf(getPath(present, assigns.in));
  const item = inWords(resource.refersTo, id, context);
  return users.map((userId): Write => {
    const named = inWords('user', userId, context);
    const isUnchanged = before !== undefined && before.includes(userId) === assigns?.is;
    const said = (answer: unknown): string => {
      const shown = userIn(answer) ?? named;
      return isUnchanged && unchanged !== undefined ? unchanged(item, shown) : `${done} ${what(item, shown)}.`;
    };
    return {
      endpoint,
      input: { body: { userId, [fieldFor(endpoint, resource)]: id } },
      what: what(item, named),
      said,
      ...(isUnchanged && { changesNothing: true }),
    };
  });
}

/** A command that assigns an item to users, or to the members of a class. */
export function assignOf(
  assignment: Assignment,
  { item = argumentFor(assignment.resource), ...special }: AssignSpecial,
): Command {
  const { resource, endpoint, done } = assignment;
  const ofClass = resource !== schoolClass;
  return writeCommand({
    arguments: [item, ofClass ? { ...USERS, instead: 'class' } : USERS],
    ...(ofClass && {
      flags: OF_CLASS,
      rowKey: [item.name, 'user', 'class'],
      alternatives: [['user', 'class']],
      check: ({ user, class: named }) =>
        user === undefined || named === undefined
          ? []
          : [{ where: '--class', message: 'cannot be given together with USER; use one of them' }],
    }),
    ...special,
    done,
    shape: endpoint.returns ?? resource.shape,
    plan: async (values, context, line) => {
      const named = ofClass ? textOf(values, 'class') : undefined;
      const users = named === undefined ? textsOf(values, 'user') : await someMembersOf(named, context);
      return assignments(assignment, textOf(values, item.name) ?? '', users, line !== undefined, context);
    },
  });
}
