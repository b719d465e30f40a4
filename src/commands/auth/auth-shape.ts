/** The output of `edu auth login` and `edu auth status`. */
import { boolean, object, text } from '../../contract/vocabulary.js';

const ACCOUNT = object(
  {
    id: text('user ID'),
    email: text('e-mail address'),
    firstName: text('first name'),
    lastName: text('last name'),
  },
  'who is logged in',
);

export const LOGIN = object(
  {
    loggedIn: boolean('whether the service accepts the token'),
    account: { ...ACCOUNT, nullable: true },
    profile: text('profile'),
    baseUrl: text('address of the service'),
    token: text('the access token, masked', { nullable: true }),
    source: text('where the token comes from: environment, file, or offline'),
    from: text('the variable or file that holds it', { nullable: true }),
  },
  'a login',
);
