/** `edu files …` */
import { lstatSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Command, type Flag, flag, type Group, isOn, textOf } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { problemsError } from '../../cli/parser.js';
import type { Download } from '../../client/request/client.js';
import { safeFilename } from '../../client/request/download.js';
import { fillPath } from '../../client/request/url.js';
import { FILE_PATH, FILE_TYPES, File, files } from '../../contract/files.js';
import { integer, object, text } from '../../contract/vocabulary.js';
import { usageError } from '../../core/errors.js';
import { checkOutput, isStdout, writeOutput } from '../../core/fs/output-file.js';
import { decodePercent } from '../../core/http.js';
import { attachment, fileType, isProblem } from '../kinds/attachment.js';
import { plainCommand, writeCommand } from '../kinds/define.js';

interface DownloadRequest {
  readonly file: string;
  /** File or folder; `-` for stdout; default: the current folder. */
  readonly to: string | undefined;
  readonly force: boolean;
}

const SAVED = object({ path: text('where the file is'), bytes: integer('its size') }, 'a downloaded file');

const isAddress = (file: string): boolean => /^https?:\/\//i.test(file);

/** `coverUrl` and `pdfUrl` of books and readers are paths below the base URL. */
const isPath = (file: string): boolean => file.startsWith('/');

function nameIn(file: string): string {
  const path = isAddress(file) ? new URL(file).pathname : isPath(file) ? file.replace(/[?#].*/s, '') : undefined;
  const last = path === undefined ? file : (path.split('/').at(-1) ?? '');
  return safeFilename(decodePercent(last)) ?? 'download';
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/** @throws EduError `usage` if the file may not be written */
function target({ file, to, force }: DownloadRequest, filename: string | undefined): string {
  const name = filename ?? nameIn(file);
  const isNamed = to !== undefined && !isFolder(to) && !/[/\\]$/.test(to);
  const path = isNamed ? to : join(to ?? '', name);
  if (!isNamed && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw usageError(`Cannot write ${path}: the service gave the name of a link.`, 'Name the file with --to.');
  checkOutput(path, { exclusive: !force });
  return path;
}

async function save({ body, size }: Download, path: string, force: boolean, context: Context) {
  const label = `Downloading ${basename(path)}`;
  const progress = size === undefined ? undefined : (await context.progress()).bar(label, size, 'bytes');
  let bytes = 0;
  const counted = async function* () {
    for await (const chunk of body) {
      bytes += chunk.length;
      progress?.at(bytes);
      yield chunk;
    }
  };
  try {
    await writeOutput(path, counted(), { exclusive: !force, signal: context.signal });
    return { path, bytes };
  } finally {
    progress?.done();
  }
}

async function downloadFile(request: DownloadRequest, context: Context): Promise<void> {
  const { file, to, force } = request;
  const isPiped = to !== undefined && isStdout(to);
  if (isPiped && context.io.stdout.isTTY) {
    throw usageError(
      '--to - cannot write to a terminal, because the file may contain control characters.',
      'Give --to a file name, or redirect the output: … --to - > FILE',
    );
  }
  if (to !== undefined && !isPiped && !isFolder(to)) target(request, undefined);
  const printer = await context.printer();
  if (!isPiped) await printer.check(SAVED, 'item');
  const client = await context.client();
  const address = isAddress(file) || isPath(file) ? file : fillPath(`${FILE_PATH}{id}`, { id: file });
  let isFinal = false;
  const use = async (found: Download): Promise<{ path: string; bytes: number } | undefined> => {
    const path = isPiped ? '' : target(request, found.filename);
    // What a pipe or device got cannot be taken back.
    isFinal = isPiped || statSync(path, { throwIfNoEntry: false })?.isFile() === false;
    if (!isPiped) return save(found, path, force, context);
    // The reader of the pipe may write to the same terminal.
    (await context.progress()).stop();
    for await (const chunk of found.body) await context.io.stdout.write(chunk);
  };
  const downloading = client.download(address, use, { signal: context.signal, isFinal: () => isFinal });
  const saved = await context.during('Downloading the file', downloading);
  if (saved !== undefined) await printer.item(saved, SAVED);
}

const TYPE: Flag = flag('--type TYPE', 'type of the file (default: from its name)', {
  aliases: ['file-type'],
  kind: 'choice',
  choices: FILE_TYPES,
});

const upload: Command = writeCommand({
  name: 'upload',
  creates: true,
  done: 'Uploaded',
  summary: 'Upload a file.',
  arguments: [{ name: 'file', description: 'path of the file', names: 'file' }],
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
  run: (values, context) =>
    downloadFile(
      { file: textOf(values, 'file') ?? '', to: textOf(values, 'to'), force: isOn(values, 'force') },
      context,
    ),
});

export const group: Group = { name: 'files', commands: [upload, download] };
