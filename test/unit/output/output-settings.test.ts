import { describe, expect, it } from 'vitest';
import type { Values } from '../../../src/core/flag-values.js';
import { painter, wantsColor } from '../../../src/output/color.js';
import { FORMATS } from '../../../src/output/formats.js';
import { outputSettings } from '../../../src/output/output-settings.js';
import { problem } from './problem.js';
import { pipe, terminal } from './streams.js';

describe('the format', () => {
  it('is a table for a terminal and tsv for a program', () => {
    expect(outputSettings({}, terminal(80), {}).format).toBe('table');
    expect(outputSettings({}, pipe(), {}).format).toBe('tsv');
  });

  it.each([
    ['flag before environment', { output: 'csv' }, { EDU_OUTPUT: 'json' }, 'ids', 'csv'],
    ['environment before profile', {}, { EDU_OUTPUT: 'ndjson' }, 'csv', 'ndjson'],
    ['profile before default', {}, {}, 'json', 'json'],
    ['an empty variable is none', {}, { EDU_OUTPUT: '' }, 'json', 'json'],
    ['--json', { json: true }, { EDU_OUTPUT: 'csv' }, undefined, 'json'],
    ['--json beside -o json', { json: true, output: 'json' }, {}, undefined, 'json'],
    ['--excel means csv', { excel: true }, { EDU_OUTPUT: 'json' }, undefined, 'csv'],
    ['--quiet prints ids', { quiet: true }, { EDU_OUTPUT: 'json' }, 'csv', 'ids'],
    ['a format that was asked for wins over --quiet', { quiet: true, output: 'json' }, {}, undefined, 'json'],
    ['any case', { output: 'JSON' }, {}, undefined, 'json'],
    ['the ending of --to before environment', { to: 'a/b.Csv' }, { EDU_OUTPUT: 'json' }, undefined, 'csv'],
    ['markdown by .md', { to: 'a.md' }, {}, undefined, 'markdown'],
    ['yaml by .yml', { to: 'a.yml' }, {}, undefined, 'yaml'],
    ['ndjson by .jsonl', { to: 'a.jsonl' }, {}, undefined, 'ndjson'],
    ['--excel beside --to a.csv', { to: 'a.csv', excel: true }, {}, undefined, 'csv'],
    ['-o with an ending that no format has', { to: 'a.foo', output: 'csv' }, {}, undefined, 'csv'],
    ['no format of an ending that none has', { to: 'a.ids.txt' }, { EDU_OUTPUT: 'csv' }, undefined, 'csv'],
  ])('%s', (_, flags, env, profile, format) => {
    expect(outputSettings(flags, pipe(), env, { output: profile }).format).toBe(format);
  });

  it.each([
    [{ output: 'jsn' }, {}, '--output: there is no format "jsn".', 'Did you mean json?'],
    [{ output: 'jsn' }, { EDU_OUTPUT: 'csv' }, '--output: there is no format "jsn".', 'Did you mean json?'],
    [{}, { EDU_OUTPUT: 'xml' }, 'EDU_OUTPUT: there is no format "xml".', `Use ${FORMATS.join(', ')}.`],
    [{ to: 'a.foo' }, {}, '--to a.foo: there is no format "foo".', `Use ${FORMATS.join(', ')}.`],
    [{ json: true, output: 'csv' }, {}, 'Use one output format, not csv and json.', undefined],
    [{ excel: true, output: 'tsv' }, {}, 'Use one output format, not tsv and csv.', undefined],
    [{ json: true, header: true }, {}, '--header does not apply: json has no line of column names.', undefined],
  ])('%j with %j is refused', (flags, env, message, hint) => {
    const error = problem(() => outputSettings(flags, pipe(), env));
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
    expect(pager({}, terminal(80), { PAGER: 'less', EDU_PAGER: 'more' })).toBe('more');
    expect(pager({}, terminal(80), {})).toBe('less');
  });

  it.each([
    ['with --no-pager', { 'no-pager': true }, terminal(80), { PAGER: 'less' }],
    ['with PAGER=cat', {}, terminal(80), { PAGER: 'cat' }],
    ['with an empty EDU_PAGER', {}, terminal(80), { PAGER: 'less', EDU_PAGER: '' }],
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
