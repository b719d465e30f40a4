import { describe, expect, it } from 'vitest';
import type { Values } from '../../../src/core/flag-values.js';
import { painter, wantsColor } from '../../../src/output/color.js';
import { FORMATS, type Format } from '../../../src/output/formats.js';
import { outputSettings } from '../../../src/output/output-settings.js';
import { problem } from './problem.js';
import { pipe, terminal } from './streams.js';

describe('the format', () => {
  it('is a table for a terminal and tsv for a program', () => {
    expect(outputSettings({}, terminal(80), {}).format).toBe('table');
    expect(outputSettings({}, pipe(), {}).format).toBe('tsv');
  });

  it.each<[string, Values, Format | undefined, Format]>([
    ['flag before setting', { output: 'csv' }, 'ids', 'csv'],
    ['setting before default', {}, 'json', 'json'],
    ['--json', { json: true }, 'csv', 'json'],
    ['--json beside -o json', { json: true, output: 'json' }, undefined, 'json'],
    ['--excel means csv', { excel: true }, 'json', 'csv'],
    ['--quiet prints ids', { quiet: true }, 'csv', 'ids'],
    ['a format that was asked for wins over --quiet', { quiet: true, output: 'json' }, undefined, 'json'],
    ['the ending of --to before the setting', { to: 'a/b.Csv' }, 'json', 'csv'],
    ['markdown by .md', { to: 'a.md' }, undefined, 'markdown'],
    ['yaml by .yml', { to: 'a.yml' }, undefined, 'yaml'],
    ['ndjson by .jsonl', { to: 'a.jsonl' }, undefined, 'ndjson'],
    ['--excel beside --to a.csv', { to: 'a.csv', excel: true }, undefined, 'csv'],
    ['-o with an ending that no format has', { to: 'a.foo', output: 'csv' }, undefined, 'csv'],
    ['no format of an ending that none has', { to: 'a.ids.txt' }, 'csv', 'csv'],
  ])('%s', (_, flags, output, format) => {
    expect(outputSettings(flags, pipe(), {}, { output }).format).toBe(format);
  });

  it.each([
    [{ to: 'a.foo' }, '--to a.foo: there is no format "foo".', `Use ${FORMATS.join(', ')}.`],
    [{ json: true, output: 'csv' }, 'Use one output format, not csv and json.', undefined],
    [{ excel: true, output: 'tsv' }, 'Use one output format, not tsv and csv.', undefined],
    [{ json: true, header: true }, '--header does not apply: json has no line of column names.', undefined],
  ])('%j is refused', (flags, message, hint) => {
    const error = problem(() => outputSettings(flags, pipe(), {}));
    expect([error.kind, error.message, error.hint]).toEqual(['usage', message, hint]);
  });
});

describe('the fields', () => {
  it('may contain spaces and duplicates', () => {
    expect(outputSettings({ fields: 'id, name,id' }, pipe(), {}).fields).toEqual(['id', 'name']);
  });

  it.each(['', 'id,,name', ','])('"%s" is refused', (fields) => {
    expect(problem(() => outputSettings({ fields }, pipe(), {})).kind).toBe('usage');
  });
});

describe('the pager', () => {
  const pager = (flags: Values, io = terminal(80), env: Record<string, string> = { PAGER: 'less -R' }) =>
    outputSettings(flags, io, env).pager;

  it('shows tables on a terminal', () => {
    expect(pager({})).toBe('less -R');
    expect(outputSettings({}, terminal(80), { PAGER: 'less' }, { pager: 'more' }).pager).toBe('more');
    expect(pager({}, terminal(80), {})).toBe('less');
  });

  it.each([
    ['with --no-pager', { 'no-pager': true }, terminal(80), { PAGER: 'less' }],
    ['with PAGER=cat', {}, terminal(80), { PAGER: 'cat' }],
    ['in a pipe', { output: 'table' }, pipe(), { PAGER: 'less' }],
    ['for other formats', { output: 'json' }, terminal(80), { PAGER: 'less' }],
    ['on a dumb terminal', {}, terminal(80), { PAGER: 'less', TERM: 'dumb' }],
  ])('shows nothing %s', (_, flags, io, env: Record<string, string>) => {
    expect(pager(flags, io, env)).toBeUndefined();
  });
});

describe('colours', () => {
  it.each([
    ['a terminal', {}, {}, true, true],
    ['no terminal', {}, {}, false, false],
    ['--no-color', { 'no-color': true }, { FORCE_COLOR: '1' }, true, false],
    ['--plain', { plain: true }, { FORCE_COLOR: '1' }, true, false],
    ['EDU_PLAIN', {}, { EDU_PLAIN: '1', FORCE_COLOR: '1' }, true, false],
    ['NO_COLOR', {}, { NO_COLOR: '1' }, true, false],
    ['an empty NO_COLOR', {}, { NO_COLOR: '' }, true, true],
    ['NO_COLOR and FORCE_COLOR', {}, { NO_COLOR: '1', FORCE_COLOR: '1' }, true, false],
    ['FORCE_COLOR in a pipe', {}, { FORCE_COLOR: '1' }, false, true],
    ['FORCE_COLOR=0', {}, { FORCE_COLOR: '0' }, true, false],
    ['TERM=dumb', {}, { TERM: 'dumb' }, true, false],
  ])('%s', (_, globals: Values, env, isTTY, expected) => {
    expect(wantsColor(globals, env, isTTY)).toBe(expected);
  });

  it('wrap text, and add nothing to empty text', () => {
    expect(painter(true)('red', 'x')).toBe('\x1b[31mx\x1b[39m');
    expect(painter(true)('red', '')).toBe('');
    expect(painter(false)('red', 'x')).toBe('x');
  });
});
