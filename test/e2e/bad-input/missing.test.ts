/** Missing and contradictory input. */
import { BOOK_LICENCE, LICENCE, READER, table } from './refused.js';

table('something is missing: all of it is named at once', [
  ['books create', '--ean', '--title', '--year', '--subject', '--type', '--content-language'],
  ['licenses create', '--name', '--maximum-activations', '--type'],
  ['licenses create --type Books', '--name', '--maximum-activations', '--book', '--days'],
  [`${LICENCE} --type Books --book '' --days 30`, '--book'],
  [`${READER}`, '--pdf'],
  ['subscriptions update sub1', '--maximum-activations'],
  ['classes create', '--subject-id', '--school-id', '--name'],
  ['users create', '--first-name', '--last-name', '--email'],
  ['end-users update', 'ID', '--first-name', '--last-name'],
  ['books update b1 --title T', '--content-language'],
  ['books get', 'ID'],
  ['licenses cancel', 'LICENCE'],
  ['licenses assign l1', 'USER'],
  ['files upload', 'FILE'],
  ['api', 'PATH'],
  ['licenses update l1', 'No changes given', '--maximum-activations'],
]);

table('output flags', [
  ['licenses sync l1 --class c1 --yes --fields nope', 'there is no field "nope"'],
  ['licenses sync l1 --class c1 --yes --fields nope --dry-run', 'there is no field "nope"'],
  ['classes sync c1 --from FOLDER/people.csv --yes -o ids', 'prints no IDs'],
  ['export --as-plan --to FOLDER/want --fields nope', 'there is no field "nope"'],
  ['export merge FOLDER/a FOLDER/b --to FOLDER/all --fields nope', 'there is no field "nope"'],
  ['roster match FOLDER/people.csv --fields nope', 'there is no field "nope"'],
]);

table('flags that contradict each other', [
  [`${BOOK_LICENCE} --days 365 --until 2030-01-01`, '--until', '--days'],
  ['licenses update l1 --days 30 --until 2030-01-01', '--until', '--days'],
  ['classes list --school s --user u', '--user', '--school'],
  [`${READER} --pdf FOLDER/lesson.pdf --file-id f1`, '--file-id', '--pdf'],
  ['licenses list -o csv --output table', '--output', '2 times'],
  ['licenses list --as school', '--as', '--offline'],
  ['books list --organization-type School', '--organization-type', '--organization'],
  ['classes move u1 --from-class c1 --to-class c1', '--to-class must name another class'],
  ['api /v1/x -X POST --paginate', '--paginate', 'POST'],
  ['api /v1/schools/s1 --paginate', 'GET /v1/schools/s1 returns a single item', '--paginate'],
]);
