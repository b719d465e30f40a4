/** Questions on a terminal: what is refused before the first one, and how they name what is missing. */
import { expect, it } from 'vitest';
import { home, run } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';
import { CALLER } from './wire/case.js';

const PLAIN = { EDU_PLAIN: '1', EDU_OFFLINE: '1' };

async function shown(argv: readonly string[], answers: readonly string[], env: Readonly<Record<string, string>>) {
  let text = '';
  const { code } = await run(argv, {
    env: { ...home(), ...env },
    terminal: 80,
    answers,
    onShow: (more) => (text += more),
  });
  return { code, text };
}

it.each(['licenses create', 'classes create', 'users create', 'licenses delete', 'classes update --name 7c'])(
  'edu %s asks nothing of a user who is not logged in',
  async (line) => {
    const { code, text } = await shown(line.split(' '), ['x'], { ...PLAIN, EDU_OFFLINE: '0' });
    expect({ code, text }).toEqual({ code: 4, text: 'Error: You are not logged in.\nHint: Run `edu auth login`.\n' });
  },
);

it('an update without a change asks what to change', async () => {
  const { code, text } = await shown(['users', 'update', 'school@example.org'], ['x', '2', 'Wei'], PLAIN);
  expect(code).toBe(0);
  expect(text).toMatch(/^What do you want to change\?\n {2}1\) First name \(--first-name\)\n {2}2\) Last name/);
  expect(text).toMatch(/without prompts:\n {2}edu users update school@example\.org --last-name Wei\n/);
  const other = await shown(['classes', 'update', 'c1', '--dry-run'], ['2', '7z'], PLAIN);
  expect([other.code, other.text]).toEqual([0, expect.stringMatching(/"name": ?"7z"/)]);
});

it('a list of classes asks for the school, or for the user instead, unless the caller belongs to a school', async () => {
  const ofSchool = await shown(['classes', 'list'], ['2'], PLAIN);
  expect([ofSchool.code, ofSchool.text]).toEqual([0, expect.stringMatching(/classes of school s2/)]);
  const ofUser = await shown(['classes', 'list'], ['6', 'another', '25', 'school@example.org'], PLAIN);
  expect([ofUser.code, ofUser.text]).toEqual([0, expect.stringMatching(/classes of user school@example\.org\n/)]);
  const own = await shown(['classes', 'list', '--as', 'school'], [], PLAIN);
  expect(own.text).toMatch(/^Error: Cannot list classes: not allowed \(403\)/);
  expect((await shown(['classes', 'list', '--no-input'], [], PLAIN)).text).toMatch(
    /^Error: --school or --user is missing/,
  );
});

it('a list that may not be read is named before the question', async () => {
  const { text } = await shown(['classes', 'delete', '--as', 'school'], [], PLAIN);
  expect(text).toMatch(/^Warning: Cannot list classes to choose from\.\nWhich classes\? /);
});

it('names the organizations whose users cannot be listed, if none is called so', async () => {
  const service = await scriptedService({
    ...CALLER,
    'GET /v1/schools': { body: { schools: [{ id: 's1', name: 'North' }] } },
    'GET /v1/publishers': { body: { publishers: [] } },
    'GET /v1/users': ({ query }) =>
      query.organization === 's1' ? { status: 403, body: {} } : { body: { users: [], paging: {} } },
    '*': { status: 404, body: {} },
  });
  const { text } = await shown(['users', 'get', 'Mia'], [], { ...service.env, EDU_PLAIN: '1' });
  expect(text).toContain('all that it owns, without the users of\n       North (s1), which cannot be listed).');
});

it('a file to download is asked for by its own words', async () => {
  const { text } = await shown(['files', 'download'], [], PLAIN);
  expect(text).toMatch(/^ID, URL or storage path of the file: /);
});

it('the file to upload is checked as soon as it is named', async () => {
  const { text } = await shown(['readers', 'create'], ['/nowhere/a.pdf', '/nowhere/b.pdf'], PLAIN);
  expect(text.match(/--pdf\): .*\n"\/nowhere\/.\.pdf" cannot be read: /g)).toHaveLength(2);
});

it('a date must be valid, and the default language is chosen by Enter', async () => {
  const made = await shown(['subscriptions', 'create'], ['5', '2030-02-30', '2030-02-28'], PLAIN);
  expect([made.code, made.text]).toEqual([0, expect.stringContaining('must be a valid date (yyyy-MM-dd, today')]);
  const line = 'end-users create --first-name Mia --last-name Berg';
  const user = await shown(line.split(' '), ['m@x.example', ''], PLAIN);
  expect([user.code, user.text]).toEqual([0, expect.stringContaining('--language EN')]);
});

it('an export asks for its folder', async () => {
  const { code, text } = await shown(['export', 'roles'], [`${home().EDU_STATE_DIR}/backup`], PLAIN);
  expect([code, text]).toEqual([0, expect.stringMatching(/^Folder to write to; created if missing \(--to\): /)]);
});

it('an error names what was answered', async () => {
  const { text } = await shown(['users', 'find'], ['nobody@x.example'], PLAIN);
  expect(text).toContain('Error: Cannot find user nobody@x.example: ');
  expect((await shown(['licenses', 'delete', 'clear'], [], PLAIN)).code).toBe(5);
});
