/** `edu licenses summary`: licences, seats and their use, by book, organization, type or category. */
import { type Flag, flag, OUTPUT_FILE } from '../../cli/command.js';
import { LOCAL_LIST } from '../../cli/traits.js';
import { plainCommand } from '../kinds/define.js';
import { SUMMARY_FILTERS } from '../resources/license-filter-flags.js';
import { GROUPINGS, SUMMARY } from './summary-shape.js';

const FLAGS: readonly Flag[] = [
  flag('--by GROUP', 'what to group by (default: book)', { kind: 'choice', choices: GROUPINGS }),
  flag('--expiring TIME', 'time within which a licence counts as expiring (60d, 8w, 6m or 1y; default: 60d)', {
    kind: 'period',
  }),
  flag('--html FILE', 'also write a page with charts to FILE', OUTPUT_FILE),
  ...SUMMARY_FILTERS,
];

export const summary = plainCommand({
  name: 'summary',
  summary:
    'Show how the licences of each book are used: seats, activations, and numbers of full, unused and expiring licences.',
  details:
    'A licence counts for each of its books, and once in the total below a table. One whose term starts with its activation has no end date and is never ' +
    'counted as expiring. --html writes a self-contained page to view, print or share.',
  flags: FLAGS,
  examples: {
    'Show which books have licences that expire within 60 days, are full or unused:': 'edu licenses summary',
    "Show the use of one book, and of a school's licences:": 'edu licenses summary --book B1 --organization s1',
    'Group by organization, with the most expiring licences first:':
      'edu licenses summary --by organization --expiring 6m --sort expiring:desc',
    'Write a page with charts:': 'edu licenses summary --html licences.html',
  },
  shape: SUMMARY,
  prints: 'list',
  traits: [...LOCAL_LIST, 'pages', 'service'],
  run: async (values, context) => (await import('./run-summary.js')).summarize(values, context),
});
