/** `edu schools …` */
import { type Group, textOf } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { asOptional, flagsFor, type Overrides } from '../../cli/flags-from-fields.js';
import { ClassDetail, classes } from '../../contract/classes.js';
import { School, schools } from '../../contract/schools.js';
import { idArgument, itemCommand, listCommand, writeCommand } from '../kinds/define.js';
import { filled } from '../kinds/request-body.js';
import { planUpdate } from '../kinds/update.js';

const OVERRIDES: Overrides = { country: { kind: 'country' } };
const CREATE_FLAGS = flagsFor('body', schools.create.body, OVERRIDES);
const UPDATE_FLAGS = asOptional(flagsFor('body', schools.update.body, OVERRIDES));

const ID = idArgument('id of the school', 'school');

const fetchSchool = async (id: string, context: Context) => {
  const client = await context.client();
  return client.call(schools.get, { params: { id } }, { signal: context.signal });
};

export const schoolsGroup: Group = {
  name: 'schools',
  commands: [
    listCommand({
      name: 'list',
      noun: 'schools',
      summary: 'List the schools that your organization owns.',
      examples: [
        { about: 'List the schools:', line: 'edu schools list' },
        { about: 'Id and city, for a spreadsheet:', line: 'edu schools list -o csv --fields id,name,city' },
      ],
      shape: School,
      sources: async () => [{ endpoint: schools.list, input: {} }],
    }),
    itemCommand({
      name: 'get',
      summary: 'Show one school.',
      arguments: [ID],
      examples: [
        { about: 'Show a school:', line: 'edu schools get s1' },
        { about: 'Its roles, as JSON:', line: 'edu schools get s1 --json --fields roles' },
      ],
      shape: School,
      fetch: (values, context) => fetchSchool(textOf(values, 'id') ?? '', context),
    }),
    writeCommand({
      name: 'create',
      done: 'Created',
      summary: 'Create a school. Only a distributor can.',
      flags: CREATE_FLAGS,
      key: 'name',
      examples: [
        { about: 'Create a school:', line: 'edu schools create --name "Lyceum North" --country NL --city Utrecht' },
        {
          about: 'See the request without sending it:',
          line: 'edu schools create --name "Lyceum West" --country NL --city Leiden --dry-run',
        },
      ],
      shape: School,
      plan: async (values) => [
        {
          endpoint: schools.create,
          input: { body: filled('body', CREATE_FLAGS, values) },
          what: `school "${textOf(values, 'name')}"`,
        },
      ],
    }),
    writeCommand({
      name: 'update',
      done: 'Updated',
      summary: 'Change a school. What you do not give stays as it is.',
      arguments: [ID],
      flags: UPDATE_FLAGS,
      oneAtLeast: true,
      examples: [
        { about: 'Rename a school:', line: 'edu schools update s1 --name "Lyceum South"' },
        { about: 'It moved to another city:', line: 'edu schools update s1 --city Delft' },
      ],
      shape: School,
      plan: async (values, context) => {
        const id = textOf(values, 'id') ?? '';
        const { body } = await planUpdate(
          { flags: UPDATE_FLAGS, endpoint: schools.update, values, read: () => fetchSchool(id, context) },
          context,
        );
        return [{ endpoint: schools.update, input: { params: { id }, body }, what: `school ${id}` }];
      },
    }),
    listCommand({
      name: 'classes',
      noun: 'classes',
      summary: 'List the classes of a school.',
      arguments: [ID],
      examples: [
        { about: 'List the classes of a school:', line: 'edu schools classes s1' },
        {
          about: 'Only the active ones:',
          line: 'edu schools classes s1 --query "[?deactivationDate==null].className"',
        },
      ],
      shape: ClassDetail,
      sources: async (values) => [{ endpoint: classes.list, input: { params: { id: textOf(values, 'id') ?? '' } } }],
    }),
  ],
};
