/** `edu publishers …` */
import { type Group, textOf } from '../../cli/command.js';
import { flagsFor } from '../../cli/flags-from-fields.js';
import { Publisher, publishers } from '../../contract/publishers.js';
import { idArgument, itemCommand, listCommand, writeCommand } from '../kinds/define.js';
import { filled } from '../kinds/request-body.js';

const FLAGS = flagsFor('body', publishers.create.body);
const ID = idArgument('id of the publisher', 'publisher');

export const publishersGroup: Group = {
  name: 'publishers',
  commands: [
    listCommand({
      name: 'list',
      noun: 'publishers',
      summary: 'List the publishers that your organization owns.',
      examples: [
        { about: 'List the publishers:', line: 'edu publishers list' },
        { about: 'As JSON, one object a line:', line: 'edu publishers list -o ndjson' },
      ],
      shape: Publisher,
      sources: async () => [{ endpoint: publishers.list, input: {} }],
    }),
    itemCommand({
      name: 'get',
      summary: 'Show one publisher.',
      arguments: [ID],
      examples: [
        { about: 'Show a publisher:', line: 'edu publishers get p1' },
        { about: 'As JSON:', line: 'edu publishers get p1 --json' },
      ],
      shape: Publisher,
      fetch: async (values, context) => {
        const client = await context.client();
        return client.call(publishers.get, { params: { id: textOf(values, 'id') ?? '' } }, { signal: context.signal });
      },
    }),
    writeCommand({
      name: 'create',
      done: 'Created',
      summary: 'Create a publisher. Only a distributor can.',
      flags: FLAGS,
      key: 'name',
      examples: [
        { about: 'Create a publisher:', line: 'edu publishers create --name "Meridian Press"' },
        { about: 'See the request without sending it:', line: 'edu publishers create --name "Zenith Press" --dry-run' },
      ],
      shape: Publisher,
      plan: async (values) => [
        {
          endpoint: publishers.create,
          input: { body: filled('body', FLAGS, values) },
          what: `publisher "${textOf(values, 'name')}"`,
        },
      ],
    }),
    writeCommand({
      name: 'update',
      done: 'Updated',
      summary: 'Rename a publisher.',
      arguments: [ID],
      flags: FLAGS,
      examples: [
        { about: 'Rename a publisher:', line: 'edu publishers update p1 --name "Northern Lights"' },
        { about: 'See the request without sending it:', line: 'edu publishers update p1 --name Boreal --dry-run' },
      ],
      shape: Publisher,
      plan: async (values) => {
        const id = textOf(values, 'id') ?? '';
        const body = filled('body', FLAGS, values);
        return [{ endpoint: publishers.update, input: { params: { id }, body }, what: `publisher ${id}` }];
      },
    }),
  ],
};
