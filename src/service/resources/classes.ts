/** Classes (service-api-v1.md, "Classes"), with 404 for an unknown ID in the path and 400 in the body. */
import { grouped } from '../../core/maps.js';
import { type Caller, mayUse, requireManageable, requireUsable } from '../access.js';
import { classTime, timestamp } from '../dates.js';
import { badField, requireFound, requireNamed } from '../error-answer.js';
import type { Handlers } from '../handler-types.js';
import { newFreeCode, newId } from '../identifiers.js';
import { asShown, blankIsNull } from '../import-overrides.js';
import type { ServiceContext, StoreContext } from '../service-context.js';
import type { Class } from '../store/records.js';
import type { Variants } from '../variants.js';
import { requireSubject } from './materials.js';
import { findOwned } from './organizations.js';
import { only, personToAssign } from './person-answers.js';

const CODE_LENGTH = 8;

/** "Array of user id strings, or null": null for a class without users. */
function classAnswers({ store }: StoreContext, classes: readonly Class[]) {
  const ids = classes.map(({ id }) => id);
  const members = grouped(store.classMembers.allIn('classId', ids), ({ classId }) => [classId]);
  return classes.map(({ id, name, code, subjectId, shown }) =>
    asShown(
      {
        classId: id,
        className: blankIsNull(name),
        classCode: blankIsNull(code),
        subjectId: blankIsNull(subjectId),
        usersInClass: members.get(id)?.map(({ userId }) => userId) ?? null,
      },
      shown,
    ),
  );
}

const classAnswer = (core: ServiceContext, one: Class) => only(classAnswers(core, [one]));

type ClassContext = StoreContext & { readonly variants?: Variants };

function deactivationOf({ deactivatedAt }: Class, { variants }: ClassContext): string | null {
  if (deactivatedAt === null) return null;
  return variants?.deactivationFormat === 'timestamp' ? timestamp(deactivatedAt) : classTime(deactivatedAt);
}

/** "`schoolId`: in update responses and in the school's class list", and so are the dates. */
const detailsOf = (one: Class, core: ClassContext) => ({
  schoolId: one.schoolId,
  creationDate: classTime(one.createdAt),
  deactivationDate: deactivationOf(one, core),
});

export function detailedClassAnswers(core: ClassContext, classes: readonly Class[]) {
  const answers = classAnswers(core, classes);
  return classes.map((one, index) => asShown({ ...only(answers.slice(index)), ...detailsOf(one, core) }, one.shown));
}

/** @param field of the body that names the class, so that an unknown ID is 400; without it, 404 */
function findClass(core: ServiceContext, caller: Caller, id: string, field?: string): Class {
  const known = core.store.classes.get(id);
  const found = field === undefined ? requireFound(known, 'class', id) : requireNamed(known, field, 'class', id);
  requireUsable(core, caller, found.schoolId);
  return found;
}

/** A deleted class can be read, but not changed. */
function requireActive({ id, deactivatedAt }: Class, field: string): void {
  if (deactivatedAt !== null) throw badField(field, `is the ID of a deleted class: ${id}`);
}

export const classes: Handlers<'classes'> = {
  list: {
    run({ core, caller, params }) {
      // "The caller must own the school": users of the school itself do not own it, as with GET schools/:id.
      const school = findOwned(core, caller, 'School', params.id);
      return detailedClassAnswers(core, core.store.classes.all({ schoolId: school.id }));
    },
  },
  listForUser: {
    run({ core, caller, params }) {
      const user = requireFound(core.store.users.get(params.id), 'user', params.id);
      requireManageable(core, caller, user);
      const memberships = core.store.classMembers.all({ userId: user.id });
      const known = core.store.classes.many(memberships.map(({ classId }) => classId));
      // Leave out classes of schools that the caller may not see.
      const visible = memberships
        .flatMap(({ classId }) => known.get(classId) ?? [])
        .filter(({ schoolId }) => mayUse(core, caller, schoolId));
      return { classes: classAnswers(core, visible) };
    },
  },
  get: {
    run({ core, caller, params }) {
      const found = findClass(core, caller, params.id);
      const answer = classAnswer(core, found);
      if (core.variants.deactivationDate === 'details') return answer;
      return { ...answer, deactivationDate: deactivationOf(found, core) };
    },
  },
  create: {
    needs: ['Class', 'Create'],
    run({ core, caller, body }) {
      const school = core.store.organizations.get(body.schoolId);
      if (school?.type !== 'School') throw badField('schoolId', `is unknown: no school has the ID ${body.schoolId}`);
      requireUsable(core, caller, school.id);
      requireSubject(core, body.subjectId, 'subjectId');
      const created: Class = {
        id: newId(core.random),
        name: body.name,
        code: newFreeCode(core.random, CODE_LENGTH, (code) => core.store.classes.first({ code }) !== undefined),
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
      return only(detailedClassAnswers(core, [updated]));
    },
  },
  delete: {
    needs: ['Class', 'Delete'],
    // "Marks the class as deleted and removes its assigned users." Deleting it again keeps the date.
    run({ core, caller, params }) {
      const before = findClass(core, caller, params.id);
      const deleted: Class = { ...before, deactivatedAt: before.deactivatedAt ?? core.now() };
      core.store.classes.update(deleted);
      core.store.classMembers.removeAll({ classId: deleted.id });
      return { ...classAnswer(core, deleted), deactivationDate: deactivationOf(deleted, core) };
    },
  },
  assign: {
    needs: ['Class', 'Update'],
    run({ core, caller, body }) {
      const found = findClass(core, caller, body.classId, 'classId');
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
    // Removing a user who is not in the class is no error.
    run({ core, caller, body }) {
      const found = findClass(core, caller, body.classId, 'classId');
      const user = requireNamed(core.store.users.get(body.userId), 'userId', 'user', body.userId);
      const membership = { classId: found.id, userId: user.id };
      // Members may be removed even if they have moved to an organization that the caller does not manage.
      if (core.store.classMembers.first(membership) === undefined) requireManageable(core, caller, user);
      core.store.classMembers.removeAll(membership);
      return classAnswer(core, found);
    },
  },
};
