/** `edu help --json`: the manifest matches its schema, and the commands. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { isGroup } from '../../src/cli/command.js';
import { everyNode } from '../../src/commands/index.js';
import { EXIT_CODES } from '../../src/core/errors.js';
import { run } from '../support/run.js';

const SCHEMA = JSON.parse(readFileSync('docs/manifest.schema.json', 'utf8'));

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
/** Differences between a value and the schema; unknown members count. */
const differences = (value: unknown) => (ajv.validate(SCHEMA, value) ? [] : ajv.errors);

const options = { env: { EDU_CONFIG_DIR: '/nonexistent', EDU_STATE_DIR: '/nonexistent' } };
const ran = await run(['help', '--json'], options);
const manifest = JSON.parse(ran.stdout);
const names: readonly string[] = manifest.commands.map(({ command }: { command: string }) => command);
const commandNamed = (path: string) => manifest.commands.find(({ command }: { command: string }) => command === path);

/** The exit codes of commands that do not call the service, and of those that do. */
const LOCAL = [0, 1, 2, 130, 143];
const SERVICE = [0, 1, 2, 3, 4, 5, 6, 7, 130, 143];
const PLAN = [0, 1, 2, 3, 4, 5, 6, 7, 10, 130, 143];
const EVERYTHING = ['reads', 'creates', 'changes', 'destroys', 'sends_mail'];

describe('edu help --json', () => {
  it('matches docs/manifest.schema.json', () => {
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(differences(manifest)).toEqual([]);
    expect(differences({ ...manifest, extra: 1, manifest: 'one' })).toHaveLength(2);
  });

  it('has every command with all its flags and arguments', async () => {
    const paths: string[] = [];
    for await (const { path, loaded } of everyNode()) {
      if (isGroup(loaded)) continue;
      paths.push(path);
      const { flags, arguments: args } = commandNamed(path);
      const shown = loaded.flags ?? [];
      expect(flags.map(({ name }: { name: string }) => name)).toEqual(shown.map(({ name }) => name));
      expect(args.map(({ name }: { name: string }) => name)).toEqual((loaded.arguments ?? []).map(({ name }) => name));
    }
    expect(names).toEqual(paths);
  });

  it('names every exit code and kind of error', () => {
    const kinds = manifest.exitCodes.flatMap(({ errorKinds }: { errorKinds: string[] }) => errorKinds);
    expect(kinds.sort()).toEqual(Object.keys(EXIT_CODES).sort());
  });

  it.each([
    ['licenses list', ['reads'], SERVICE, 'list'],
    ['licenses create', ['reads', 'creates'], SERVICE, 'item'],
    ['users create', ['reads', 'creates', 'sends_mail'], SERVICE, 'item'],
    ['classes sync', ['reads', 'changes'], SERVICE, 'item'],
    ['jobs undo', ['reads', 'destroys'], SERVICE, 'item'],
    ['jobs prune', ['destroys'], LOCAL, 'none'],
    ['apply', [...EVERYTHING, 'writes_files'], SERVICE, 'item'],
    ['undo', ['reads', 'writes_files'], PLAN, 'item'],
    ['roster plan', ['reads', 'writes_files'], PLAN, 'item'],
    ['export', ['reads', 'writes_files'], SERVICE, 'item'],
    ['mcp serve', EVERYTHING, SERVICE, 'none'],
    ['auth token', ['reads', 'shows_settings'], [0, 1, 2, 4, 130, 143], 'none'],
    ['alias remove', ['destroys'], [0, 1, 2, 5, 130, 143], 'none'],
    ['diff', ['reads'], SERVICE, 'list'],
  ])('describes edu %s', (path, effects, exitCodes, kind) => {
    expect(commandNamed(path)).toMatchObject({ effects, exitCodes, output: { kind } });
  });

  it('has the types and choices of flags', () => {
    const flag = (name: string) =>
      commandNamed('licenses create').flags.find((one: { name: string }) => one.name === name);
    expect(flag('type')).toMatchObject({ type: 'string', choices: ['Books', 'Teacher'], required: true });
    expect(flag('maximum-activations')).toMatchObject({ type: 'integer', many: false });
    expect(flag('book')).toMatchObject({ many: true, commas: true, refersTo: 'book' });
    expect(commandNamed('licenses get').output.schema.properties.code).toMatchObject({ type: ['string', 'null'] });
  });

  it('prints the commands of a group, or one command', async () => {
    const printed = async (...words: string[]) =>
      JSON.parse((await run(['help', ...words, '--json'])).stdout).commands.map(
        (one: { command: string }) => one.command,
      );
    expect(await printed('licences')).toEqual(names.filter((name) => /^licenses /.test(name)));
    expect(await printed('schools', 'get')).toEqual(['schools get']);
    expect(await printed('diff')).toEqual(['diff']);
  });

  it('is a usage error for topics and unknown words', async () => {
    expect(await run(['help', 'bulk', '--json'])).toMatchObject({ code: 2, stdout: '' });
    expect(await run(['help', 'licences', 'nothing', '--json'])).toMatchObject({ code: 2, stdout: '' });
  });
});
