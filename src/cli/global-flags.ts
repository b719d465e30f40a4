/** The global flags (PRODUCT.md section 3), each with the trait that it requires. */
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
    description: 'output format',
    note: 'EDU_OUTPUT; table on a terminal, else tsv',
  },
  { name: 'json', kind: 'switch', group: OUTPUT, description: 'short for --output json' },
  {
    name: 'fields',
    trait: 'result',
    value: 'a,b.c',
    kind: 'text',
    group: OUTPUT,
    description: 'print only these fields',
  },
  {
    name: 'query',
    trait: 'result',
    value: 'JMESPATH',
    kind: 'text',
    group: OUTPUT,
    description: 'filter and transform with a JMESPath expression',
    note: 'see `edu help formatting`',
  },
  { name: 'header', trait: 'result', kind: 'switch', group: OUTPUT, description: 'print column names with tsv' },
  { name: 'no-header', trait: 'result', kind: 'switch', group: OUTPUT, description: 'print no column names' },
  {
    name: 'excel',
    trait: 'result',
    kind: 'switch',
    group: OUTPUT,
    description: 'write csv for Excel, with formulas escaped',
    note: 'semicolons unless --language is EN',
  },
  { name: 'wide', trait: 'result', kind: 'switch', group: OUTPUT, description: 'show all columns of tables' },
  {
    name: 'no-pager',
    trait: 'result',
    kind: 'switch',
    group: OUTPUT,
    description: 'do not show long tables in a pager',
    note: 'PAGER; default: less',
  },
  {
    name: 'sort',
    trait: 'list',
    value: 'FIELD[:desc]',
    kind: 'text',
    group: LISTS,
    description: 'sort a list',
    note: 'reads the whole list first',
  },
  {
    name: 'limit',
    trait: 'limit',
    value: 'N',
    kind: 'whole',
    minimum: 1,
    group: LISTS,
    description: 'maximum number of items, or rows of a bulk job',
  },
  {
    name: 'page-size',
    trait: 'pages',
    value: 'N',
    kind: 'whole',
    minimum: 1,
    group: LISTS,
    description: 'number of items per page of a list request',
  },
  {
    name: 'profile',
    value: 'NAME',
    kind: 'text',
    group: CONNECTION,
    description: 'profile with settings and login',
    note: 'EDU_PROFILE',
  },
  {
    name: 'base-url',
    value: 'URL',
    kind: 'text',
    group: CONNECTION,
    description: 'address of the service',
    note: 'EDU_BASE_URL',
  },
  {
    name: 'offline',
    kind: 'switch',
    group: CONNECTION,
    description: 'use the bundled service, without network or login',
    note: 'EDU_OFFLINE=1',
  },
  {
    name: 'as',
    value: 'PERSONA',
    kind: 'choice',
    choices: PERSONAS,
    group: CONNECTION,
    description: 'persona for --offline',
  },
  {
    name: 'timeout',
    trait: 'service',
    value: '30s',
    kind: 'text',
    group: CONNECTION,
    description: 'timeout of a request',
    note: '500ms, 30s, 5m',
  },
  {
    name: 'retries',
    trait: 'service',
    value: 'N',
    kind: 'whole',
    minimum: 0,
    group: CONNECTION,
    description: 'retry failed requests N times',
    note: 'default 3',
  },
  {
    name: 'max-wait',
    trait: 'service',
    value: '30m',
    kind: 'text',
    group: CONNECTION,
    description: 'maximum wait for a busy or unreachable service',
    note: 'EDU_MAX_WAIT; default 60s, exports and bulk jobs 5m',
  },
  {
    name: 'language',
    value: 'LL',
    kind: 'choice',
    choices: LANGUAGES,
    group: BEHAVIOUR,
    description: 'language of subject and type names',
    note: 'EDU_LANGUAGE; default EN',
  },
  {
    name: 'yes',
    trait: 'question',
    short: 'y',
    kind: 'switch',
    group: BEHAVIOUR,
    description: 'skip confirmation prompts',
  },
  { name: 'quiet', short: 'q', kind: 'switch', group: BEHAVIOUR, description: 'print IDs only, and no progress' },
  { name: 'no-input', kind: 'switch', group: BEHAVIOUR, description: 'never prompt', note: 'EDU_NO_INPUT=1' },
  { name: 'no-color', kind: 'switch', group: BEHAVIOUR, description: 'no colours', note: 'NO_COLOR' },
  {
    name: 'plain',
    kind: 'switch',
    group: BEHAVIOUR,
    description: 'no animation, for screen readers and logs',
    note: 'EDU_PLAIN=1',
  },
  { name: 'debug', kind: 'switch', group: BEHAVIOUR, description: 'log each request to stderr', note: 'EDU_DEBUG=1' },
  { name: 'help', short: 'h', kind: 'switch', group: BEHAVIOUR, description: 'show help' },
  { name: 'version', short: 'V', kind: 'switch', group: BEHAVIOUR, description: 'show the version' },
];

/** Flag of every write command. */
export const DRY_RUN: Flag = {
  name: 'dry-run',
  kind: 'switch',
  description: 'show the requests without sending them',
};
