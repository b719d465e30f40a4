/** `edu readers …` */
import { exclusive, type Flag, flag, type Group, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { asOptional, flagsFor, type Overrides } from '../../cli/flags-from-fields.js';
import { ORGANIZATION_FLAGS, organizationBody } from '../../cli/organization-flags.js';
import { files } from '../../contract/files.js';
import { Reader, reader, readers } from '../../contract/readers.js';
import { MAX_PDF_BYTES } from '../../contract/shared.js';
import type { Problem } from '../../core/errors.js';
import { uploads } from '../kinds/attachment.js';
import { writeCommand } from '../kinds/define.js';
import { fetchOne, getOf, idOf, listOf, NO_ORGANIZATION } from '../kinds/of-resource.js';
import { filled, planUpdate } from '../kinds/request-body.js';
import type { Call } from '../kinds/spec.js';
import { editOf } from './editor.js';

const OVERRIDES: Overrides = {
  language: { name: 'content-language', value: 'LL' },
  pdfFile: false,
  fileId: false,
  ...NO_ORGANIZATION,
};

const SOURCE: readonly Flag[] = [
  flag('--pdf FILE', 'PDF to upload, up to 150 MB', { kind: 'pdf', target: 'pdfFile', maxBytes: MAX_PDF_BYTES }),
  flag('--file-id ID', 'ID of an uploaded PDF', { refersTo: 'file', target: 'body.fileId' }),
];

const CREATE_FLAGS: readonly Flag[] = [
  ...SOURCE.map((flag) =>
    flag.name === 'pdf' ? { ...flag, needed: (values: Values) => values['file-id'] === undefined } : flag,
  ),
  ...flagsFor('body', readers.create.body, OVERRIDES),
  ...ORGANIZATION_FLAGS,
];

const UPDATE_FLAGS: readonly Flag[] = [
  ...asOptional(flagsFor('body', readers.update.body, OVERRIDES), Reader),
  ...SOURCE,
];

const oneSource = exclusive('pdf', 'file-id');

/** `PUT readers`, which `--file-id` needs, has no field for an organization. */
const ownOrganization = (values: Values): readonly Problem[] =>
  values['file-id'] === undefined
    ? []
    : ['organization', 'organization-type']
        .filter((name) => values[name] !== undefined)
        .map((name) => ({
          where: `--${name}`,
          message: 'cannot be given together with --file-id; the service makes such a reader for your own organization',
        }));

/** `PUT readers/:id` cannot contain a file, so a new PDF is first uploaded with `POST files`. */
function pdfUpload(values: Values, context: Context): { upload: Call } | Record<string, never> {
  const { pdfFile } = uploads(SOURCE, values, context.path);
  if (pdfFile === undefined) return {};
  return { upload: { endpoint: files.upload, input: { body: { file: pdfFile, fileType: 'Document' } } } };
}

export const readersGroup: Group = {
  name: 'readers',
  details: 'A reader is teaching material of a teacher or school, made from a PDF.',
  commands: [
    listOf(reader, {
      summary: "List your organization's readers.",
      examples: {
        'List the readers:': 'edu readers list',
        'Print their IDs, for use with another command:': 'edu readers list -o ids',
      },
    }),
    getOf(reader, {
      summary: 'Show a reader of your organization.',
      examples: {
        'Show a reader:': 'edu readers get r1',
        'Show it with Spanish names, as JSON:': 'edu readers get r1 --language ES --json',
      },
    }),
    editOf(reader, 'r1'),
    writeCommand({
      name: 'create',
      done: 'Created',
      summary: 'Create a reader from a PDF or from an uploaded file.',
      details: '--content-language is the language of the reader, --language that of names in the result.',
      flags: CREATE_FLAGS,
      countable: true,
      alternatives: [['pdf', 'file-id']],
      check: (values) => [...oneSource(values), ...ownOrganization(values)],
      examples: {
        'Create a reader from a PDF:':
          'edu readers create --title Fractions --subject 0001 --content-language EN --pdf fractions.pdf',
        'Create a reader from an uploaded file:':
          'edu readers create --title Fractions --subject 0001 --content-language EN --file-id file-d1-pdf',
      },
      shape: Reader,
      plan: async (values, context) => {
        const query = { language: context.language() };
        const fields = filled('body', CREATE_FLAGS, values);
        const what = `reader "${textOf(values, 'title')}"`;
        if (values['file-id'] !== undefined) {
          return [{ endpoint: readers.createFromFile, input: { query, body: fields }, what }];
        }
        const body = {
          ...fields,
          ...uploads(SOURCE, values, context.path),
          ...(await organizationBody(values, context)),
        };
        return [{ endpoint: readers.create, input: { query, body }, what }];
      },
    }),
    writeCommand({
      name: 'update',
      done: 'Updated',
      summary: 'Change a reader. Other fields are kept.',
      details: 'Always give --content-language, because the service does not return the language of a reader.',
      arguments: [idOf(reader)],
      flags: UPDATE_FLAGS,
      oneAtLeast: true,
      check: oneSource,
      examples: {
        'Change the title of a reader:': 'edu readers update r1 --title "Fractions 2" --content-language EN',
        'Allow users to download the PDF:': 'edu readers update r1 --pdf-downloadable --content-language EN',
      },
      shape: Reader,
      plan: async (values, context) => {
        const id = textOf(values, 'id') ?? '';
        const upload = pdfUpload(values, context);
        const { body } = await planUpdate(
          { flags: UPDATE_FLAGS, endpoint: readers.update, values, read: () => fetchOne(reader, id, context) },
          context,
        );
        const input = { params: { id }, query: { language: context.language() }, body };
        return [{ endpoint: readers.update, input, what: `reader ${id}`, ...upload }];
      },
    }),
  ],
};
