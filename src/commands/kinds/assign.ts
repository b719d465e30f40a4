/** Assignments: a write for each of several users. */
import { type Argument, type Command, type Flag, flag, textOf, textsOf } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { schoolClass } from '../../contract/classes.js';
import type { Resource } from '../../contract/resource.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { usageError } from '../../core/errors.js';
import { getPath } from '../../core/json.js';
import { writeCommand } from './define.js';
import { argumentFor, asTyped, fetchItem, OF_SCHOOL, USERS } from './references.js';
import { idsOf } from './request-body.js';
import type { Described, Write, WriteSpec } from './spec.js';

/** The field of a body for the ID of an item. */
const fieldFor = ({ body = {} }: Endpoint, { refersTo }: Resource): string =>
  Object.keys(body).find((name) => body[name]?.refersTo === refersTo) ?? 'id';

interface AssignSpecial extends Described, Pick<WriteSpec, 'done'> {
  /** The argument of the item, if it has another name than in other commands. */
  readonly item?: Argument;
  /** The write in messages. */
  readonly what: (item: string, user: string) => string;
}

const OF_CLASS: readonly Flag[] = [
  flag('--class CLASS', 'the members of this class, instead of USER', { refersTo: 'class' }),
  OF_SCHOOL,
];

/** @throws EduError `usage` for a class without members */
async function membersOf(id: string, context: Context): Promise<readonly string[]> {
  const members = idsOf(getPath(await fetchItem(schoolClass, id, context), 'usersInClass')) ?? [];
  if (members.length > 0) return members;
  throw usageError(`Cannot assign anything to class ${asTyped('class', id, context)}: it has no members.`);
}

/** A command that assigns an item to users, or to the members of a class. */
export function assignOf(
  resource: Resource,
  endpoint: Endpoint,
  { item = argumentFor(resource), what, ...special }: AssignSpecial,
): Command {
  const field = fieldFor(endpoint, resource);
  const ofClass = resource !== schoolClass;
  return writeCommand({
    arguments: [item, ofClass ? { ...USERS, instead: 'class' } : USERS],
    ...(ofClass && {
      flags: OF_CLASS,
      rowKey: [item.name, 'user', 'class'],
      check: ({ user, class: named }) =>
        user === undefined || named === undefined
          ? []
          : [{ where: '--class', message: 'cannot be given together with USER; use one of them' }],
    }),
    ...special,
    shape: endpoint.returns ?? resource.shape,
    plan: async (values, context) => {
      const id = textOf(values, item.name) ?? '';
      const named = ofClass ? textOf(values, 'class') : undefined;
      const users = named === undefined ? textsOf(values, 'user') : await membersOf(named, context);
      return users.map((userId): Write => {
        const described = what(asTyped(item.refersTo, id, context), asTyped('user', userId, context));
        return { endpoint, input: { body: { userId, [field]: id } }, what: described };
      });
    },
  });
}
