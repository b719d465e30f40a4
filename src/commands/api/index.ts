/** `edu api`: sends any request below the base URL, with the login, retries and errors of all commands. */
import { type Command, isOn, type Values } from '../../cli/command.js';
import type { Problem } from '../../core/errors.js';

const BODIES = ['raw-field', 'field', 'input', 'paginate'] as const;

/** --form already provides the whole body. */
const oneBody = (values: Values): readonly Problem[] =>
  values.form === undefined
    ? []
    : BODIES.filter((name) => values[name] !== undefined && values[name] !== false).map((name) => ({
        where: '--form',
        message: `cannot be given together with --${name}`,
      }));

export const api: Command = {
  name: 'api',
  summary: 'Send a request to any endpoint and print the response.',
  details:
    'PATH is relative to the base URL, such as /v1/account. The method is GET, or POST with fields, a form or --input. ' +
    'With GET, fields are query parameters; otherwise they form a JSON body, with a.b=1 for nested objects. A form is ' +
    'sent as multipart/form-data, with files streamed.',
  arguments: [{ name: 'path', description: 'path under the base URL' }],
  flags: [
    {
      name: 'method',
      short: 'X',
      value: 'METHOD',
      kind: 'choice',
      choices: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'],
      description: 'HTTP method',
    },
    { name: 'raw-field', short: 'f', value: 'KEY=TEXT', kind: 'text', repeat: true, description: 'add a text field' },
    {
      name: 'field',
      short: 'F',
      value: 'KEY=VALUE',
      kind: 'text',
      repeat: true,
      description: 'add a typed field: true, false, null or a number; @FILE for the contents of a file',
    },
    {
      name: 'form',
      value: 'KEY=VALUE',
      kind: 'text',
      repeat: true,
      description: 'add a part to a multipart/form-data body; @FILE for a file',
    },
    {
      name: 'input',
      value: 'FILE',
      kind: 'file',
      description: 'file to send as the request body',
      note: '- for stdin',
    },
    {
      name: 'request-header',
      short: 'H',
      aliases: ['add-header'],
      value: 'NAME:VALUE',
      kind: 'text',
      repeat: true,
      description: 'add a request header',
    },
    { name: 'include', short: 'i', kind: 'switch', description: 'also print the response status and headers' },
    { name: 'paginate', kind: 'switch', description: 'follow cursors and print all items as one array' },
    { name: 'dry-run', kind: 'switch', description: 'show the request without sending it' },
  ],
  examples: [
    { description: 'Get the account:', line: 'edu api /v1/account' },
    { description: 'List all licences for books as one array:', line: 'edu api /v1/licenses -f type=BOOKS --paginate' },
    { description: 'Upload a file:', line: 'edu api /v1/files --form fileType=Image --form file=@cover.png' },
    { description: 'Create a school:', line: 'edu api /v1/schools -f name="Lyceum East" -f country=NL -f city=Zwolle' },
  ],
  prints: 'item',
  check: oneBody,
  traits: (values) => ['result', 'service', ...(isOn(values, 'paginate') ? (['list', 'limit', 'pages'] as const) : [])],
  run: async (values, context) => (await import('./run-api.js')).callApi(api, values, context),
};
