import { describe, expect, it, test } from 'vitest';
import { isGroup } from '../../../src/cli/command.js';
import { findCommand, findEntry, namesOf } from '../../../src/cli/find-command.js';
import { unknownCommand, unknownEntry } from '../../../src/cli/guessed-words.js';
import words from '../../../src/cli/guessed-words.json' with { type: 'json' };
import { ENTRIES } from '../../../src/commands/index.js';
import { commandsIn } from '../../support/commands-in.js';

async function groupOf(name: string) {
  const loaded = await findEntry(ENTRIES, name)?.load();
  if (loaded === undefined || !isGroup(loaded)) throw new Error(`There is no group ${name}.`);
  return loaded;
}

async function hintOf(line: string): Promise<string | undefined> {
  const [first = '', second = '', ...rest] = line.split(' ');
  const isKnown = findEntry(ENTRIES, first) !== undefined;
  const error = isKnown
    ? unknownCommand(second, await groupOf(first))
    : await unknownEntry(first, [second, ...rest], ENTRIES);
  expect(error.message).toBe(`There is no command "edu ${isKnown ? `${first} ${second}` : first}".`);
  return error.hint;
}

test.each([
  ['licenses creat', 'Did you mean create? See: edu licenses --help'],
  ['licenses ls', 'Did you mean `edu licenses list`? See: edu licenses --help'],
  ['licenses deactivate', 'Did you mean `edu licenses cancel` or `edu licenses delete`? See: edu licenses --help'],
  ['licenses undelte', 'See: edu licenses --help'],
  ['licenses undelete', 'The service cannot restore what was deleted. Create it again.'],
  ['classes asign', 'Did you mean assign? See: edu classes --help'],
  ['users remove', 'The service cannot delete a user. `edu users anonymize` removes the personal data permanently.'],
  ['list licences', 'Did you mean `edu licenses list`? See: edu licenses --help'],
  ['delete user', 'The service cannot delete a user. `edu users anonymize` removes the personal data permanently.'],
  ['status', 'Did you mean `edu auth status`? See: edu --help'],
  ['cancel L1', 'Did you mean `edu licenses cancel`? See: edu --help'],
  ['create', 'Name the resource first, such as in `edu licenses create`. See: edu --help'],
  ['teachers list', 'Did you mean `edu users`? See: edu --help'],
  ['licens list', 'Did you mean licenses, license or licences? See: edu --help'],
  ['Licenses list', 'Did you mean licenses? See: edu --help'],
])('edu %s: %s', async (line, hint) => expect(await hintOf(line)).toBe(hint));

describe('each guessed word', () => {
  const rows = Object.entries<string | readonly string[]>(words);

  it.each(rows)('%s is no command, and leads to what exists', async (word, meant) => {
    const [group = '', ...own] = word.split(' ');
    if (own.length === 1) expect(findCommand(await groupOf(group), own[0] ?? '')).toBeUndefined();
    if (own.length === 2) expect(findCommand(await groupOf(group), own[0] ?? '')).toBeDefined();
    for (const command of typeof meant === 'string' ? commandsIn(meant) : []) {
      const [, first = '', second = ''] = command.split(' ');
      expect(findCommand(await groupOf(first), second)).toBeDefined();
    }
    const known = new Set(namesOf(ENTRIES));
    for (const entry of ENTRIES) {
      const loaded = await entry.load();
      for (const command of isGroup(loaded) ? loaded.commands : [loaded])
        for (const name of [...namesOf([command]), ...(command.flags ?? []).map((flag) => `--${flag.name}`)])
          known.add(name);
    }
    for (const row of rows) known.add(row[0]);
    for (const name of typeof meant === 'string' ? [] : meant) expect(known).toContain(name);
  });
});
