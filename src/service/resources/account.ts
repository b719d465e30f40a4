/** GET account (service-api-v1.md, "Account"). */
import type { Caller } from '../access.js';
import type { Handlers } from '../handler-types.js';
import { asShown } from '../import-overrides.js';
import { personFields, roleReferences } from './person-answers.js';

export function accountAnswer({ user, roles, permissions }: Pick<Caller, 'user' | 'roles' | 'permissions'>) {
  const shared = { ...personFields(user), avatar: user.avatarUrl, roles: roleReferences(roles) };
  return asShown({ ...shared, permissions: [...permissions] }, user.shownAsAccount);
}

export const account: Handlers<'account'> = { show: { run: ({ caller }) => accountAnswer(caller) } };
