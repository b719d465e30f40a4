/** The man pages: one for every command, valid for groff, and complete. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manPages } from '../../scripts/docs/man.mjs';
import { manual } from '../../src/commands/help/all-pages.js';
import { sharedFolder } from '../support/run.js';

const loaded = await manual();
const pages = manPages(loaded, '1.2.3');
const folder = sharedFolder();

/** groff is on most machines that have man; without it, only the structure is checked. */
const hasGroff = spawnSync('groff', ['--version']).error === undefined;

describe('man pages', () => {
  it('are all listed in package.json, so that npm links them', () => {
    const { man } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly man: readonly string[] };
    expect(man, 'run `npm run docs`').toEqual([...pages.keys()].map((name) => `./dist/man/${name}`).sort());
  });

  it('cover the program, every group, every command and every topic', () => {
    expect([...pages.keys()]).toEqual(
      expect.arrayContaining(['edu.1', 'edu-licenses.1', 'edu-licenses-create.1', 'edu-whoami.1', 'edu-exit-codes.7']),
    );
    const shown = loaded.nodes;
    expect(pages.size).toBe(1 + shown.length + loaded.topics.length);
  });

  it('refer only to existing pages', () => {
    for (const [name, text] of pages) {
      const references = text
        .replaceAll('\\-', '-')
        .replaceAll('\\fR', '')
        .matchAll(/(edu[a-z-]*)\((\d)\)/g);
      for (const [, page, number] of references) expect([...pages.keys()], name).toContain(`${page}.${number}`);
    }
  });

  it.skipIf(!hasGroff)('are accepted by groff without a warning, and show lines as they are typed', () => {
    for (const [name, text] of pages) writeFileSync(join(folder, name), text);
    const result = spawnSync('groff', ['-man', '-Kutf8', '-Tutf8', '-ww', '-rLL=200n', ...pages.keys()], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    });
    expect(result.stderr).toBe('');
    const shown = execFileSync(
      'groff',
      ['-man', '-Kutf8', '-Tascii', '-P-c', '-P-b', '-P-u', '-rLL=200n', 'edu-licenses-create.1'],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(shown).toContain(
      'edu licenses create --name Autumn --type Books --book B1,B2 --days 365 --maximum-activations 30',
    );
  });
});
