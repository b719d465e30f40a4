/** End users: people without an organization, whose address is shown once verified (service-api-v1.md, "Users"). */
import type { Contract } from '../../contract/index.js';
import { mayManage } from '../access.js';
import { badField, forbidden, notFound } from '../error-answer.js';
import type { Handler } from '../handler-types.js';
import type { ServiceContext } from '../service-context.js';
import type { User } from '../store/records.js';
import { addUser, changeUser } from './modifications.js';
import { personOf } from './person-answers.js';

/** Accepts any text around one @, because only sending a message can prove an address. */
export function requireEmail(email: string): void {
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    throw badField('email', `must be an e-mail address, not ${JSON.stringify(email)}`);
}

/** Addresses must be unique, because users are looked up by address. The API document has no such rule. */
export function requireFreeEmail({ store }: ServiceContext, email: string, ownId?: string): void {
  const other = store.users.first({ email });
  if (other !== undefined && other.id !== ownId) throw badField('email', `belongs to another user: ${email}`);
}

export const createEndUser: Handler<Contract['users']['createEndUser']> = {
  needs: ['User', 'Create'],
  run({ core, caller, body: { firstName, lastName, email, language } }) {
    requireEmail(email);
    requireFreeEmail(core, email);
    const name = { firstName, lastName, language };
    const state = { kind: 'endUser', verified: false, organizationId: null, roleIds: [] } as const;
    return personOf(addUser(core, caller, { email, ...name, ...state }));
  },
};

export const updateEndUser: Handler<Contract['users']['updateEndUser']> = {
  needs: ['User', 'Update'],
  run({ core, caller, params, body }) {
    const user = core.store.users.get(params.id);
    if (user?.kind !== 'endUser') throw notFound('end user', params.id);
    if (!mayManage(core, caller, user)) throw forbidden(`the end user ${user.id} was not created by your organization`);
    if (user.anonymized) throw badField('id', `is the ID of an anonymized end user: ${user.id}`);
    const { firstName, lastName, email = user.email } = body;
    if (email !== null && email !== user.email) {
      requireEmail(email);
      requireFreeEmail(core, email, user.id);
    }
    // A new address is unverified.
    const updated: User = { ...user, firstName, lastName, email, verified: user.verified && email === user.email };
    changeUser(core, caller, user, updated);
    return { ...personOf(updated), avatarUrl: updated.avatarUrl };
  },
};
