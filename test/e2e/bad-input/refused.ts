/**
 * Command lines that are refused: exit code 2, a message that names the value and the flag, and no request. Files are
 * real, and limits are those of the API document.
 */
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { splitWords } from '../../../src/core/shell.js';
import { type Ran, run, temporaryFolder } from '../../support/run.js';
import { type ScriptedService, scriptedService } from '../../support/scripted-service.js';

/** The line, and what the message must contain. `FOLDER` is the folder of the files below. */
type Row = readonly [line: string, ...says: readonly string[]];

const MEGABYTE = 1024 * 1024;

/** A folder with files that can be sent, and others that cannot. */
export function files(): string {
  const folder = temporaryFolder();
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  write('lesson.pdf', '%PDF-1.4 a lesson');
  write('empty.pdf', '');
  write('text.pdf', 'this is not a PDF');
  write('text.png', 'this is not an image');
  write('gif.png', 'GIF89a');
  write('huge.pdf', '%PDF-1.4');
  truncateSync(join(folder, 'huge.pdf'), 150 * MEGABYTE + 1);
  write('licences.csv', 'licence\ncode:autumn\ncode:winter\n');
  mkdirSync(join(folder, 'folder.pdf'));
  return folder;
}

/**
 * Runs a line that must be refused.
 * @returns the message, with `FOLDER` in place of the folder of the files
 */
export async function refused(
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran & { said: string }> {
  const service: ScriptedService = await scriptedService({ '*': { body: {} } });
  const folder = files();
  const ran = await run(
    words.map((word) => word.replace('FOLDER', folder)),
    { env: { ...service.env, ...env } },
  );
  expect({ code: ran.code, stdout: ran.stdout, sent: service.sent }, ran.stderr).toEqual({
    code: 2,
    stdout: '',
    sent: [],
  });
  return { ...ran, said: ran.stderr.replaceAll(folder, 'FOLDER') };
}

/** A test for each row. */
export function table(name: string, rows: readonly Row[]): void {
  describe(name, () => {
    test.each(rows)('edu %s', async (line, ...says) => {
      const { said } = await refused(splitWords(line));
      for (const part of says) expect(said).toContain(part);
    });
  });
}

export const LICENCE = 'licenses create --name Autumn --maximum-activations 3';
export const BOOK_LICENCE = `${LICENCE} --type Books --book b1`;
export const TEACHER = `${LICENCE} --type Teacher`;
export const READER = 'readers create --title T --subject s1 --content-language EN';
export const BOOK = 'books create --ean 1 --title T --year 7 --subject s1 --type Guide';
export const DE_BOOK = `${BOOK} --content-language DE`;
export const USER = 'users create --last-name Smit --email anna@school.example';
export const LONG = 'ü'.repeat(51);
