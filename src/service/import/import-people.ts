/** Imports users, the account that made the export, and the personas of `--as`. */
import { permissionsOf } from '../access.js';
import { differenceFrom } from '../import-overrides.js';
import { accountAnswer } from '../resources/account.js';
import { usersAnswer } from '../resources/person-answers.js';
import { addPersonas } from '../seeds/cast.js';
import type { Organization, User } from '../store/records.js';
import { asText, idsOf, userOf } from './import-records.js';
import { all, badSeed, eachBatch, type Loading, ownerIn, withShown } from './import-source.js';

/** Stores the users of all organizations, and the account as a user of the caller's own organization. */
export async function loadUsers(loading: Loading): Promise<void> {
  const { data, store, own } = loading;
  const [account] = await all(data, 'account');
  const accountId = asText(account?.id);
  const accountRoles = idsOf(account?.roles);
  await eachBatch(loading, 'users', (items) => {
    const users = items.map((item): User => {
      const user = userOf(item, ownerIn(loading, item.organization), own);
      if (account === undefined || user.id !== accountId) return user;
      return { ...user, organizationId: own, roleIds: accountRoles.length > 0 ? accountRoles : user.roleIds };
    });
    store.users.insertMany(withShown(users, usersAnswer({ store }, users), items));
  });
  if (account === undefined) return;
  store.write(() => {
    const listed = store.users.get(accountId);
    const mark = data.holds('users') ? ({ unlisted: true } as const) : {};
    const user = listed ?? { ...userOf(account, own, own), ...mark };
    if (listed === undefined) store.users.insert(user);
    const roles = user.roleIds.flatMap((id) => store.roles.get(id) ?? []);
    const shown = differenceFrom(accountAnswer({ user, roles, permissions: permissionsOf(roles) }), account);
    if (shown !== undefined) store.users.update({ ...user, shownAsAccount: shown });
  });
}

/** The personas: the account, and users of a publisher, of a school and without permissions, if the export has any. */
export async function loadPersonas({ data, store, own, now }: Loading): Promise<void> {
  const [account] = await all(data, 'account');
  store.write(() => {
    const firstOf = (organizationId: string): string | undefined => store.users.first({ organizationId })?.id;
    const firstIn = (type: Organization['type']): string | undefined => {
      for (const { id } of store.organizations.all({ type })) {
        const user = id === own ? undefined : firstOf(id);
        if (user !== undefined) return user;
      }
      return undefined;
    };
    const permitting = new Set(
      store.roles.all({ organizationId: own }).flatMap(({ id, permissions }) => (permissions.length > 0 ? [id] : [])),
    );
    const viewer = store.users
      .page({ organizationId: own }, 0, 1000)
      .items.find(({ roleIds }) => !roleIds.some((id) => permitting.has(id)))?.id;
    const caller = account === undefined ? firstOf(own) : asText(account.id);
    if (caller === undefined)
      throw badSeed(`there is neither the account nor a user of ${own}, so no login would work`);
    const personas = [
      { id: 'distributor', userId: caller, about: 'the account that made the export' },
      { id: 'publisher', userId: firstIn('Publisher') ?? caller, about: 'a user of a publisher' },
      { id: 'school', userId: firstIn('School') ?? caller, about: 'a user of a school' },
      { id: 'viewer', userId: viewer ?? caller, about: 'a user without permissions' },
    ];
    addPersonas(store, personas, now);
  });
}
