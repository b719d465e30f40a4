/** Classes of a school and the users in them ("Classes", "States and transitions"). */
import { expect, it } from 'vitest';
import { newClass, newSchool, newUser, organizationOf, subjectId, subjectIds, unique } from './makers.js';
import { conformance } from './suite.js';

const CREATION_DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}$/;
const assign = 'PUT /v1/assignClass/assignClassToUser';
const unassign = 'PUT /v1/unAssignClass/unAssignClassFromUser';

conformance('Classes', ({ distributor, school, door, ours }) => {
  const made = async () => {
    const { id } = await newSchool(distributor);
    const { classId } = await newClass(distributor, id);
    const user = async () => (await newUser(distributor, { id, type: 'School' })).id;
    return { schoolId: id, classId, params: { id: classId }, user };
  };

  it('[class-created] returns the new class with a code and usersInClass null', async () => {
    const json = { subjectId: await subjectId(distributor), schoolId: (await newSchool(distributor)).id, name: '2B' };
    const { classCode, ...rest } = await distributor.ok('POST /v1/classes', { json });
    expect(rest).toMatchObject({ className: '2B', subjectId: json.subjectId, usersInClass: null });
    expect(classCode).not.toBe('');
    const read = await distributor.ok('GET /v1/classes/{id}', { params: { id: rest.classId } });
    expect(read).toMatchObject({ classId: rest.classId, className: '2B', classCode, subjectId: json.subjectId });
  });

  it('[class-updated] returns the class with school and creation date, without a deactivation date', async () => {
    const { params, schoolId } = await made();
    const [, other = ''] = await subjectIds(distributor);
    const updated = await distributor.ok('PUT /v1/classes/{id}', { params, json: { subjectId: other, name: 'New' } });
    expect(updated).toMatchObject({ className: 'New', subjectId: other, schoolId, deactivationDate: null });
    expect(updated.creationDate).toMatch(CREATION_DATE);
    expect(await distributor.ok('GET /v1/classes/{id}', { params })).toMatchObject({ className: 'New' });
  });

  it('[class-assigned] returns the class with the users in it, and lists it for each of them', async () => {
    const { classId, user } = await made();
    const [first, second] = [await user(), await user()];
    const once = await distributor.ok(assign, { json: { userId: first, classId } });
    expect(once.usersInClass).toEqual([first]);
    const twice = await distributor.ok(assign, { json: { userId: second, classId } });
    expect([...(twice.usersInClass ?? [])].sort()).toEqual([first, second].sort());
    const { classes } = await distributor.ok('GET /v1/classes/classesForUser/{id}', { params: { id: second } });
    expect(classes.map((entry) => entry.classId)).toEqual([classId]);
  });

  it('[class-unassigned] returns the class without the user, and no longer lists it for the user', async () => {
    const { classId, user } = await made();
    const [first, second] = [await user(), await user()];
    for (const userId of [first, second]) await distributor.ok(assign, { json: { userId, classId } });
    const left = await distributor.ok(unassign, { json: { userId: first, classId } });
    expect(left.usersInClass).toEqual([second]);
    const { classes } = await distributor.ok('GET /v1/classes/classesForUser/{id}', { params: { id: first } });
    expect(classes).toEqual([]);
    const none = await distributor.ok(unassign, { json: { userId: second, classId } });
    expect(none.usersInClass ?? []).toEqual([]);
  });

  it('[class-deleted] removes the assigned users and sets the deactivation date', async () => {
    const { classId, schoolId, params, user } = await made();
    const userId = await user();
    await distributor.ok(assign, { json: { userId, classId } });
    const deleted = await distributor.ok('PUT /v1/classes/delete/{id}', { params });
    expect(deleted.usersInClass ?? []).toEqual([]);
    const { classes } = await distributor.ok('GET /v1/classes/classesForUser/{id}', { params: { id: userId } });
    expect(classes).toEqual([]);
    const listed = await distributor.ok('GET /v1/schools/{id}/classes', { params: { id: schoolId } });
    for (const entry of listed) {
      expect(entry.deactivationDate).toEqual(expect.any(String));
      expect(entry.usersInClass ?? []).toEqual([]);
    }
  });

  it('[school-classes] are an array of the classes of that school, with school and dates', async () => {
    const { schoolId, classId } = await made();
    await made();
    const { classId: second } = await newClass(distributor, schoolId);
    const listed = await distributor.ok('GET /v1/schools/{id}/classes', { params: { id: schoolId } });
    expect(listed.map((entry) => entry.classId).sort()).toEqual([classId, second].sort());
    for (const entry of listed) {
      expect(entry).toMatchObject({ schoolId, deactivationDate: null });
      expect(entry.creationDate).toMatch(CREATION_DATE);
    }
  });

  it('[school-classes-empty] is an empty array for a school without classes', async () => {
    const { id } = await newSchool(distributor);
    expect(await distributor.ok('GET /v1/schools/{id}/classes', { params: { id } })).toEqual([]);
  });

  it('[class-codes-differ] generates a different code for each class', async () => {
    const { id } = await newSchool(distributor);
    const codes = [];
    for (let index = 0; index < 5; index++) codes.push((await newClass(distributor, id)).classCode);
    expect(new Set(codes).size).toBe(5);
  });

  ours('[class-deleted-date] has a deactivation date in the form of the creation date, but not by ID', async () => {
    const { params } = await made();
    const deleted = await distributor.ok('PUT /v1/classes/delete/{id}', { params });
    expect(deleted.deactivationDate).toMatch(CREATION_DATE);
    expect(await distributor.ok('GET /v1/classes/{id}', { params })).not.toHaveProperty('deactivationDate');
  });

  ours('[class-deleted-is-kept] still lists a deleted class, with its deactivation date', async () => {
    const { classId, schoolId, params } = await made();
    await distributor.ok('PUT /v1/classes/delete/{id}', { params });
    const listed = await distributor.ok('GET /v1/schools/{id}/classes', { params: { id: schoolId } });
    expect(listed.map((entry) => entry.classId)).toEqual([classId]);
    door().advance?.(60_000);
    await distributor.ok('PUT /v1/classes/delete/{id}', { params });
    expect(await distributor.ok('GET /v1/schools/{id}/classes', { params: { id: schoolId } })).toEqual(listed);
  });

  ours('[class-assign-again] changes nothing when a user is assigned or unassigned twice', async () => {
    const { classId, user } = await made();
    const userId = await user();
    for (let times = 0; times < 2; times++) {
      const { usersInClass } = await distributor.ok(assign, { json: { userId, classId } });
      expect(usersInClass).toEqual([userId]);
    }
    for (let times = 0; times < 2; times++) {
      const { usersInClass } = await distributor.ok(unassign, { json: { userId, classId } });
      expect(usersInClass ?? []).toEqual([]);
    }
  });

  ours(
    '[class-deleted-takes-nobody] refuses to update a deleted class, or to assign a user to it, with 400',
    async () => {
      const { classId, params, user } = await made();
      await distributor.ok('PUT /v1/classes/delete/{id}', { params });
      const json = { subjectId: await subjectId(distributor), name: 'New' };
      await distributor.refused(400, 'PUT /v1/classes/{id}', { params, json });
      await distributor.refused(400, assign, { json: { userId: await user(), classId } });
    },
  );

  ours('[classes-for-user-in-sight] lists only those classes of a user that the caller may see', async () => {
    const own = await organizationOf(school);
    const { id: userId } = await newUser(school, own);
    const { classId } = await newClass(school, own.id);
    const elsewhere = await made();
    for (const each of [classId, elsewhere.classId]) {
      await distributor.ok(assign, { json: { userId, classId: each } });
    }
    const seenBy = async (actor: typeof school) =>
      (await actor.ok('GET /v1/classes/classesForUser/{id}', { params: { id: userId } })).classes.map(
        (entry) => entry.classId,
      );
    expect(await seenBy(school)).toEqual([classId]);
    expect((await seenBy(distributor)).sort()).toEqual([classId, elsewhere.classId].sort());
  });

  ours('[class-by-school] lets a school create classes for itself, not for another school', async () => {
    const own = await organizationOf(school);
    await newClass(school, own.id);
    const other = await newSchool(distributor);
    const json = { subjectId: await subjectId(school), schoolId: other.id, name: unique('Class ') };
    await school.refused(403, 'POST /v1/classes', { json });
  });
});
