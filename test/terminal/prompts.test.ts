/**
 * Prompts on a real terminal: missing values are asked for, validated and selected from lists; nothing is sent without
 * an answer.
 */
import { describe, expect, it } from 'vitest';
import { isGroup } from '../../src/cli/command.js';
import { everyNode } from '../../src/commands/index.js';
import { served } from './served.js';
import { openTerminal } from './terminal.js';

/** The settings of the terminal driver: a program that leaves them changed breaks the terminal. */
const SETTINGS = 'stty -g';

// One answer fills a line of 100 columns, and the terminal wraps after its last letter.
it('asks which of two classes with the same name is meant', async () => {
  const terminal = await openTerminal({ columns: 120 });
  for (const school of ['s1', 's2']) {
    const made = await terminal.runs(`edu classes create --name Zwei --school ${school} --subject Mathematics -o ids`);
    expect(made.code).toBe(0);
  }
  await terminal.enter('edu classes get zwei -o ids');
  await terminal.shows(/\? 2 classes are called zwei\. Which one\?\n❯ Zwei, .* {2}\w+\n {2}Zwei, .* {2}\w+\n/);
  await terminal.press('Enter');
  const { output, code } = await terminal.ends();
  expect([code, output]).toEqual([
    0,
    expect.stringMatching(/✔ 2 classes are called zwei\. Which one\? Zwei, .* {2}(\w+)\n\1$/),
  ]);
});

describe('creating a licence', () => {
  it('asks for every value, and prints the command that repeats it', async () => {
    const terminal = await openTerminal({ columns: 100 });
    await terminal.enter('edu licenses create');
    await terminal.shows('? Name (--name):');
    await terminal.press('Enter');
    await terminal.shows('> a value is needed');
    await terminal.enterAnswer("Anna's class");
    await terminal.shows('? Maximum number of activations (--maximum-activations):');
    await terminal.enterAnswer('many');
    await terminal.shows('> must be a whole number, not "many"');
    await terminal.press('C-u');
    await terminal.enterAnswer('25');
    await terminal.shows(/❯ Books\n {2}Teacher/);
    await terminal.press('Enter');
    // Books are searched by typing, one after the other.
    await terminal.shows('? Books (--book; in your organization and the publishers');
    await terminal.type('quest 2');
    await terminal.shows(/❯ Number Quest 2 {2}\d+ {2}B5\n\n/);
    await terminal.press('Enter');
    await terminal.shows(/\? Another one.*\n❯ No more\n/);
    await terminal.type('zahlen');
    await terminal.shows(/❯ Zahlenwelt 5 {2}\d+ {2}B1/);
    await terminal.press('Down', 'Enter');
    await terminal.shows(/✔ Another one.*Zahlenwelt 6 {2}\d+ {2}B2\n\? Another one/);
    await terminal.press('Enter');
    // Short lists are shown completely.
    await terminal.shows(/\? Validity in days from activation \(--days\)\n❯ 30\n(.*\n)+ {2}3650\n/);
    await terminal.press('Down', 'Down', 'Enter');
    const { output, code } = await terminal.ends();
    expect(code).toBe(0);
    expect(output).toMatch(/^Name {10}Anna's class$/m);
    expect(output).toMatch(/^Used {10}0 of 25$/m);
    expect(output).toMatch(/^Expires {7}365 days after activation$/m);
    expect(output).toMatch(/^Books {9}Number Quest 2 \(B5\)\n {14}Zahlenwelt 6 \(B2\)$/m);
    const line = /The same command without prompts:\n {2}(edu .*)$/.exec(output)?.[1];
    expect(line).toBe(
      "edu licenses create --name 'Anna'\\''s class' --maximum-activations 25 --type Books --book B5,B2 --days 365",
    );
    const again = await terminal.runs(String(line));
    expect(again.code).toBe(0);
    expect(again.output).toMatch(/^Name {10}Anna's class$/m);
    expect(again.output).not.toContain('The same command without prompts');
  });

  it('creates nothing on Ctrl-C at any prompt, and restores the terminal', async () => {
    const { requests, env } = await served();
    const terminal = await openTerminal({ env });
    const before = await terminal.runs(SETTINGS);
    const steps = ['Name', 'Maximum number', 'Type of the licence', 'Books'];
    for (const [count] of steps.entries()) {
      await terminal.enter('edu licenses create');
      for (const [index, step] of steps.slice(0, count + 1).entries()) {
        await terminal.shows(`? ${step}`);
        if (index < count) await terminal.enterAnswer(['Autumn', '3', '', ''][index] ?? '');
      }
      await terminal.press('C-c');
      const { output, code } = await terminal.ends();
      expect(code).toBe(130);
      expect(output).toMatch(/Error: Interrupted\. Nothing was sent\.$/);
      expect((await terminal.runs(SETTINGS)).output).toBe(before.output);
    }
    expect(requests.filter((line) => !line.startsWith('GET '))).toEqual([]);
    expect((await terminal.runs('echo typed    again')).output).toBe('typed again');
  });
});

describe('prompts for', () => {
  it('several choices select with Space, and require one', async () => {
    const terminal = await openTerminal({ env: { EDU_OFFLINE: '1' } });
    // The sample school has four books of its own.
    await terminal.enter('edu --as school licenses create --name a --type Books --maximum-activations 1 --days 30');
    await terminal.shows(/\(--book\)[^❯]*❯◯ .* B57\n( ◯ .* B\d\d\n){3}\n/);
    await terminal.press('Enter');
    await terminal.shows(/at least one/i);
    await terminal.press('Space', 'Down', 'Down', 'Space', 'Enter');
    const { output, code } = await terminal.ends();
    expect(code).toBe(0);
    expect(output).toMatch(/^ {2}edu licenses create .* --book B57,B59 .*--as school$/m);
  });
});

describe('confirmation', () => {
  it('of one item needs y; Enter alone means no', async () => {
    const terminal = await openTerminal();
    await terminal.enter('edu licenses delete 00000006');
    await terminal.shows(/\? Delete licence 00000006 "[^"]+"\?\s+\(y\/N\)/);
    await terminal.press('Enter');
    const kept = await terminal.ends();
    expect(kept.code).toBe(2);
    expect(kept.output).toContain('Not confirmed. Nothing was sent.');
    expect((await terminal.runs('edu licenses get 00000006 -o ids')).output).toBe('00000006');
    await terminal.enter('edu licenses delete 00000006');
    await terminal.shows('(y/N)');
    await terminal.enterAnswer('y');
    expect(await terminal.ends()).toMatchObject({
      code: 0,
      output: expect.stringContaining('Deleted licence 00000006 "Proeflicentie (autumn)".'),
    });
    expect((await terminal.runs('edu licenses get 00000006')).code).toBe(5);
  });

  it('of several items needs their number', async () => {
    const terminal = await openTerminal({ columns: 200 });
    for (const [answer, code] of [
      ['y', 2],
      ['3', 2],
      ['2', 0],
    ] as const) {
      await terminal.enter('edu licenses cancel 00000017 code:12e5');
      await terminal.shows(
        /\? Cancel these 2: licence 00000017 "[^"]+", licence =Rabatt=50%\s+\(12e5\)\? 11 of 35 seats are in use\. This cannot be undone;\s+`edu licenses delete` only removes unused ones\.\s+Type 2 to confirm:/,
      );
      await terminal.enterAnswer(answer);
      const ended = await terminal.ends();
      expect(ended.code).toBe(code);
      expect(ended.output).toContain(code === 0 ? 'Cancelled licence 00000017 "' : 'Not confirmed. Nothing was sent.');
    }
  });

  it.each([
    ['edu licenses cancel --from i.txt', 'Cancel 2 licences? 18 of 60 seats are in use.'],
    ['edu classes delete c1', 'Delete class c1 "5a"? 22 members will be removed. This cannot be undone.'],
  ])('of %s says what is lost', async (line, question) => {
    const terminal = await openTerminal({ columns: 200 });
    await terminal.runs("printf '00000001\\n00000017\\n' > i.txt");
    await terminal.enter(line);
    await terminal.shows(question);
    await terminal.enterAnswer('n');
    expect(await terminal.ends()).toMatchObject({ code: 2, output: expect.stringContaining('Nothing was sent.') });
  });

  it.each([
    ['edu licenses update 00000001 --name X', ['Enter'], 2],
    ['edu licenses update --from i.csv', ['y', 'Enter'], 2],
    ['edu licenses update --from i.csv', ['Up', 'Enter'], 0],
  ] as const)('of a category has three answers, the first selected sends nothing: %s %s', async (line, keys, code) => {
    const terminal = await openTerminal({ columns: 200 });
    await terminal.runs("printf 'id,name\\n00000001,X\\n00000017,Y\\n' > i.csv");
    await terminal.enter(line);
    await terminal.shows(/which an update may reset:\n {2}Keep it.*\n {2}Reset it.*\n❯ Stop: send nothing/);
    await terminal.press(...keys);
    expect((await terminal.ends()).code).toBe(code);
  });

  it("of anonymizing needs the user's address", async () => {
    const { requests, env } = await served();
    const terminal = await openTerminal({ columns: 200, env });
    for (const [answer, code] of [
      ['yes', 2],
      ['0000000158', 0],
    ] as const) {
      await terminal.enter('edu users anonymize 0000000158');
      await terminal.shows('This cannot be undone. Type 0000000158 to confirm:');
      expect(requests.filter((line) => line.startsWith('PUT '))).toEqual([]);
      await terminal.enterAnswer(answer);
      expect((await terminal.ends()).code).toBe(code);
    }
    expect(requests.filter((line) => line.startsWith('PUT '))).toHaveLength(1);
  });

  it('is skipped with --yes, and Ctrl-C or Ctrl-D sends nothing', async () => {
    const { requests, env } = await served();
    const terminal = await openTerminal({ env });
    for (const key of ['C-c', 'C-d']) {
      await terminal.enter('edu licenses delete 00000006');
      await terminal.shows('(y/N)');
      await terminal.press(key);
      expect(await terminal.ends()).toMatchObject({ code: 130, output: expect.stringContaining('Nothing was sent.') });
    }
    expect(requests.filter((line) => line.startsWith('DELETE '))).toEqual([]);
    expect(await terminal.runs('edu licenses delete 00000006 --yes')).toMatchObject({ code: 0 });
  });
});

/** The first value that each command asks for without arguments, as in its prompt. */
async function firstQuestions(): Promise<(readonly [path: string, asked: string])[]> {
  const asking: (readonly [string, string])[] = [];
  for await (const { path, entry, loaded } of everyNode()) {
    // These have other prompts, or none.
    if (isGroup(loaded) || /Login|More/.test(entry.section)) continue;
    const argument = loaded.arguments?.find(({ optional }) => !optional);
    const flag = loaded.flags?.find((one) => one.required === true || one.needed?.({}) === true);
    if (argument !== undefined)
      // A description may be longer than a line.
      asking.push([path, /^file$|^$/.test(argument.refersTo ?? '') ? argument.description.slice(1, 20) : '? Which ']);
    else if (flag !== undefined) asking.push([path, `(--${flag.name}`]);
  }
  return asking;
}

describe('a missing item', () => {
  it('is selected by name, code or EAN', async () => {
    const terminal = await openTerminal({ columns: 80 });
    await terminal.enter('edu books get');
    await terminal.shows('? Which book? (in your organization and the publishers');
    await terminal.type('9783100000026');
    await terminal.shows(/❯ Zahlenwelt 6 {2}9783100000026 {2}B2\n/);
    await terminal.press('Enter');
    const { output, code } = await terminal.ends();
    expect([code, output]).toEqual([0, expect.stringMatching(/^Title +Zahlenwelt 6$/m)]);
  });

  it('is selected among the users of the school, or typed', async () => {
    const terminal = await openTerminal({ columns: 120 });
    await terminal.enter('edu classes assign 5a --school s1 --dry-run');
    await terminal.shows(/\? Which users\?[^❯]*❯ Anneliese Weiß/);
    await terminal.type('femke');
    await terminal.shows(/❯ Femke Coördes/);
    await terminal.press('Enter');
    await terminal.shows(/\? Another one.*\n❯ No more/);
    await terminal.type('by id');
    await terminal.shows(/❯ Another one, by ID or e-mail address/);
    await terminal.press('Enter');
    await terminal.shows(/\? Another one.*\n❯ No more/);
    await terminal.press('Enter');
    await terminal.shows('? Which users?');
    await terminal.enterAnswer('school@example.org');
    const { output, code } = await terminal.ends();
    expect(code).toBe(0);
    expect(output.match(/"userId": "(u3|0000000155)"/g)).toHaveLength(2);
  });

  it('may be an organization and roles of a user', async () => {
    const terminal = await openTerminal({ columns: 100 });
    await terminal.enter('edu users create --first-name A --last-name B');
    await terminal.shows('(--email)');
    await terminal.enterAnswer('a.b@example.org');
    await terminal.shows('(--organization)');
    await terminal.press('Down');
    await terminal.shows(/❯ Gymnasium am Kirchplatz, Köln {2}s1\n/);
    await terminal.press('Enter');
    await terminal.shows('(--role)');
    await terminal.press('Space', 'Enter');
    await terminal.shows('(--language)');
    await terminal.press('Enter');
    const user = await terminal.ends();
    expect([user.code, user.output]).toEqual([0, expect.stringMatching(/^Organization +School s1$/m)]);
    expect(user.output).toMatch(/^Roles +\w+/m);
  });
});

it('every command asks for its missing values; Ctrl-C exits 130 and restores the terminal', async () => {
  const asking = await firstQuestions();
  expect(asking.length).toBeGreaterThan(30);
  const terminal = await openTerminal({ columns: 120 });
  const before = await terminal.runs(SETTINGS);
  for (const [path, asked] of asking) {
    await terminal.enter(`edu ${path}`);
    await terminal.shows(asked);
    await terminal.press('C-c');
    const { output, code } = await terminal.ends();
    expect({ path, code }).toEqual({ path, code: 130 });
    expect(output, path).toMatch(/Interrupted\. Nothing was sent\.$/);
  }
  expect((await terminal.runs(SETTINGS)).output).toBe(before.output);
}, 180_000);

it('answers a prompt after Ctrl-Z and fg', async () => {
  const terminal = await openTerminal();
  await terminal.enter('edu licenses cancel code:welcome1');
  await terminal.shows('(y/N)');
  await terminal.press('C-z');
  await terminal.shows('Stopped');
  await terminal.enter('fg; echo "code $?"');
  await terminal.shows(/fg; echo.*\n.*edu licenses cancel/);
  await terminal.press('n', 'Enter');
  const screen = await terminal.shows(/code \d/);
  expect(screen).toContain('Error: Not confirmed. Nothing was sent.');
  expect(screen).toContain('code 2');
});
