/** A wanted state that names the items of steps, so that all of what shows and checks the steps is read. */
import { isObject } from '../core/json.js';
import { grouped } from '../core/maps.js';
import type { Fields, ManagedClasses, Step } from './steps.js';
import { NOTHING_WANTED, type Want, type WantedClass } from './want.js';

const at = '';
/** The class or licence of people whom steps add to one that an earlier step creates. */
const NEW = '';

const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const organizationIn = (fields: Fields | null): string | undefined =>
  isObject(fields?.organization) ? textIn(fields.organization.id) : undefined;

const fieldsIn = (steps: readonly Step[], when: 'before' | 'after') => steps.map((step): Fields => step[when] ?? {});

/** The users of fields with a class or licence, by its ID or `NEW`. */
function usersBy(relations: readonly Fields[], field: 'classId' | 'licenseId'): ReadonlyMap<string, readonly string[]> {
  const groups = grouped(relations, (relation) => (field in relation ? [textIn(relation[field]) ?? NEW] : []));
  return new Map(
    [...groups].map(([id, all]) => [
      id,
      all.flatMap(({ userId }) => (typeof userId === 'string' ? [`id:${userId}`] : [])),
    ]),
  );
}

const withId = (id: string) => (id === NEW ? {} : { id });

function classesOf(steps: readonly Step[], managed: readonly ManagedClasses[]): readonly WantedClass[] {
  const schools = new Map(managed.flatMap(({ school, classes }) => classes.map((id) => [id, school] as const)));
  const [added, removed] = [
    usersBy(fieldsIn(steps, 'after'), 'classId'),
    usersBy(fieldsIn(steps, 'before'), 'classId'),
  ];
  const changed = steps.filter(({ resource }) => resource === 'classes');
  const news = changed.flatMap(({ after }) => textIn(after?.schoolId) ?? []);
  return [
    // Their lists show the classes of a school, also those that are removed.
    ...[...new Set([...managed.map(({ school }) => school), ...news])].flatMap((school) =>
      school === '' ? [] : [{ at, school }],
    ),
    ...[...new Set([...schools.keys(), ...added.keys(), ...removed.keys(), ...changed.map(({ id }) => id ?? NEW)])].map(
      (id): WantedClass => {
        const school = schools.get(id) || undefined;
        const people = { add: added.get(id) ?? [], remove: removed.get(id) ?? [] };
        return { at, ...withId(id), ...(school === undefined ? {} : { school }), ...people };
      },
    ),
  ];
}

export function wantOfSteps(steps: readonly Step[], managed: readonly ManagedClasses[]): Want {
  const of = (resource: Step['resource']): readonly Step[] => steps.filter((step) => step.resource === resource);
  const holders = usersBy(fieldsIn(steps, 'after'), 'licenseId');
  const licenses = new Set([...holders.keys(), ...of('licenses').map(({ id }) => id ?? NEW)]);
  const publications = (kind: 'books' | 'readers') => of(kind).map(({ id }) => ({ at, id: id ?? '' }));
  return {
    ...NOTHING_WANTED,
    publishers: of('publishers').map(() => ({ at })),
    schools: of('schools').map(() => ({ at })),
    users: of('users').flatMap(({ id, before, after }) =>
      [organizationIn(before), organizationIn(after)].flatMap((organization) =>
        organization === undefined ? [] : [{ at, ...(id === null ? {} : { id }), organization, roles: [] }],
      ),
    ),
    classes: classesOf(steps, managed),
    licenses: [...licenses].map((id) => ({
      at,
      ...withId(id),
      ...(holders.has(id) ? { addEndUsers: holders.get(id) } : {}),
    })),
    books: publications('books'),
    readers: publications('readers'),
  };
}
