/** Applies the steps of a plan to an actual state, as the service would. */
import { expect } from 'vitest';
import type { Actual, ActualClass, ActualLicense, ActualOrganization, ActualUser } from '../../src/plan/actual.js';
import type { Fields, Step } from '../../src/plan/steps.js';

export const ROLES = [
  { id: 'teacher', name: 'Teacher' },
  { id: 'viewer', name: 'Viewer' },
];
export const SUBJECTS = [
  { id: '01', name: 'Biology' },
  { id: '02', name: 'Art' },
];

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
interface World {
  organizations: ActualOrganization[];
  users: Mutable<ActualUser>[];
  classes: Mutable<ActualClass>[];
  licenses: Mutable<ActualLicense>[];
}

/** @returns the state after the steps; new items have the IDs `new1`, `new2`, … with `prefix` in front */
export function applied(actual: Actual, steps: readonly Step[], prefix = ''): Actual {
  const made = new Map<number, string>();
  const world: World = structuredClone({
    organizations: [...actual.organizations],
    users: [...actual.users],
    classes: [...actual.classes],
    licenses: [...actual.licenses],
  });
  const idOf = (ref: unknown): string => {
    return typeof ref === 'string' ? ref : (made.get((ref as { readonly step: number }).step) ?? 'not made');
  };
  const find = <T extends { readonly id: string }>(list: T[], id: string): T => {
    const one = list.find((each) => each.id === id);
    if (one === undefined) throw new Error(`${id} is not there`);
    return one;
  };
  const filled = ({ organization, roles, ...rest }: Fields): Fields => ({
    ...rest,
    ...(organization === undefined
      ? {}
      : { organization: { ...(organization as Fields), id: idOf((organization as Fields).id) } }),
    ...(roles === undefined
      ? {}
      : {
          roles: (roles as (string | Fields)[]).map((role) =>
            ROLES.find(({ id, name }) => (typeof role === 'string' ? id === role : name === role.name)),
          ),
        }),
  });
  for (const { step, verb, resource, id, before, after } of steps) {
    const fresh = `${prefix}new${step}`;
    made.set(step, id ?? fresh);
    const fields = after ?? {};
    if (resource === 'members' || resource === 'holders') {
      const of = (after ?? before) as { userId: unknown; classId?: unknown; licenseId?: unknown };
      const who = idOf(of.userId);
      if (resource === 'members') {
        const one = find(world.classes, idOf(of.classId));
        one.users = verb === 'assign' ? [...one.users, who] : one.users.filter((each) => each !== who);
      } else {
        const one = find(world.licenses, idOf(of.licenseId));
        one.holders = [...one.holders, who];
        one.numberOfActivations++;
        expect(one.numberOfActivations).toBeLessThanOrEqual(Number(one.maximumActivations));
      }
    } else if (verb === 'delete' || verb === 'cancel') {
      world.classes = world.classes.filter((one) => one.id !== id);
      world.licenses = world.licenses.filter((one) => one.id !== id);
    } else if (resource === 'schools') {
      if (verb === 'create')
        world.organizations.push({
          id: fresh,
          type: 'School',
          roles: ROLES,
          ...fields,
        } as unknown as ActualOrganization);
      else Object.assign(find(world.organizations, id ?? ''), fields);
    } else if (resource === 'users') {
      if (verb === 'create') world.users.push({ id: fresh, ...filled(fields) } as unknown as ActualUser);
      else Object.assign(find(world.users, id ?? ''), filled(fields));
    } else if (resource === 'classes') {
      const { subjectId, schoolId, name } = fields as { subjectId: string; schoolId?: unknown; name: string };
      if (verb === 'create') world.classes.push({ id: fresh, name, subjectId, schoolId: idOf(schoolId), users: [] });
      else Object.assign(find(world.classes, id ?? ''), { name, subjectId });
    } else {
      const { books, expiration, ...rest } = filled(fields) as { books?: string[]; expiration?: Fields };
      const facts = {
        ...rest,
        books: (books ?? []).map((book) => ({ id: book, ean: `ean${book}` })),
        expiration: expiration === undefined ? null : { days: null, date: null, ...expiration },
      };
      if (verb === 'create')
        world.licenses.push({
          id: fresh,
          numberOfActivations: 0,
          licenseCategory: null,
          holders: [],
          ...facts,
        } as unknown as ActualLicense);
      else Object.assign(find(world.licenses, id ?? ''), facts, { licenseCategory: null });
    }
  }
  return { ...actual, ...world };
}
