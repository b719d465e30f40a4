/**
 * Classes (service-api-v1.md, "Classes"). Only 400 is listed for most of these; an unknown id in the path is 404 by the
 * general rule, one in the body invalid input, and a class of a school that is neither the caller's own nor owned is 403.
 */
import { mayManage, mayUse } from '../access.js';
import type { Caller } from '../caller.js';
import { classTime } from '../dates.js';
import { badField, forbidden, notFound } from '../error-answer.js';
import type { Handlers } from '../handler-types.js';
import { newCode, newId } from '../identifiers.js';
import { asShown, blankIsNull } from '../import-overrides.js';
import type { ServiceContext } from '../service-context.js';
import type { Class } from '../store/records.js';
import { requireSubject } from './materials.js';
import { findOwned } from './organizations.js';
import { personToAssign } from './people.js';

const CODE_LENGTH = 8;

/** "Array of user id strings, or null": null while it is empty. */
function classAnswers({ store }: Pick<ServiceContext, 'store'>, classes: readonly Class[]) {
  const members = new Map<string, string[]>();
  for (const { classId, userId } of store.classMembers.allIn(
    'classId',
    classes.map(({ id }) => id),
  )) {
    members.set(classId, [...(members.get(classId) ?? []), userId]);
  }
  return classes.map(({ id, name, code, subjectId, shown }) =>
    asShown(
      {
        classId: id,
        className: blankIsNull(name),
        classCode: blankIsNull(code),
        subjectId: blankIsNull(subjectId),
        usersInClass: members.get(id) ?? null,
      },
      shown,
    ),
  );
}

function classAnswer(core: ServiceContext, one: Class) {
  const [answer] = classAnswers(core, [one]);
  return answer as NonNullable<typeof answer>;
}

/** "`schoolId`: in update responses and in the school's class list", and the dates with it. */
const detailsOf = ({ schoolId, createdAt, deactivatedAt }: Class) => ({
  schoolId,
  creationDate: classTime(createdAt),
  deactivationDate: deactivatedAt === null ? null : classTime(deactivatedAt),
});

/** With the school and the dates. */
export function detailedClassAnswers(core: Pick<ServiceContext, 'store'>, classes: readonly Class[]) {
  const answers = classAnswers(core, classes);
  return classes.map((one, index) =>
    asShown({ ...(answers[index] as NonNullable<(typeof answers)[0]>), ...detailsOf(one) }, one.shown),
  );
}

function requireSchool(core: ServiceContext, caller: Caller, schoolId: string): void {
  if (!mayUse(core, caller, schoolId)) throw forbidden(`the school ${schoolId} is neither yours nor owned by yours`);
}

function findClass(core: ServiceContext, caller: Caller, id: string): Class {
  const found = core.store.classes.get(id);
  if (found === undefined) throw notFound('class', id);
  requireSchool(core, caller, found.schoolId);
  return found;
}

/** The class that a body names. */
function namedClass(core: ServiceContext, caller: Caller, id: string): Class {
  const found = core.store.classes.get(id);
  if (found === undefined) throw badField('classId', `is unknown: no class has the ID ${id}`);
  requireSchool(core, caller, found.schoolId);
  return found;
}

/** A deleted class stays to be seen, but nothing more is done with it. */
function requireActive({ id, deactivatedAt }: Class, field: string): void {
  if (deactivatedAt !== null) throw badField(field, `is the ID of a deleted class: ${id}`);
}

function codeFor({ store, random }: ServiceContext): string {
  for (;;) {
    const code = newCode(random, CODE_LENGTH);
    if (store.classes.first({ code }) === undefined) return code;
  }
}

export const classes: Handlers<'classes'> = {
  list: {
    run({ core, caller, params }) {
      // "The caller must own the school. 403 when not allowed." Its own people do not own it, as at GET schools/:id.
      const school = findOwned(core, caller, 'School', params.id);
      return detailedClassAnswers(core, core.store.classes.all({ schoolId: school.id }));
    },
  },
  listForUser: {
    run({ core, caller, params }) {
      const user = core.store.users.get(params.id);
      if (user === undefined) throw notFound('user', params.id);
      if (!mayManage(core, caller, user))
        throw forbidden(`the user ${user.id} is not of an organization that you may manage`);
      const memberships = core.store.classMembers.all({ userId: user.id });
      const known = core.store.classes.many(memberships.map(({ classId }) => classId));
      // The user may be in classes of other schools: these are not the caller's to see.
      const visible = memberships
        .flatMap(({ classId }) => known.get(classId) ?? [])
        .filter(({ schoolId }) => mayUse(core, caller, schoolId));
      return { classes: classAnswers(core, visible) };
    },
  },
  get: { run: ({ core, caller, params }) => classAnswer(core, findClass(core, caller, params.id)) },
  create: {
    needs: ['Class', 'Create'],
    run({ core, caller, body }) {
      const school = core.store.organizations.get(body.schoolId);
      if (school?.type !== 'School') throw badField('schoolId', `is unknown: no school has the ID ${body.schoolId}`);
      requireSchool(core, caller, school.id);
      requireSubject(core, body.subjectId, 'subjectId');
      const created: Class = {
        id: newId(core.random),
        name: body.name,
        code: codeFor(core),
        subjectId: body.subjectId,
        schoolId: school.id,
        createdAt: core.now(),
        deactivatedAt: null,
      };
      core.store.classes.insert(created);
      return classAnswer(core, created);
    },
  },
  update: {
    needs: ['Class', 'Update'],
    run({ core, caller, params, body }) {
      const before = findClass(core, caller, params.id);
      requireActive(before, 'id');
      requireSubject(core, body.subjectId, 'subjectId');
      const updated: Class = { ...before, name: body.name, subjectId: body.subjectId };
      core.store.classes.update(updated);
      const [answer] = detailedClassAnswers(core, [updated]);
      return answer as NonNullable<typeof answer>;
    },
  },
  delete: {
    needs: ['Class', 'Delete'],
    // "Marks the class as deleted and removes its assigned users." A second time changes nothing more.
    run({ core, caller, params }) {
      const before = findClass(core, caller, params.id);
      const deleted: Class = { ...before, deactivatedAt: before.deactivatedAt ?? core.now() };
      core.store.classes.update(deleted);
      core.store.classMembers.removeAll({ classId: deleted.id });
      const { deactivationDate } = detailsOf(deleted);
      return { ...classAnswer(core, deleted), deactivationDate };
    },
  },
  assign: {
    needs: ['Class', 'Update'],
    run({ core, caller, body }) {
      const found = namedClass(core, caller, body.classId);
      const user = personToAssign(core, caller, body.userId);
      requireActive(found, 'classId');
      const membership = { classId: found.id, userId: user.id };
      if (core.store.classMembers.first(membership) === undefined) {
        core.store.classMembers.insert({ id: newId(core.random), ...membership });
      }
      return classAnswer(core, found);
    },
  },
  unassign: {
    needs: ['Class', 'Update'],
    // Someone who is not in the class is out of it afterwards as well: no error.
    run({ core, caller, body }) {
      const found = namedClass(core, caller, body.classId);
      const user = core.store.users.get(body.userId);
      if (user === undefined) throw badField('userId', `is unknown: no user has the ID ${body.userId}`);
      const membership = { classId: found.id, userId: user.id };
      // Callers who may see the class see all its users, also those who moved to another organization.
      if (core.store.classMembers.first(membership) === undefined && !mayManage(core, caller, user)) {
        throw forbidden(`the user ${user.id} is not of an organization that you may manage`);
      }
      core.store.classMembers.removeAll(membership);
      return classAnswer(core, found);
    },
  },
};
