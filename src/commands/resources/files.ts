/** `edu files …` */
import { type Command, type Flag, flag, type Group, isOn, textOf } from '../../cli/command.js';
import { problemsError } from '../../cli/parser.js';
import { FILE_TYPES, File, files } from '../../contract/files.js';
import { attachment, fileType, isProblem } from '../kinds/attachment.js';
import { plainCommand, writeCommand } from '../kinds/define.js';

const TYPE: Flag = flag('--type TYPE', 'type of the file (default: from its name)', {
  aliases: ['file-type'],
  kind: 'choice',
  choices: FILE_TYPES,
});

const upload: Command = writeCommand({
  name: 'upload',
  done: 'Uploaded',
  summary: 'Upload a file.',
  arguments: [{ name: 'file', description: 'path of the file' }],
  flags: [TYPE],
  examples: {
    'Upload a PDF for a reader:': 'edu files upload fractions.pdf',
    'Upload a file of another type:': 'edu files upload recording.bin --type Audio',
  },
  shape: File,
  plan: async (values, context) => {
    const path = textOf(values, 'file') ?? '';
    const file = attachment('FILE', path, 'any');
    if (isProblem(file)) throw problemsError([file], context.path);
    const body = { file, fileType: textOf(values, 'type') ?? fileType(path) };
    return [{ endpoint: files.upload, input: { body }, what: path }];
  },
});

const download: Command = plainCommand({
  name: 'download',
  summary: 'Download a file.',
  details: 'A partial download keeps a temporary name until it is complete.',
  arguments: [{ name: 'file', description: 'ID, URL or storage path of the file', refersTo: 'file' }],
  flags: [
    flag('--to PATH', 'file or folder to write to (default: the current folder; - for stdout)', { kind: 'file' }),
    flag('--force', 'overwrite an existing file'),
  ],
  examples: {
    'Download a file to the current folder:': 'edu files download file-d1-pdf',
    'Download the cover of a book, by the storage path that `edu books get` shows:':
      'edu files download /v1/api/file/get/file-d1-cover --to front.png',
    'Download it under another name:': 'edu files download file-d1-pdf --to fractions-copy.pdf',
  },
  prints: 'item',
  run: async (values, context) => {
    const { downloadFile } = await import('./download-file.js');
    await downloadFile(
      { file: textOf(values, 'file') ?? '', to: textOf(values, 'to'), force: isOn(values, 'force') },
      context,
    );
  },
});

export const group: Group = { name: 'files', commands: [upload, download] };
