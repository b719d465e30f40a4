/** The global flags, each with the trait that it requires. */
import { LANGUAGES } from '../contract/shared.js';
import { FORMATS } from '../output/formats.js';
import { type Flag, flag, OUTPUT_FILE, withEach } from './command.js';

export const PERSONAS = ['distributor', 'publisher', 'school', 'viewer'] as const;

export const GLOBAL_FLAGS: readonly Flag[] = [
  ...withEach({ group: 'Output' }, [
    flag('-o, --output FORMAT', 'output format (EDU_OUTPUT; table on a terminal, else tsv)', {
      kind: 'choice',
      choices: FORMATS,
    }),
    flag('--json', 'short for --output json'),
  ]),
  ...withEach({ group: 'Output', trait: 'result' }, [
    flag('--to FILE', 'write the result to FILE, in the format of its ending (.csv, .xlsx, .parquet, .json)', {
      kind: 'file',
      ...OUTPUT_FILE,
    }),
    flag('--fields a,b.c', 'print only these fields'),
    flag('--query JMESPATH', 'filter and transform with a JMESPath expression (see `edu help formatting`)'),
    flag('--header', 'print column names with tsv'),
    flag('--no-header', 'print no column names'),
    flag('--excel', 'write csv for Excel (semicolons unless --language is EN); texts stay as they are'),
    flag('--wide', 'show all columns of tables'),
    flag('--no-pager', 'do not show long tables in a pager (PAGER; default: less)'),
  ]),
  ...withEach({ group: 'List' }, [
    flag('--sort FIELD[:desc]', 'sort a list (reads the whole list first)', { trait: 'list' }),
    flag('--limit N', 'maximum number of items, or rows of a bulk job', { trait: 'limit', kind: 'whole', minimum: 1 }),
    flag('--page-size N', 'number of items per page of a list request', { trait: 'pages', kind: 'whole', minimum: 1 }),
  ]),
  ...withEach({ group: 'Connection' }, [
    flag('--profile NAME', 'profile with settings and login (EDU_PROFILE)'),
    flag('--base-url URL', 'address of the service (EDU_BASE_URL)'),
    flag('--offline', 'use the bundled service, without network or login (EDU_OFFLINE=1)'),
    flag('--as PERSONA', 'persona for --offline', { kind: 'choice', choices: PERSONAS }),
  ]),
  ...withEach({ group: 'Connection', trait: 'service' }, [
    flag('--timeout 30s', 'timeout of a request (500ms, 30s, 5m)'),
    flag('--retries N', 'retry a failed request N times at most (default 3; in an outage, until --max-wait)', {
      kind: 'whole',
      minimum: 0,
    }),
    flag(
      '--max-wait 30m',
      'maximum wait for a busy or unreachable service (EDU_MAX_WAIT; default 60s, exports and bulk jobs 5m)',
    ),
  ]),
  flag('--insecure-http HOST', 'allow unencrypted http to these hosts (EDU_INSECURE_HTTP)', {
    group: 'Connection',
    many: true,
  }),
  flag('--insecure', 'do not verify the certificate of the service', { group: 'Connection', trait: 'service' }),
  ...withEach({ group: 'Behaviour' }, [
    flag('--language LL', 'language of subject and type names (EDU_LANGUAGE; default EN)', {
      kind: 'choice',
      choices: LANGUAGES,
    }),
    flag('-y, --yes', 'skip confirmation prompts'),
    flag('-q, --quiet', 'print IDs only, and no progress'),
    flag('--no-input', 'never prompt (EDU_NO_INPUT=1)'),
    flag('--no-color', 'no colours (NO_COLOR)'),
    flag('--plain', 'no colours, animation, menus or pager, for screen readers and logs (EDU_PLAIN=1)'),
    flag('--debug', 'log each request to stderr; --debug=json: one object a line (EDU_DEBUG=1, EDU_DEBUG=json)', {
      variants: ['json'],
    }),
    flag('-h, --help', 'show help'),
    flag('-V, --version', 'show the version'),
  ]),
];

/** Flag of every write command. */
export const DRY_RUN = flag('--dry-run', 'show the requests without sending them');
