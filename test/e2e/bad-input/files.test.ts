/** Files that cannot be sent. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DE_BOOK, files, READER, refused, table } from './refused.js';

table('files that cannot be sent', [
  [`${READER} --pdf FOLDER/none.pdf`, '--pdf', 'FOLDER/none.pdf', 'no such file or folder'],
  [`${READER} --pdf FOLDER/folder.pdf`, '--pdf', 'FOLDER/folder.pdf', 'is a folder'],
  [`${READER} --pdf FOLDER/empty.pdf`, '--pdf', 'FOLDER/empty.pdf', 'is empty'],
  [`${READER} --pdf FOLDER/text.pdf`, '--pdf', 'FOLDER/text.pdf', 'is not a PDF'],
  [`${READER} --pdf FOLDER/huge.pdf`, '--pdf', 'FOLDER/huge.pdf', '157286401 bytes', '150 MB'],
  [`${READER} --pdf /dev/null`, '--pdf', '/dev/null', 'not a regular file'],
  [`${READER} --pdf ''`, '--pdf', 'is empty'],
  ['readers update rd1 --pdf FOLDER/huge.pdf --content-language EN', '--pdf', '157286401 bytes'],
  [
    `${DE_BOOK} --pdf FOLDER/text.pdf --cover FOLDER/none.png`,
    '--pdf',
    'is not a PDF',
    '--cover',
    'no such file or folder',
  ],
  [`${DE_BOOK} --cover FOLDER/gif.png`, '--cover', 'FOLDER/gif.png', 'JPEG', 'PNG'],
  ['files upload FOLDER', 'FILE', 'FOLDER', 'is a folder'],
  ["files upload ''", 'FILE is empty'],
  ['files download id:..', '".." is not a valid ID'],
  ['files download f1 --to FOLDER/none/x', 'FOLDER/none'],
  ['files download f1 --to FOLDER/lesson.pdf', 'FOLDER/lesson.pdf', 'exists', '--force'],
  ['api /v1/x --input FOLDER/none.json', 'FOLDER/none.json'],
  ['api /v1/x -F a=@FOLDER/none.json', 'FOLDER/none.json'],
]);

test('refuses a loop of symbolic links', async () => {
  const folder = files();
  symlinkSync(join(folder, 'loop.pdf'), join(folder, 'loop.pdf'));
  const { said } = await refused(['files', 'upload', join(folder, 'loop.pdf')]);
  expect(said).toContain('leads through too many');
});
