/** The two OAuth endpoints, outside `/v1` (service-api-v1.md, "Authentication"). */
import { get, post, shape, text } from './vocabulary.js';

export const AccessToken = shape('AccessToken', 'an access token', {
  access_token: text('the token'),
  scope: text('an empty string in the answer shown'),
  token_type: text('`bearer`'),
});

export const TOKEN_ERRORS = ['MissingClientCredentials', 'InvalidClientCredentials'] as const;

export const oauth = {
  /** Returns a page for the user, then redirects to the callback URL with `code` and `state`, or with `error`. */
  authorize: get('/login/oauth/authorize', 'Ask the user to let an application act for them.', {
    query: {
      client_id: text('client ID', { required: true }),
      redirect_uri: text('redirect URL; the registered callback if left out'),
      state: text('unguessable value, returned with the code'),
    },
    authenticated: false,
  }),
  /** A code works for one call only. */
  token: post('/login/oauth/access_token', 'Exchange a code for an access token.', {
    encoding: 'form',
    body: {
      client_id: text('client ID', { required: true }),
      client_secret: text('client secret', { required: true }),
      code: text('the code that came with the callback', { required: true }),
      state: text('the state that was sent'),
    },
    returns: AccessToken,
    authenticated: false,
  }),
};
