/** Rows that name files to send. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { home } from '../support/run.js';

const PDF = '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n';
const CREATE = ['books', 'create', '--year', '2031', '--type', 'Coursebook', '--content-language', 'EN'];
const LINE = [...CREATE, '--subject', '0001', '--from', 'books.csv', '--job', 'books', '--json'];

function folderWithBooks() {
  const env = { PATH: process.env.PATH ?? '', HOME: '/nonexistent', ...home(), EDU_OFFLINE: '1' };
  const folder = join(env.EDU_STATE_DIR, '..', 'books');
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere, { recursive: true });
  writeFileSync(join(folder, 'books.csv'), 'ean,title,pdf\n971,A,a.pdf\n972,B,b.pdf\n');
  for (const name of ['a.pdf', 'b.pdf']) writeFileSync(join(folder, name), PDF);
  const edu = (cwd: string, ...argv: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('bin/edu.js'), ...argv], {
      cwd,
      env,
      encoding: 'utf8',
    });
    return { code: status, stdout, stderr };
  };
  const hasPdf = (): readonly boolean[] =>
    JSON.parse(edu(folder, 'books', 'list', '--json').stdout)
      .filter(({ ean }: { ean: string }) => ean.startsWith('97') && ean.length === 3)
      .map(({ pdfUrl }: { pdfUrl: string | null }) => pdfUrl !== null);
  return { edu, folder, elsewhere, hasPdf };
}

test('files are found when the job is resumed in another folder', () => {
  const { edu, folder, elsewhere, hasPdf } = folderWithBooks();
  expect(edu(folder, ...LINE, '--limit', '1')).toMatchObject({ code: 0 });
  const ended = edu(elsewhere, 'jobs', 'resume', 'books');
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(hasPdf()).toEqual([true, true]);
});

test('a row whose file is gone is rejected, not sent without it', () => {
  const { edu, folder, hasPdf } = folderWithBooks();
  expect(edu(folder, ...LINE, '--limit', '1')).toMatchObject({ code: 0 });
  renameSync(join(folder, 'b.pdf'), join(folder, 'c.pdf'));
  const ended = edu(folder, 'jobs', 'resume', 'books');
  expect(ended).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/row 2: rejected: .*b\.pdf" cannot be read: no such file/),
  });
  expect(hasPdf()).toEqual([true]);
  renameSync(join(folder, 'c.pdf'), join(folder, 'b.pdf'));
  expect(edu(folder, 'jobs', 'retry', 'books')).toMatchObject({ code: 0 });
  expect(hasPdf()).toEqual([true, true]);
});

test('a row that was skipped is sent by the same line once its file exists', () => {
  const { edu, folder, hasPdf } = folderWithBooks();
  rmSync(join(folder, 'b.pdf'));
  expect(edu(folder, ...LINE, '--skip-invalid')).toMatchObject({ code: 3 });
  expect(hasPdf()).toEqual([true]);
  writeFileSync(join(folder, 'b.pdf'), PDF);
  const ended = edu(folder, ...LINE, '--skip-invalid');
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(ended.stdout)).toMatchObject({ created: 1, exists: 1, invalid: 0 });
  expect(hasPdf()).toEqual([true, true]);
});
