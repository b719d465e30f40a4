/** `edu api`: any request under the base URL, with the same login, retries and errors as every command. */
import { type Command, isOn, type Values } from '../../cli/command.js';
import type { Problem } from '../../core/errors.js';

const BODIES = ['raw-field', 'field', 'input', 'paginate'] as const;

/** A multipart body is the whole body. */
const oneBody = (values: Values): readonly Problem[] =>
  values.form === undefined
    ? []
    : BODIES.filter((name) => values[name] !== undefined && values[name] !== false).map((name) => ({
        where: '--form',
        message: `cannot be given together with --${name}`,
      }));

export const api: Command = {
  name: 'api',
  summary: 'Send any request to the service and print the answer.',
  details:
    'PATH is below the base URL, such as /v1/account. The method is GET, or POST when ' +
    'fields, a form or input are given. For GET, fields become the query; otherwise they become a JSON body, in which ' +
    'a.b=1 nests. A form is sent as multipart/form-data, and its files are streamed.',
  arguments: [{ name: 'path', about: 'path under the base URL' }],
  flags: [
    {
      name: 'method',
      short: 'X',
      value: 'METHOD',
      kind: 'choice',
      choices: ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'],
      about: 'HTTP method',
    },
    { name: 'raw-field', short: 'f', value: 'KEY=TEXT', kind: 'text', repeat: true, about: 'add a text field' },
    {
      name: 'field',
      short: 'F',
      value: 'KEY=VALUE',
      kind: 'text',
      repeat: true,
      about: "add a field: true, false, null and numbers are typed, @FILE is a file's text",
    },
    {
      name: 'form',
      value: 'KEY=VALUE',
      kind: 'text',
      repeat: true,
      about: 'add a part of a multipart/form-data body, @FILE sends a file',
    },
    { name: 'input', value: 'FILE', kind: 'file', about: 'send this file as the body', note: '- for stdin' },
    {
      name: 'request-header',
      short: 'H',
      aliases: ['add-header'],
      value: 'NAME:VALUE',
      kind: 'text',
      repeat: true,
      about: 'add a header',
    },
    { name: 'include', short: 'i', kind: 'switch', about: 'print status and headers of the answer as well' },
    { name: 'paginate', kind: 'switch', about: 'follow the cursors and print all items as one array' },
    { name: 'dry-run', kind: 'switch', about: 'show the exact request and do not send it' },
  ],
  examples: [
    { about: 'Ask for the account:', line: 'edu api /v1/account' },
    { about: 'All licences for books, as one array:', line: 'edu api /v1/licenses -f type=BOOKS --paginate' },
    { about: 'Upload a file:', line: 'edu api /v1/files --form fileType=Image --form file=@cover.png' },
    { about: 'Create a school:', line: 'edu api /v1/schools -f name="Lyceum East" -f country=NL -f city=Zwolle' },
  ],
  prints: 'item',
  check: oneBody,
  traits: (values) => ['result', 'service', ...(isOn(values, 'paginate') ? (['list', 'limit', 'pages'] as const) : [])],
  run: async (values, context) => (await import('./run-api.js')).callApi(api, values, context),
};
