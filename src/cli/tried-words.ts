/** Maps command words of other programs to those of edu. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  ls: ['list'],
  show: ['get', 'status', 'list'],
  describe: ['get', 'show'],
  view: ['get', 'show'],
  rm: ['delete', 'remove', 'cancel'],
  remove: ['delete', 'unassign', 'cancel'],
  del: ['delete', 'remove'],
  destroy: ['delete'],
  add: ['create', 'assign', 'upload'],
  new: ['create'],
  make: ['create'],
  edit: ['update', 'set'],
  change: ['update', 'set'],
  search: ['list', 'find'],
  extend: ['update'],
  renew: ['update'],
  revoke: ['cancel', 'delete'],
  pupils: ['end-users', 'users'],
  students: ['end-users', 'users'],
  pupil: ['end-users', 'users'],
  student: ['end-users', 'users'],
  teachers: ['users'],
  teacher: ['users'],
  people: ['users', 'end-users'],
  organizations: ['schools', 'publishers'],
  organisations: ['schools', 'publishers'],
  organization: ['schools', 'publishers'],
  codes: ['licenses'],
  members: ['classes', 'users'],
};

/**
 * Up to two commands that a word probably means, the most likely first.
 * @param known the valid words
 */
export const meantBy = (word: string, known: readonly string[]): readonly string[] =>
  (Object.hasOwn(MEANT, word.toLowerCase()) ? (MEANT[word.toLowerCase()] ?? []) : [])
    .filter((name) => known.includes(name))
    .slice(0, 2);
