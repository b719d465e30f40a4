/** GET account (service-api-v1.md, "Account"). */
import type { Caller } from '../caller.js';
import type { Handlers } from '../handler-types.js';
import { asShown, blankIsNull } from '../import-overrides.js';
import { roleReferences } from './person-answers.js';

export const accountAnswer = ({ user, roles, permissions }: Pick<Caller, 'user' | 'roles' | 'permissions'>) =>
  asShown(
    {
      id: user.id,
      email: blankIsNull(user.email),
      firstName: blankIsNull(user.firstName),
      lastName: blankIsNull(user.lastName),
      avatar: user.avatarUrl,
      roles: roleReferences(roles),
      permissions: permissions.map(({ resource, operation }) => ({ resource, operation })),
    },
    user.shownAsAccount,
  );

export const account: Handlers<'account'> = { show: { run: ({ caller }) => accountAnswer(caller) } };
