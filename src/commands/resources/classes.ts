/** `edu classes …` */
import { exclusive, type Flag, flag, type Group, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import type { Overrides } from '../../cli/flags-from-fields.js';
import { organizationFor } from '../../cli/organization-flags.js';
import { idsOf } from '../../client/references/id-in.js';
import { Class, ClassDetail, classes, schoolClass } from '../../contract/classes.js';
import { personNames } from '../../contract/shared.js';
import { list, object, shape, text } from '../../contract/vocabulary.js';
import { ignoring, usageError } from '../../core/errors.js';
import { getPath } from '../../core/json.js';
import { plural } from '../../core/plural.js';
import { type Assignment, assignments, assignOf } from '../kinds/assign.js';
import { listCommand, writeCommand } from '../kinds/define.js';
import { createOf, eachOf, getOf, updateOf } from '../kinds/of-resource.js';
import { asTyped, CLASS, inWords, OF_SCHOOL, USERS } from '../kinds/references.js';
import type { Write } from '../kinds/spec.js';
import { classesSync } from '../plan/sync.js';

const OVERRIDES: Overrides = { subjectId: { aliases: ['subject'] }, schoolId: { aliases: ['school'] } };
const LIST_FLAGS: readonly Flag[] = [
  flag('--school ID', 'list the classes of this school', { refersTo: 'school', instead: 'user' }),
  flag('--user USER', 'list the classes of this user, by ID, e-mail address or name', { refersTo: 'user' }),
];

/** The shape with the names of the members, which `--with-names` adds. */
const NAMED_CLASS = shape(
  'Class',
  'a class with the names of its members',
  {
    ...ClassDetail.fields,
    users: list(object({ id: text('user ID'), ...personNames }, 'member'), 'its members by name'),
  },
  {
    id: 'classId',
    columns: [...(ClassDetail.columns ?? []), { title: 'Members', from: 'users', rank: 1, minWidth: 20 }],
  },
);

const MOVE_FLAGS: readonly Flag[] = [
  OF_SCHOOL,
  flag('--from-class CLASS', 'current class of the users', { refersTo: 'class', required: true }),
  flag('--to-class CLASS', 'new class of the users', { refersTo: 'class', required: true }),
];

/** Undefined if the response does not contain them. */
const members = (item: unknown): readonly string[] | undefined => idsOf(getPath(item, 'usersInClass'));

const PUT_IN: Assignment = {
  resource: schoolClass,
  endpoint: classes.assign,
  done: 'Put',
  what: (id, member) => `${member} into class ${id}`,
  unchanged: (id, member) => `${member} is in class ${id} already.`,
};

const TAKE_OUT: Assignment = {
  resource: schoolClass,
  endpoint: classes.unassign,
  done: 'Took',
  what: (id, member) => `${member} out of class ${id}`,
  unchanged: (id, member) => `${member} was not in class ${id}.`,
};

/** The removal from the old class depends on the assignment, so that no user is left without a class. */
async function moveUsers(values: Values, context: Context, line?: Values): Promise<readonly Write[]> {
  const [from = '', to = ''] = [textOf(values, 'from-class'), textOf(values, 'to-class')];
  if (from === to) throw usageError('--to-class must name another class than --from-class.');
  const of = (one: Assignment, id: string) =>
    assignments(one, id, textsOf(values, 'user'), line !== undefined, context);
  const joins = await of(PUT_IN, to);
  const leaves = await of(TAKE_OUT, from);
  return joins.flatMap((join, at): Write[] => {
    const leave = leaves[at] as Write;
    if (leave.changesNothing === true && join.changesNothing !== true)
      throw usageError(
        `Cannot move ${join.what}: the user is not in class ${inWords('class', from, context)}.`,
        'Nothing was sent. Add users to a class with `edu classes assign`.',
      );
    const isJoined = join.changesNothing === true && leave.changesNothing !== true;
    return isJoined ? [leave] : [join, { ...leave, needsPrevious: true }];
  });
}

export const group: Group = {
  name: 'classes',
  commands: [
    listCommand({
      name: 'list',
      noun: 'classes',
      summary: 'List the classes of a school or of a user.',
      flags: LIST_FLAGS,
      check: exclusive('school', 'user'),
      examples: {
        'List the classes of a school:': 'edu classes list --school s1',
        'List the classes of a user:': 'edu classes list --user school@example.org',
      },
      shape: ClassDetail,
      search: schoolClass.search,
      scope: async (values, context) => {
        const member = textOf(values, 'user');
        if (member !== undefined) return `of user ${asTyped('user', member, context)}`;
        const school = textOf(values, 'school') ?? context.configuredOrganization()?.id;
        return school === undefined ? 'of your school' : `of school ${asTyped('school', school, context)}`;
      },
      needed: async (values, context) => {
        if (values.school !== undefined || values.user !== undefined) return undefined;
        const own = await organizationFor({}, context).catch(ignoring('forbidden'));
        return own?.type === 'School' ? undefined : 'school';
      },
      sources: async (values, context) => {
        const member = textOf(values, 'user');
        if (member !== undefined) return [{ endpoint: classes.listForUser, input: { params: { id: member } } }];
        const id = textOf(values, 'school') ?? (await organizationFor({}, context)).id;
        return [{ endpoint: classes.list, input: { params: { id } } }];
      },
    }),
    getOf(schoolClass, {
      named: {
        shape: NAMED_CLASS,
        add: async (item, context) => {
          const { add, notes } = (await import('../kinds/person-names.js')).createNamer(context);
          const users = await add(members(item) ?? [], 'id');
          for (const note of notes()) await context.warn(note);
          return { ...(item as object), users };
        },
      },
      flags: [OF_SCHOOL],
      summary: 'Show a class and its members.',
      examples: {
        'Show a class:': 'edu classes get c1',
        'Show a class of a school by its name:': 'edu classes get 5a --school s1',
      },
    }),
    createOf(schoolClass, {
      overrides: OVERRIDES,
      rowKey: ['school-id', 'subject-id', 'name'],
      examples: {
        'Create a class:': 'edu classes create --name 7b --school-id s1 --subject-id 0001',
      },
    }),
    updateOf(schoolClass, {
      flags: [OF_SCHOOL],
      overrides: OVERRIDES,
      examples: {
        'Rename a class:': 'edu classes update c1 --name 8b',
      },
    }),
    assignOf(PUT_IN, {
      name: 'assign',
      summary: 'Add users to a class.',
      item: CLASS,
      flags: [OF_SCHOOL],
      examples: {
        'Add two users to a class:': 'edu classes assign c1 0000000155 0000000156',
        'Add a user by e-mail address:': 'edu classes assign c1 school@example.org',
      },
    }),
    assignOf(TAKE_OUT, {
      name: 'unassign',
      summary: 'Remove users from a class.',
      item: CLASS,
      flags: [OF_SCHOOL],
      examples: {
        'Remove a user from a class:': 'edu classes unassign c1 0000000155',
      },
    }),
    classesSync,
    writeCommand({
      name: 'move',
      done: 'Moved',
      summary: 'Move users from one class to another.',
      details: 'Users are added to the new class first, and removed from the old one only if that succeeds.',
      arguments: [USERS],
      flags: MOVE_FLAGS,
      check: (values) =>
        values['to-class'] !== undefined && values['to-class'] === values['from-class']
          ? [{ where: '--to-class', message: `must name another class than --from-class ${values['from-class']}` }]
          : [],
      examples: {
        'Move two users:': 'edu classes move 0000000253 0000000240 --from-class c1 --to-class c2',
      },
      shape: Class,
      plan: moveUsers,
    }),
    eachOf(schoolClass, 'delete', {
      flags: [OF_SCHOOL],
      summary: 'Delete classes and remove their members. Asks for confirmation.',
      loss: {
        countsOf: (item) => [members(item)?.length ?? 0],
        say: ([members = 0]) => `${plural(members, 'member')} will be removed. This cannot be undone.`,
      },
      done: 'Deleted',
      examples: {
        'Delete a class:': 'edu classes delete c2 --yes',
      },
    }),
  ],
};
