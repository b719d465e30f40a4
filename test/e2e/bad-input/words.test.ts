/** Unknown words on the command line, and values that would address something else. */
import { expect, test } from 'vitest';
import { run } from '../../support/run.js';
import { BOOK, BOOK_LICENCE, DE_BOOK, READER, table } from './refused.js';

table('ids that would address something else', [
  ["books get ''", 'ID is empty'],
  ["books get '  '", 'ID is empty'],
  ['licenses get code:', 'code', 'empty'],
  ["licenses get 'code: '", 'LICENCE "code: " is empty'],
  ['licenses delete l1 .. --yes', 'LICENCE is ".."'],
  ["licenses assign l1 ''", 'USER is empty'],
  ["users find ''", 'EMAIL is empty'],
  ['users find Noor', 'EMAIL must be an e-mail address', '"Noor"'],
  ['users get \ud800', 'USER is not valid text', '"\\ud800"'],
  ["classes list --school ''", '--school is empty'],
  ['classes create --name 7b --school-id .. --subject-id s1', '--school-id is ".."'],
  ["books list --organization '' --organization-type School", '--organization is empty'],
  [`${BOOK_LICENCE} --book .. --days 365`, '--book is ".."'],
  [`${BOOK_LICENCE} --book b2,,b3 --days 365`, '--book is empty'],
  [`${READER} --file-id ''`, '--file-id is empty'],
  ["files download ''", 'FILE is empty'],
  ['files upload ..', 'FILE ".." is a folder'],
  ["api ''", 'PATH is empty'],
  ["offline serve --fault ''", '--fault must not be empty'],
  ['api /v1/../x', '"/v1/../x"', '".."'],
  ['api /v1/%2e%2e/x', '"/v1/%2e%2e/x"'],
  ['api https://elsewhere.example/v1/account', 'https://elsewhere.example', 'base URL'],
  ['api //elsewhere.example/v1', 'another host'],
]);

table('words that are unknown', [
  ['frobnicate', 'edu frobnicate', 'edu --help'],
  ['boks list', 'edu boks', 'Did you mean book'],
  ['book lst', 'edu books lst', 'Did you mean list?'],
  ['licenses list --typ BOOKS', '--typ', 'Did you mean --type?'],
  ['licenses list --jsn', '--jsn', 'Did you mean --json?'],
  ['licenses list -limit 1', 'Unknown flag -limit.', 'Did you mean --limit?'],
  ['licenses list --PAGE_SIZE 1', 'Unknown flag --PAGE_SIZE.', 'Did you mean --page-size?'],
  ['jobs undo --last', 'Unknown flag --last.\nHint: See: edu jobs undo --help\n'],
  ['licenses list --code autumn', '--code', 'Did you mean --search?'],
  [
    'licenses list extra',
    '"extra" is unexpected: edu licenses list takes no arguments.',
    'Did you mean --search extra?',
  ],
  ['licenses create Autumn', '"Autumn" is unexpected', 'Did you mean --name Autumn?'],
  [
    'schools get Gymnasium am Kirchplatz',
    '"am" is unexpected: edu schools get takes only ID.',
    "Put a name with spaces in quotes: edu schools get 'Gymnasium am Kirchplatz'",
  ],
  ['schools get New School --profile w2 --offline', "edu schools get 'New School' --profile w2 --offline"],
  ['--insecure-http h --base-url http://h list schools', 'schools list --base-url http://h --insecure-http h`'],
  ['licenses list --type BOOK', '--type', '"BOOK"', 'BOOKS or TEACHER', 'Did you mean BOOKS?'],
  ["licenses list --type ''", '--type', '""'],
  ['licenses list --fields cod', '--fields', '"cod"', 'Did you mean code?'],
  ['licenses list --fields code,,name', '--fields', '"code,,name"'],
  ['licenses list --sort nam', '--sort', '"nam"', 'Did you mean name?'],
  ['licenses list --sort name:up', '--sort', '"name:up"', ':desc'],
  ['licenses list --query [?', '--query', '"[?"'],
  ['licenses list --profile nope', '--profile', '"nope"'],
  ['books list --organization x --organization-type Scool', '"Scool"', 'Did you mean School?'],
  ['files upload FOLDER/lesson.pdf --type Audoi', '--type', '"Audoi"', 'Did you mean Audio?'],
  [`${DE_BOOK} --layout-type WIDE`, '--layout-type', '"WIDE"', 'SPREADS or PAGES'],
  [`${BOOK} --content-language XX`, '--content-language', '"XX"'],
  ['api /v1/x -X FETCH', '--method', '"FETCH"'],
  ['licenses list --offline --as boss', '--as', '"boss"'],
  ['help formating', '"formating"', 'Did you mean formatting?'],
  ['help formatting csv', '"csv" is unexpected', 'See: edu help formatting'],
  ['help doctor now', '"now" is unexpected', 'See: edu help doctor'],
  ['help licenses create books', '"books" is unexpected', 'See: edu help licenses create'],
  ['help licenses create books --json', 'is unexpected'],
  ['config get organisation', '"organisation"'],
]);

table('flags without a command', [
  ['--nope', 'Unknown flag --nope.', 'See: edu --help'],
  ['--profil --json', '--profile'],
  ['licenses --nope', 'Unknown flag --nope.', 'See: edu licenses --help'],
  ['--retries x', '--retries must be a whole number'],
]);

test('global flags without a command print help', async () => {
  for (const words of [['--json'], ['--no-color'], ['licenses', '--quiet'], ['--nope', '--help']]) {
    const ran = await run(words, {});
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain('Usage: edu');
  }
});
