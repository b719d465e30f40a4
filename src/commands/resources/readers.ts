/** `edu readers …` */
import { type Flag, type Group, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { asOptional, flagsFor, type Overrides } from '../../cli/flags-from-fields.js';
import { ORGANIZATION_FLAGS, organizationBody } from '../../cli/organization-flags.js';
import { files } from '../../contract/files.js';
import { Reader, reader, readers } from '../../contract/readers.js';
import { LARGEST_PDF } from '../../contract/shared.js';
import type { Problem } from '../../core/errors.js';
import { idArgument, writeCommand } from '../kinds/define.js';
import { getOf, listOf } from '../kinds/of-resource.js';
import { filled } from '../kinds/request-body.js';
import type { Call } from '../kinds/spec.js';
import { planUpdate } from '../kinds/update.js';
import { uploads } from '../kinds/uploads.js';
import { editCommand } from './editor.js';

const OVERRIDES: Overrides = {
  language: { name: 'content-language', value: 'LL' },
  pdfFile: false,
  fileId: false,
  organization: false,
  'organization.id': false,
  'organization.type': false,
};

const SOURCE: readonly Flag[] = [
  { name: 'pdf', value: 'FILE', kind: 'pdf', about: 'the PDF to upload, at most 150 MB' },
  {
    name: 'file-id',
    value: 'ID',
    kind: 'text',
    ref: 'file',
    about: 'id of a PDF that is uploaded already',
    target: 'body.fileId',
  },
];

const CREATE_FLAGS: readonly Flag[] = [
  ...SOURCE.map((flag) =>
    flag.name === 'pdf' ? { ...flag, needed: (values: Values) => values['file-id'] === undefined } : flag,
  ),
  ...flagsFor('body', readers.create.body, OVERRIDES),
  ...ORGANIZATION_FLAGS,
];

const UPDATE_FLAGS: readonly Flag[] = [
  ...asOptional(flagsFor('body', readers.update.body, OVERRIDES)).map((flag) =>
    flag.name === 'content-language' ? { ...flag, required: true } : flag,
  ),
  ...SOURCE,
];

const ID = idArgument('id of the reader', 'reader');

const PDF = { flag: 'pdf', field: 'pdfFile', expected: 'pdf', most: LARGEST_PDF } as const;

const oneSource = (values: Values): readonly Problem[] =>
  values.pdf !== undefined && values['file-id'] !== undefined
    ? [{ where: '--file-id', message: 'can not be given together with --pdf; a reader has one PDF' }]
    : [];

/** `PUT readers`, which takes a file's id, has no field for an organization. */
const ownOrganization = (values: Values): readonly Problem[] =>
  values['file-id'] === undefined
    ? []
    : ['organization', 'organization-type']
        .filter((name) => values[name] !== undefined)
        .map((name) => ({
          where: `--${name}`,
          message:
            'can not be given together with --file-id; the service makes such a reader for your own organization',
        }));

const fetchReader = async (id: string, context: Context) => {
  const client = await context.client();
  return client.call(
    readers.get,
    { params: { id }, query: { language: context.language() } },
    { signal: context.signal },
  );
};

/** A new PDF of a reader goes through `POST files` first; its id is then filled into the update. */
function pdfUpload(values: Values, context: Context): { upload: Call } | Record<string, never> {
  const { pdfFile } = uploads([PDF], values, context);
  if (pdfFile === undefined) return {};
  return { upload: { endpoint: files.upload, input: { body: { file: pdfFile, fileType: 'Document' } } } };
}

export const readersGroup: Group = {
  name: 'readers',
  details: 'A reader is material of a teacher or school, made from a PDF.',
  commands: [
    listOf(reader, {
      summary: "List your organization's readers.",
      examples: [
        { about: 'List the readers:', line: 'edu readers list' },
        { about: 'Their ids, for another command:', line: 'edu readers list -o ids' },
      ],
    }),
    getOf(reader, {
      summary: 'Show one reader of your organization.',
      examples: [
        { about: 'Show a reader:', line: 'edu readers get r1' },
        { about: 'With Spanish names, as JSON:', line: 'edu readers get r1 --language ES --json' },
      ],
    }),
    editCommand({
      thing: 'reader',
      endpoint: readers.editor,
      argument: ID,
      examples: [
        { about: 'Open the editor in your browser:', line: 'edu readers edit r1' },
        { about: 'Print the address instead:', line: 'edu readers edit r1 --print-url' },
      ],
    }),
    writeCommand({
      name: 'create',
      done: 'Created',
      summary: 'Create a reader from a PDF, or from a file uploaded before.',
      details: '--language is the language of names in the answer, --content-language that of the reader.',
      flags: CREATE_FLAGS,
      countable: true,
      alternatives: [['pdf', 'file-id']],
      check: (values) => [...oneSource(values), ...ownOrganization(values)],
      examples: [
        {
          about: 'Upload a PDF and make a reader of it:',
          line: 'edu readers create --title Fractions --subject 0001 --content-language EN --pdf fractions.pdf',
        },
        {
          about: 'Make a reader of a file uploaded before:',
          line: 'edu readers create --title Fractions --subject 0001 --content-language EN --file-id file-d1-pdf',
        },
      ],
      shape: Reader,
      plan: async (values, context) => {
        const query = { language: context.language() };
        const fields = filled('body', CREATE_FLAGS, values);
        const what = `reader "${textOf(values, 'title')}"`;
        if (values['file-id'] !== undefined) {
          return [{ endpoint: readers.createFromFile, input: { query, body: fields }, what }];
        }
        const body = { ...fields, ...uploads([PDF], values, context), ...organizationBody(values, context) };
        return [{ endpoint: readers.create, input: { query, body }, what }];
      },
    }),
    writeCommand({
      name: 'update',
      done: 'Updated',
      summary: 'Change a reader. What you do not give stays as it is.',
      details: 'The service never tells the language of a reader, so --content-language has to be given every time.',
      arguments: [ID],
      flags: UPDATE_FLAGS,
      oneAtLeast: true,
      check: oneSource,
      examples: [
        {
          about: 'Give a reader another title:',
          line: 'edu readers update r1 --title "Fractions 2" --content-language EN',
        },
        {
          about: 'Let users download its PDF:',
          line: 'edu readers update r1 --pdf-downloadable --content-language EN',
        },
      ],
      shape: Reader,
      plan: async (values, context) => {
        const id = textOf(values, 'id') ?? '';
        const upload = pdfUpload(values, context);
        const { body } = await planUpdate(
          { flags: UPDATE_FLAGS, endpoint: readers.update, values, read: () => fetchReader(id, context) },
          context,
        );
        const input = { params: { id }, query: { language: context.language() }, body };
        return [{ endpoint: readers.update, input, what: `reader ${id}`, ...upload }];
      },
    }),
  ],
};
