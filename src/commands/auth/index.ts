/** `edu auth …`, `edu login`, `edu logout`: the definitions. What they do is loaded when they run. */
import { type Command, type Flag, type Group, isOn, type Values } from '../../cli/command.js';
import type { Problem } from '../../core/errors.js';

const WAYS = ['no-browser', 'paste', 'with-token'] as const;

const LOGIN_FLAGS: readonly Flag[] = [
  { name: 'no-browser', kind: 'switch', about: 'only print the address and wait', note: 'needs no terminal' },
  { name: 'with-token', kind: 'switch', about: 'read an access token from stdin' },
  { name: 'paste', kind: 'switch', about: 'take the answer only as a pasted address, from stdin' },
  { name: 'client-id', value: 'ID', kind: 'text', about: 'client id of the application', note: 'EDU_CLIENT_ID' },
  { name: 'callback-url', value: 'URL', kind: 'text', about: 'its registered callback', note: 'EDU_CALLBACK_URL' },
];

const oneWay = (values: Values): readonly Problem[] => {
  const given = WAYS.filter((name) => isOn(values, name));
  return given.length < 2
    ? []
    : [{ message: `Only one of ${given.map((name) => `--${name}`).join(' and ')} can be given` }];
};

function loginAs(name: string, words: string): Command {
  const command: Command = {
    name,
    summary: 'Log in through the browser, or with a token.',
    details:
      'Opens the service in your browser, waits for its answer on the registered callback and keeps the access token in ' +
      'the profile, in a file that only you can read. What is not configured yet is asked for. The client secret is asked ' +
      'for or taken from EDU_CLIENT_SECRET; there is no flag for it, nor for tokens. --timeout says how long to wait ' +
      '(5 minutes).',
    flags: LOGIN_FLAGS,
    examples: [
      { about: 'Log in:', line: `edu ${words}` },
      {
        about: 'Log in to another service, in a profile of its own:',
        line: `edu ${words} --profile test --base-url https://test.example.com`,
      },
      { about: 'Log in without a browser on this machine:', line: `edu ${words} --no-browser` },
      { about: 'Store a token that you have:', line: `edu ${words} --with-token < token.txt` },
    ],
    prints: 'item',
    check: oneWay,
    run: async (values, context) => (await import('./login.js')).logIn(command, values, context),
  };
  return command;
}

const logoutAs = (name: string, words: string): Command => ({
  name,
  summary: 'Forget the access token of a profile.',
  details: 'The service is not told: the API has no way to revoke a token.',
  flags: [{ name: 'all', kind: 'switch', about: 'forget the client secret as well' }],
  examples: [
    { about: 'Log out:', line: `edu ${words}` },
    { about: 'Log out of another profile, and forget its client secret:', line: `edu ${words} --profile test --all` },
  ],
  prints: 'nothing',
  traits: [],
  run: async (values, context) => (await import('./logout.js')).logOut(values, context),
});

const status: Command = {
  name: 'status',
  summary: 'Show who is logged in, and where the token comes from.',
  details: 'Exits with 4 when nobody is, or the service does not accept the token any more.',
  flags: [{ name: 'offline-check', kind: 'switch', about: 'only look whether there is a token; ask nobody' }],
  examples: [
    { about: 'Am I logged in?', line: 'edu auth status' },
    { about: 'Which account does a script run as?', line: 'edu auth status --json --query account.email' },
  ],
  prints: 'item',
  run: async (values, context) => (await import('./status.js')).showStatus(values, context),
};

const token: Command = {
  name: 'token',
  summary: 'Print the access token in use.',
  details: 'Whoever has it can act as you. It goes to stdout, for programs that need it.',
  examples: [
    { about: 'Call the service with another program:', line: 'edu auth token | my-program --token-from-stdin' },
    {
      about: 'Hand the token of one profile to a script:',
      line: 'EDU_TOKEN=$(edu auth token --profile test) ./report.sh',
    },
  ],
  prints: 'nothing',
  traits: [],
  run: async (_, context) => (await import('./status.js')).printToken(context),
};

export const login = loginAs('login', 'login');
export const logout = logoutAs('logout', 'logout');

export const authGroup: Group = {
  name: 'auth',
  commands: [loginAs('login', 'auth login'), status, logoutAs('logout', 'auth logout'), token],
};
