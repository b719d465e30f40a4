/** `edu api`: sends any request below the base URL, with the login, retries and errors of all commands. */
import { exclusive, flag, isOn } from '../../cli/command.js';
import { plainCommand } from '../kinds/define.js';

export const api = plainCommand({
  name: 'api',
  summary: 'Send a request to any endpoint and print the response.',
  details:
    'PATH is relative to the base URL, such as /v1/account. The method is GET, or POST with fields, a form or --input. ' +
    'With GET, fields are query parameters; otherwise they form a JSON body, with a.b=1 for nested objects. A form is ' +
    'sent as multipart/form-data, with files streamed.',
  arguments: [{ name: 'path', description: 'path under the base URL' }],
  flags: [
    flag('-X, --method METHOD', 'HTTP method', {
      kind: 'choice',
      choices: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'],
    }),
    flag('-f, --raw-field KEY=TEXT', 'add a text field', { repeat: true }),
    flag(
      '-F, --field KEY=VALUE',
      'add a typed field: true, false, null or a number; @FILE for the contents of a file',
      { repeat: true },
    ),
    flag('--form KEY=VALUE', 'add a part to a multipart/form-data body; @FILE for a file', { repeat: true }),
    flag('--input FILE', 'file to send as the request body (- for stdin)', { kind: 'file' }),
    flag('-H, --request-header NAME:VALUE', 'add a request header', { aliases: ['add-header'], repeat: true }),
    flag('-i, --include', 'also print the response status and headers'),
    flag('--paginate', 'follow cursors and print all items as one array'),
    flag('--dry-run', 'show the request without sending it'),
  ],
  examples: {
    'Get the account:': 'edu api /v1/account',
    'List all licences for books as one array:': 'edu api /v1/licenses -f type=BOOKS --paginate',
    'Upload a file:': 'edu api /v1/files --form fileType=Image --form file=@cover.png',
    'Create a school:': 'edu api /v1/schools -f name="Lyceum East" -f country=NL -f city=Zwolle',
  },
  prints: 'item',
  // A form is the whole body.
  check: (values) => ['raw-field', 'field', 'input', 'paginate'].flatMap((name) => exclusive(name, 'form')(values)),
  traits: (values) => ['result', 'service', ...(isOn(values, 'paginate') ? (['list', 'limit', 'pages'] as const) : [])],
  run: async (values, context) => (await import('./run-api.js')).callApi(values, context),
});
