/** Plain mode: nothing is written but text and line ends. */
import { describe, expect, it } from 'vitest';
import { run } from '../support/run.js';
import { scriptedService } from '../support/scripted-service.js';
import { served } from '../terminal/served.js';

const CREATE_USER = ['users', 'create', '--organization', 's1', '--organization-type', 'School'];

/** Title, command line, a part of what is shown, and typed lines. */
type Case = readonly [string, readonly string[], string, (readonly string[])?];

const CASES: readonly Case[] = [
  ['a table', ['licenses', 'list', '--limit', '5'], 'Fetching licences…\n'],
  ['a table of a screen and more', ['books', 'list', '--wide'], 'ID '],
  ['one item', ['schools', 'get', 's1'], 'Gymnasium am Kirchplatz'],
  ['prompts', CREATE_USER, 'Numbers, separated by commas: ', ['Noor', 'Vos', 'n.vos@example.org', '2', '1', '1']],
  ['a question', ['licenses', 'delete', 'welcome1'], '(y/N) ', ['n']],
  ['a write of several', ['licenses', 'delete', '00000002', '00000003', '--yes'], 'Sending 2…\n', []],
  ['an error', ['licenses', 'get', 'nothing'], 'Error:'],
  ['an error in the words', ['licenses', 'lost'], 'Error:'],
  ['a help page', ['licenses', 'list', '--help'], 'Usage'],
  ['a help topic', ['help', 'bulk'], '--from'],
  ['the doctor', ['doctor'], 'ok'],
];

describe.each([
  ['--plain', ['--plain'], {}],
  ['EDU_PLAIN', [], { EDU_PLAIN: '1' }],
] as const)('%s', (_, flags, plain) => {
  it.each(CASES.map(([title, words, part, answers]) => ({ title, words, part, answers })))(
    '$title has no control characters, even where colours are on',
    async ({ words, part, answers }) => {
      const { env } = await served(20);
      const shown: string[] = [];
      await run([...words, ...flags], {
        env: { ...env, FORCE_COLOR: '1', TERM: 'xterm-256color', ...plain },
        terminal: 80,
        progressDelayMs: 0,
        onShow: (text) => void shown.push(text),
        ...(answers === undefined ? {} : { answers }),
      });
      expect(shown.join('')).toContain(part);
      expect(shown.join('')).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    },
  );
});

it('names a wait for several references once', async () => {
  const { env } = await served(20);
  const shown: string[] = [];
  await run(['licenses', 'assign', 'code:autumn', 'Matteo Rossi', '--in', 's1', '--plain', '--dry-run'], {
    env,
    terminal: 80,
    progressDelayMs: 0,
    onShow: (text) => void shown.push(text),
  });
  expect(shown.join('').match(/^.*…$/gm)).toEqual(['Looking up references…']);
});

it('says once for each reason that requests wait for the service', async () => {
  const busy = { status: 429, body: {} };
  const replies = [busy, { status: 503, body: {} }, busy, { body: { schools: [], paging: {} } }];
  const { env } = await scriptedService({ 'GET /v1/schools': () => replies.shift() ?? { body: {} } });
  const shown: string[] = [];
  const onShow = (text: string): void => void shown.push(text);
  expect((await run(['schools', 'list'], { env, terminal: 80, onShow })).code).toBe(0);
  expect(shown.join('').match(/(?<=Waiting for the service ).*/g)).toEqual(['(429).', '(503).']);
});
