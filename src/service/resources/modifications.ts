/** Records changes to users (service-api-v1.md, `checkModified`, `modifications`). Days are UTC. */
import type { Caller } from '../access.js';
import { dayOf, timestamp } from '../dates.js';
import { newCode, newId } from '../identifiers.js';
import type { ServiceContext } from '../service-context.js';
import type { Modification, User } from '../store/records.js';

/** The values of a user's recorded fields as text, by the names that responses use. */
const shownFields = (user: User): Readonly<Record<string, string | null>> => ({
  email: user.email,
  firstName: user.firstName,
  lastName: user.lastName,
  avatarUrl: user.avatarUrl,
  organization: user.organizationId,
  roles: user.roleIds.join(','),
});

type Change = readonly [field: string, oldValue: string | null, newValue: string | null];

function record(
  { store, random, now }: ServiceContext,
  caller: Caller,
  { id, creatorId }: User,
  changes: readonly Change[],
): void {
  const at = now();
  for (const [field, oldValue, newValue] of changes) {
    const change = { field, oldValue, newValue, byUserId: caller.user.id };
    store.modifications.insert({ id: newId(random), userId: id, creatorId, at, day: dayOf(at), ...change });
  }
}

const PASSWORD_LENGTH = 12;

type NewUser = Omit<User, 'id' | 'creatorId' | 'avatarUrl' | 'anonymized'> & { readonly email: string };

/** Stores a new user, records its creation as the first modification, and sends the e-mail with the password. */
export function addUser(core: ServiceContext, caller: Caller, given: NewUser): User {
  const { now, random } = core;
  const added = { id: newId(random), creatorId: caller.organization.id, avatarUrl: null, anonymized: false };
  const user: User = { ...given, ...added };
  core.store.users.insert(user);
  record(core, caller, user, [['id', null, user.id]]);
  const { email: to, language } = given;
  const password = newCode(random, PASSWORD_LENGTH);
  core.store.emails.insert({ id: newId(random), at: timestamp(now()), to, userId: user.id, language, password });
  return user;
}

/** Stores a changed user and records each field that changed. */
export function changeUser(core: ServiceContext, caller: Caller, before: User, after: User): void {
  core.store.users.update(after);
  const old = shownFields(before);
  const changes = Object.entries(shownFields(after))
    .map(([field, value]): Change => [field, old[field] ?? null, value])
    .filter(([, oldValue, newValue]) => oldValue !== newValue);
  record(core, caller, after, changes);
}

/** Erases the values in the modifications of an anonymized user, but keeps the entries. */
export function eraseModifiedValues({ store }: ServiceContext, userId: string): void {
  for (const one of store.modifications.all({ userId })) {
    store.modifications.update({ ...one, oldValue: null, newValue: null });
  }
}

/** "The shape of a list item: not shown." This one is invented. */
export const modificationAnswer = ({ at, field, oldValue, newValue, byUserId }: Modification) => ({
  modificationDate: timestamp(at),
  field,
  oldValue,
  newValue,
  modifiedBy: byUserId,
});
