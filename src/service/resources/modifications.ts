/**
 * What is remembered of changes to people (service-api-v1.md, `checkModified`, `modifications`). Creating somebody is no
 * modification. Days are UTC.
 */
import type { Caller } from '../caller.js';
import type { Core } from '../core.js';
import { dayOf, timestamp } from '../dates.js';
import { newId } from '../identifiers.js';
import type { Modification, User } from '../store/records.js';

/** A user's fields as they are called in answers, as text. */
const shownFields = (user: User): Readonly<Record<string, string | null>> => ({
  email: user.email,
  firstName: user.firstName,
  lastName: user.lastName,
  avatarUrl: user.avatarUrl,
  organization: user.organizationId,
  roles: user.roleIds.join(','),
});

/** Stores the changed user and one record for each field that changed. */
export function changeUser({ store, random, now }: Core, caller: Caller, before: User, after: User): void {
  store.users.update(after);
  const [old, current] = [shownFields(before), shownFields(after)];
  const at = now();
  for (const [field, newValue] of Object.entries(current)) {
    const oldValue = old[field] ?? null;
    if (oldValue === newValue) continue;
    store.modifications.insert({
      id: newId(random),
      userId: after.id,
      creatorId: after.creatorId,
      at,
      day: dayOf(at),
      field,
      oldValue,
      newValue,
      byUserId: caller.user.id,
    });
  }
}

/** Forgets the values in what is remembered of a person, but not that there were changes. */
export function forgetValues({ store }: Core, userId: string): void {
  for (const one of store.modifications.all({ userId })) {
    store.modifications.update({ ...one, oldValue: null, newValue: null });
  }
}

/** "The shape of a list item: not shown." Ours. */
export const modificationAnswer = ({ at, field, oldValue, newValue, byUserId }: Modification) => ({
  modificationDate: timestamp(at),
  field,
  oldValue,
  newValue,
  modifiedBy: byUserId,
});
