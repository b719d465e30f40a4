/** `edu readers …` */
import { exclusive, type Flag, flag, type Group } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { flagsFor, type Overrides } from '../../cli/flags-from-fields.js';
import { ORGANIZATION_FLAGS, organizationFor } from '../../cli/organization-flags.js';
import { shown } from '../../cli/read-value.js';
import { files } from '../../contract/files.js';
import { reader, readers } from '../../contract/readers.js';
import { MAX_PDF_BYTES } from '../../contract/shared.js';
import { usageError } from '../../core/errors.js';
import { shellLine } from '../../core/shell.js';
import { uploads } from '../kinds/attachment.js';
import { createOf, getOf, listOf, NO_ORGANIZATION, updateOf } from '../kinds/of-resource.js';
import type { Amendment, Draft } from '../kinds/spec.js';
import { editOf } from './editor.js';
import { whyInactive } from './why-inactive.js';

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
  ...SOURCE.map((one) => (one.name === 'pdf' ? { ...one, needed: () => true, instead: 'file-id' } : one)),
  ...flagsFor('body', readers.create.body, OVERRIDES),
  ...ORGANIZATION_FLAGS,
];

const oneSource = exclusive('pdf', 'file-id');

/**
 * `PUT readers`, which `--file-id` needs, has no field for an organization.
 * @throws EduError `usage` if a flag, the environment or the profile names another organization, which it would ignore
 */
async function requireOwn({ values }: Draft, context: Context): Promise<Amendment> {
  const { organization: configured } = context.effective();
  const given = values.organization ?? values['organization-type'] ?? configured;
  if (values['file-id'] === undefined || given === undefined) return {};
  const { id } = await organizationFor(values, context);
  const own = await context.callersOrganization();
  if (id === own.id) return {};
  const isConfigured = configured !== undefined && id === (await organizationFor({}, context)).id;
  throw usageError(
    `${isConfigured ? configured.from : '--organization'} ${shown(id)} cannot be used with --file-id; the service makes such a reader for your own organization.`,
    `Give the PDF with --pdf, or leave the organization out: yours is ${shellLine(own.id)}.`,
  );
}

/** `PUT readers/:id` cannot contain a file, so a new PDF is first uploaded with `POST files`. */
function uploadFirst({ values }: Draft, context: Context): Amendment {
  const { pdfFile } = uploads(SOURCE, values, context.path);
  if (pdfFile === undefined) return {};
  return { write: { upload: { endpoint: files.upload, input: { body: { file: pdfFile, fileType: 'Document' } } } } };
}

export const group: Group = {
  name: 'readers',
  details: 'A reader is teaching material of a teacher or school, made from a PDF.',
  commands: [
    listOf(reader, {
      examples: {
        'List the readers:': 'edu readers list',
        'Print their IDs, for use with another command:': 'edu readers list -o ids',
      },
    }),
    getOf(reader, {
      note: whyInactive('reader'),
      summary: 'Show a reader of your organization.',
      examples: {
        'Show a reader:': 'edu readers get r1',
      },
    }),
    editOf(reader, 'r1'),
    createOf(reader, {
      summary: 'Create a reader from a PDF or from an uploaded file.',
      details: '--content-language is the language of the reader, --language that of names in the result.',
      flags: CREATE_FLAGS,
      countable: true,
      alternatives: [['pdf', 'file-id']],
      risky: ['file-id'],
      check: oneSource,
      examples: {
        'Create a reader from a PDF:':
          'edu readers create --title Fractions --subject 0001 --content-language EN --pdf fractions.pdf',
        'Create a reader from an uploaded file:':
          'edu readers create --title Fractions --subject 0001 --content-language EN --file-id file-d1-pdf',
      },
      amend: requireOwn,
      through: (values) => (values['file-id'] === undefined ? undefined : readers.createFromFile),
    }),
    updateOf(reader, {
      details: 'Always give --content-language, because the service does not return the language of a reader.',
      overrides: OVERRIDES,
      flags: SOURCE,
      check: oneSource,
      examples: {
        'Change the title of a reader:': 'edu readers update r1 --title "Fractions 2" --content-language EN',
      },
      amend: uploadFirst,
    }),
  ],
};
