/** `edu auth …`, `edu login`, `edu logout`. Their actions are imported when they run. */
import { type Command, exclusive, flag, type Group } from '../../cli/command.js';
import { plainCommand } from '../kinds/define.js';

const loginAs = (name: string, words: string): Command =>
  plainCommand({
    name,
    summary: 'Log in through the browser, or with a token.',
    details:
      'Opens the login page of the service in your browser, waits for the redirect to the registered callback URL and stores ' +
      'the access token in the profile, in a file that only you can read. On a terminal it asks for missing settings and ' +
      'for the client secret; without one, set EDU_CLIENT_SECRET. Secrets and tokens have no flags, because other users of ' +
      'the machine can see command lines. --timeout is the maximum wait (default 5m).',
    flags: [
      flag('--no-browser', 'print the address instead of opening a browser (needs no terminal)'),
      flag('--with-token', 'read an access token from stdin'),
      flag('--paste', 'read the final address from stdin instead of listening for it'),
      flag('--client-id ID', 'client ID of the application (EDU_CLIENT_ID)'),
      flag('--callback-url URL', 'registered callback URL (EDU_CALLBACK_URL)'),
    ],
    examples: {
      'Log in:': `edu ${words}`,
      'Log in to another service with a separate profile:': `edu ${words} --profile test --base-url https://test.example.com`,
      'Log in without a browser on this machine:': `edu ${words} --no-browser`,
      'Store an existing token:': `edu ${words} --with-token < token.txt`,
    },
    prints: 'item',
    check: exclusive('no-browser', 'paste', 'with-token'),
    run: async (values, context) => (await import('./login.js')).logIn(values, context),
  });

const logoutAs = (name: string, words: string): Command => ({
  name,
  summary: 'Delete the access token of a profile from this machine.',
  details: 'The token stays valid, because the API cannot revoke tokens.',
  flags: [flag('--all', 'delete the client secret as well')],
  examples: {
    'Log out:': `edu ${words}`,
    'Log out of another profile, and delete its client secret:': `edu ${words} --profile test --all`,
  },
  prints: 'nothing',
  run: async (values, context) => (await import('./status.js')).logOut(values, context),
});

const status: Command = {
  name: 'status',
  summary: 'Show who is logged in, and the source of the token.',
  details: 'The exit code is 4 if no one is logged in, or if the service no longer accepts the token.',
  flags: [flag('--offline-check', 'check for a token without a request to the service')],
  examples: {
    'Check the login:': 'edu auth status',
    'Print the account that scripts use:': 'edu auth status --json --query account.email',
  },
  prints: 'item',
  run: async (values, context) => (await import('./status.js')).showStatus(values, context),
};

const token: Command = {
  name: 'token',
  summary: 'Print the access token in use.',
  details: 'Anyone with this token can act as you.',
  examples: {
    'Call the service with another program:': 'edu auth token | my-program --token-from-stdin',
    'Pass the token of a profile to a script:': 'EDU_TOKEN=$(edu auth token --profile test) ./report.sh',
  },
  prints: 'nothing',
  run: async (_, context) => (await import('./status.js')).printToken(context),
};

export const login = loginAs('login', 'login');
export const logout = logoutAs('logout', 'logout');

export const group: Group = {
  name: 'auth',
  commands: [loginAs('login', 'auth login'), status, logoutAs('logout', 'auth logout'), token],
};
