/** The flags that may stand anywhere on the line (PRODUCT.md section 3), each with the trait that a command needs for it. */
import { LANGUAGES } from '../contract/shared.js';
import { FORMATS } from '../core/formats.js';
import type { Flag } from './command.js';

export const PERSONAS = ['distributor', 'publisher', 'school', 'viewer'] as const;

const OUTPUT = 'Output';
const LISTS = 'List';
const CONNECTION = 'Connection';
const BEHAVIOUR = 'Behaviour';

export const GLOBAL_FLAGS: readonly Flag[] = [
  {
    name: 'output',
    short: 'o',
    value: 'FORMAT',
    kind: 'choice',
    choices: FORMATS,
    group: OUTPUT,
    about: 'how to print the result',
    note: 'EDU_OUTPUT; table on a terminal, else tsv',
  },
  { name: 'json', kind: 'switch', group: OUTPUT, about: 'the same as --output json' },
  { name: 'fields', trait: 'result', value: 'a,b.c', kind: 'text', group: OUTPUT, about: 'print only these fields' },
  {
    name: 'query',
    trait: 'result',
    value: 'JMESPATH',
    kind: 'text',
    group: OUTPUT,
    about: 'print what a JMESPath expression picks',
    note: '[?…] and [].x print while pages arrive',
  },
  { name: 'header', trait: 'result', kind: 'switch', group: OUTPUT, about: 'start tsv with a line of column names' },
  { name: 'no-header', trait: 'result', kind: 'switch', group: OUTPUT, about: 'leave the line of column names out' },
  {
    name: 'excel',
    trait: 'result',
    kind: 'switch',
    group: OUTPUT,
    about: 'csv that Excel opens as it is, formulas disarmed',
  },
  { name: 'wide', trait: 'result', kind: 'switch', group: OUTPUT, about: 'tables with all columns, however wide' },
  { name: 'no-pager', trait: 'result', kind: 'switch', group: OUTPUT, about: 'never pass long tables through $PAGER' },
  {
    name: 'sort',
    trait: 'list',
    value: 'FIELD[:desc]',
    kind: 'text',
    group: LISTS,
    about: 'sort a list',
    note: 'nothing is printed before the last page',
  },
  {
    name: 'limit',
    trait: 'limit',
    value: 'N',
    kind: 'whole',
    least: 1,
    group: LISTS,
    about: 'stop after N items; of a job, after N rows',
  },
  {
    name: 'page-size',
    trait: 'pages',
    value: 'N',
    kind: 'whole',
    least: 1,
    group: LISTS,
    about: 'items to ask for on a page',
  },
  {
    name: 'profile',
    value: 'NAME',
    kind: 'text',
    group: CONNECTION,
    about: 'settings and login to use',
    note: 'EDU_PROFILE',
  },
  {
    name: 'base-url',
    value: 'URL',
    kind: 'text',
    group: CONNECTION,
    about: 'address of the service',
    note: 'EDU_BASE_URL',
  },
  {
    name: 'offline',
    kind: 'switch',
    group: CONNECTION,
    about: 'use the bundled service: no network, no login',
    note: 'EDU_OFFLINE=1',
  },
  {
    name: 'as',
    value: 'PERSONA',
    kind: 'choice',
    choices: PERSONAS,
    group: CONNECTION,
    about: 'who to be with --offline',
  },
  {
    name: 'timeout',
    trait: 'service',
    value: '30s',
    kind: 'text',
    group: CONNECTION,
    about: 'give up after this time',
    note: '500ms, 30s, 5m',
  },
  {
    name: 'retries',
    trait: 'service',
    value: 'N',
    kind: 'whole',
    least: 0,
    group: CONNECTION,
    about: 'retry failed requests N times',
    note: 'default 3',
  },
  {
    name: 'max-wait',
    trait: 'service',
    value: '30m',
    kind: 'text',
    group: CONNECTION,
    about: 'how long to ride out 429, 503 and outages',
    note: 'EDU_MAX_WAIT, default 60s, exports 5m',
  },
  {
    name: 'language',
    value: 'LL',
    kind: 'choice',
    choices: LANGUAGES,
    group: BEHAVIOUR,
    about: 'language of names in the answer',
    note: 'EDU_LANGUAGE, default EN',
  },
  {
    name: 'yes',
    trait: 'question',
    short: 'y',
    kind: 'switch',
    group: BEHAVIOUR,
    about: 'do not ask before deleting, cancelling, anonymizing',
  },
  { name: 'quiet', short: 'q', kind: 'switch', group: BEHAVIOUR, about: 'print ids only, and no progress' },
  { name: 'no-input', kind: 'switch', group: BEHAVIOUR, about: 'never ask for anything', note: 'EDU_NO_INPUT=1' },
  { name: 'no-color', kind: 'switch', group: BEHAVIOUR, about: 'no colours', note: 'NO_COLOR' },
  {
    name: 'plain',
    kind: 'switch',
    group: BEHAVIOUR,
    about: 'no animation, for screen readers and logs',
    note: 'EDU_PLAIN=1',
  },
  { name: 'debug', kind: 'switch', group: BEHAVIOUR, about: 'show each request on stderr', note: 'EDU_DEBUG=1' },
  { name: 'help', short: 'h', kind: 'switch', group: BEHAVIOUR, about: 'show help' },
  { name: 'version', short: 'V', kind: 'switch', group: BEHAVIOUR, about: 'show the version' },
];

/** On every write command. */
export const DRY_RUN: Flag = {
  name: 'dry-run',
  kind: 'switch',
  about: 'show the exact requests and send none of them',
};
