/** The calling user's account (service-api-v1.md, "Account"). */
import { PERSON } from './columns.js';
import { resource } from './resource.js';
import { permission, roleReference } from './shared.js';
import { get, list, shape, text } from './vocabulary.js';

/** Lacks the organization, which `GET users/<account id>` returns. */
export const Account = shape(
  'Account',
  'the calling user',
  {
    id: text('user ID'),
    email: text('e-mail address'),
    firstName: text('first name'),
    lastName: text('last name'),
    avatar: text('storage path of the avatar image', { nullable: true }),
    roles: list(roleReference, "the user's roles"),
    permissions: list(permission, "the union of the roles' permissions"),
  },
  { columns: PERSON },
);

export const account = {
  show: get('/v1/account', 'Show the calling user.', { returns: Account }),
};

export const callingUser = resource({
  name: 'account',
  noun: ['account', 'accounts'],
  endpoints: { get: account.show },
  shape: Account,
  label: '{firstName} {lastName} <{email}>',
  search: [],
  natural: 'email',
  written: [],
});
