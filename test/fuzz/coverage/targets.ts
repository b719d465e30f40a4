/**
 * The parsers of untrusted input, each as a function of bytes that throws if a property fails: `npm run fuzz:coverage`
 * searches for such bytes, and `kept-cases.test.ts` runs those that were found.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { credentialsFile, readCredentials } from '../../../src/auth/credentials/credentials.js';
import { answerIn, digestOf } from '../../../src/auth/login/browser-answer.js';
import { readPasted } from '../../../src/auth/login/paste.js';
import { judge } from '../../../src/auth/login/request-filter.js';
import { allJobs, requireJob } from '../../../src/bulk/job/job-store.js';
import { Journal } from '../../../src/bulk/job/journal.js';
import { lastRunEnd } from '../../../src/bulk/job/journal-entry.js';
import { wordsOf } from '../../../src/client/errors/error-body.js';
import { EduError } from '../../../src/core/errors.js';
import { exactJson, parseJson } from '../../../src/core/exact-json.js';
import { jsonFault } from '../../../src/core/json.js';
import { openInput } from '../../../src/core/table/open-table.js';
import type { Rows } from '../../../src/core/table/rows.js';
import { openXlsx } from '../../../src/core/table/xlsx/open-xlsx.js';
import { keyReader } from '../../../src/export/collect/resources.js';
import { readManifest } from '../../../src/export/files/manifest.js';
import { readDataFile } from '../../../src/export/files/read-data-file.js';
import { linesOf, readPlan } from '../../../src/plan/plan-file.js';
import { readRoster } from '../../../src/plan/roster/read-roster.js';
import { resolveProfile } from '../../../src/settings/in-effect.js';
import { listProfiles, listSettings } from '../../../src/settings/profile-store.js';
import { readSettings, settingsFile } from '../../../src/settings/read-settings.js';
import { BOUNDARY, bundled, FORM_TYPE, formOf } from '../../support/bundled-service.js';
import { csvFiles, SMALL_11, SMALL_12 } from '../../support/roster-files.js';
import { workbookOf } from '../../support/workbook.js';
import { CREDENTIALS, JOB, JOURNAL, MANIFEST, PLAN, SETTINGS } from './samples.js';

export interface Target {
  /** Inputs to begin with. */
  readonly seeds: readonly (string | Uint8Array)[];
  /** @throws if a property fails */
  readonly run: (bytes: Buffer) => unknown;
}

function assert(holds: boolean, promise: string): asserts holds {
  if (!holds) throw new Error(`broken: ${promise}`);
}

/**
 * Runs work that may refuse its input only with this kind of error, whose message names a file.
 * @returns undefined if it did
 */
async function orRefused<T>(kind: EduError['kind'], work: () => T | Promise<T>, file = ''): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof EduError && error.kind === kind && error.message.includes(file)) return undefined;
    throw error;
  }
}

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function drain(rows: Rows): Promise<string> {
  const read: unknown[] = [rows.columns];
  for await (const batch of rows.batches) {
    for (const { line } of batch.problems) assert(line > 0, 'a problem has a line');
    read.push(
      batch.rows.map(({ cells }) => cells),
      batch.problems,
    );
  }
  return JSON.stringify(read.flat());
}

/** The same rows for chunks of any size. */
async function rows(bytes: Buffer, name: string): Promise<void> {
  const read = (size: number) =>
    orRefused('usage', async () => drain(await openInput(inPieces(bytes, size), { name })));
  assert((await read(7)) === (await read(1 << 20)), 'rows do not depend on how bytes are cut');
}

const STATE = 's'.repeat(43);
const CALLBACK = { host: '127.0.0.1:8976', paths: ['/callback/x', '/callback'], stateDigest: digestOf(STATE) };

/** A raw request: its first line, then headers. */
function callback(bytes: Buffer): void {
  const [first = '', ...lines] = bytes.toString('latin1').split('\r\n');
  const [method, target = ''] = first.split(' ');
  const rawHeaders = lines.flatMap((line) => {
    const at = line.indexOf(':');
    return at < 1 ? [] : [line.slice(0, at), line.slice(at + 1).trim()];
  });
  const verdict = judge({ remoteAddress: '127.0.0.1', method, target, rawHeaders }, CALLBACK);
  if (verdict.kind === 'settles') {
    // A # is an ordinary character here: browsers send none.
    const query = new URLSearchParams(target.slice(target.indexOf('?') + 1));
    assert(query.getAll('state').join() === STATE, 'only the state of this login settles it');
    assert(CALLBACK.paths.includes(target.split('?')[0] ?? ''), 'only its paths settle it');
    assert(method === 'GET', 'only GET settles it');
  }
  const answer = answerIn(target.split('?')[1] ?? '', [CALLBACK.stateDigest]);
  if (answer.kind === 'code' || answer.kind === 'refused') assert(answer.state === STATE, 'an answer has the state');
  const pasted = readPasted(bytes.toString(), [CALLBACK.stateDigest]);
  if (pasted.kind === 'answer') assert(pasted.answer.state === STATE, 'a pasted answer has the state');
}

const request = (target: string, ...headers: readonly string[]): string =>
  [`GET ${target} HTTP/1.1`, 'Host: 127.0.0.1:8976', ...headers].join('\r\n');

/** `parseJson` is JSON.parse that keeps long numbers. */
function json(bytes: Buffer): void {
  const text = bytes.toString();
  let plain: unknown;
  let isJson = true;
  try {
    plain = JSON.parse(text);
  } catch {
    isJson = false;
  }
  let exact: unknown;
  let isExact = true;
  try {
    exact = parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    isExact = false;
  }
  assert(isJson === isExact, 'both take the same texts for JSON');
  const fault = jsonFault(text);
  assert((fault === undefined) === isJson, 'the place of a fault is named for what is not JSON');
  assert(fault === undefined || fault.line <= text.split('\n').length, 'the place is in the text');
  // A lone number that JavaScript cannot represent becomes a text, since there is no object to keep its digits.
  if (isJson && typeof plain !== 'number')
    assert(JSON.stringify(JSON.parse(exactJson(exact))) === JSON.stringify(plain), 'it is written as it was');
  wordsOf(bytes, 'application/json');
  wordsOf(bytes, 'text/html');
}

/** Several files in one input. */
const PART = /^== (\S+)\n/m;
const joined = (files: Readonly<Record<string, string>>): string =>
  Object.entries(files)
    .map(([name, text]) => `== ${name}\n${text}`)
    .join('');

/** Names of all targets. */
export const NAMES = [
  ...[
    'csv',
    'json-rows',
    'xlsx',
    'sheet',
    'multipart',
    'one-roster',
    'settings',
    'credentials',
    'export-manifest',
    'export-data',
  ],
  ...['job-manifest', 'journal', 'plan', 'callback', 'cursor', 'json'],
] as const;

/** @param folder for files that a target reads; must exist */
export async function targets(folder: string): Promise<Readonly<Record<(typeof NAMES)[number], Target>>> {
  const env = { EDU_CONFIG_DIR: join(folder, 'config'), EDU_STATE_DIR: join(folder, 'state') };
  const file = (name: string, bytes: Uint8Array, mode = 0o600): string => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, bytes, { mode });
    return path;
  };
  const bundle = await bundled();
  /** Sends a request to the bundled service; the status is below 500, and there is no unexpected error. */
  const ask = async (...call: Parameters<typeof bundle.call>) => {
    const answer = await bundle.call(...call);
    const [unforeseen] = bundle.errors.splice(0);
    if (unforeseen !== undefined) throw unforeseen;
    assert(answer.status < 500, `no ${answer.status}`);
    return answer;
  };
  const form = formOf([
    { name: 'title', value: 'T' },
    { name: 'settings.indexPageNumber', value: '1' },
    { name: 'pdfFile', value: '%PDF-1.4', filename: 'a.pdf', type: 'application/pdf' },
  ]);
  const page = '/v1/licenses?limit=2&type=BOOKS';
  const { nextCursor } = (await ask('GET', page)).json.paging;
  return {
    csv: {
      seeds: [
        'name,city\n"a ""b""",c\r\n1;2,3\n',
        'sep=;\nname;city\n="007";x\n',
        '\ufeffid\n1\n',
        Buffer.from('\ufeffa\tb\n1\t2\n', 'utf16le'),
        'a|b\n"open\n',
      ],
      run: (bytes) => rows(bytes, 'rows.csv'),
    },
    'json-rows': {
      seeds: ['{"a":1}\n{"a":"x","b":null}\n', '[{"a":[1,2]},{"a":{"b":1e5}}]', '[]', '{"a":12345678901234567890}'],
      run: (bytes) => rows(bytes, '-'),
    },
    xlsx: {
      seeds: [
        workbookOf({
          sheets: [
            {
              name: 'A',
              rows: [
                ['name', 'n'],
                ['x', 1],
                [true, null],
              ],
            },
          ],
        }),
      ],
      run: (bytes) => orRefused('usage', async () => drain(await openXlsx(file('rows.xlsx', bytes), 'rows.xlsx', {}))),
    },
    sheet: {
      seeds: [
        '<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c><c r="B1"><v>1</v></c></row>' +
          '<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" s="1"><v>45000.5</v></c></row></sheetData>' +
          '<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells></worksheet>',
      ],
      run: (bytes) => {
        const sheets = [{ name: 'A', rows: [['shared']] }];
        const book = workbookOf({ sheets, formats: [14], files: { 'xl/worksheets/sheet1.xml': bytes } });
        return orRefused('usage', async () => drain(await openXlsx(file('sheet.xlsx', book), 'sheet.xlsx', {})));
      },
    },
    multipart: {
      seeds: [form, `--${BOUNDARY}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--${BOUNDARY}--\r\n`],
      run: async (bytes) => {
        const files = () => readdirSync(bundle.store.blobs.path('x').slice(0, -2));
        const before = files().length;
        const { status } = await ask('POST', '/v1/books', {
          headers: { 'content-type': FORM_TYPE },
          body: inPieces(bytes, 50),
        });
        assert(!files().some((one) => one.endsWith('.part')), 'no half of a file is left');
        assert(status < 300 || files().length === before, 'what is refused leaves no file');
      },
    },
    'one-roster': {
      seeds: [joined(csvFiles(SMALL_11)), joined(csvFiles(SMALL_12))],
      run: async (bytes) => {
        rmSync(join(folder, 'roster'), { recursive: true, force: true });
        mkdirSync(join(folder, 'roster'));
        const [, ...parts] = bytes.toString('latin1').split(PART);
        for (let at = 0; at + 1 < parts.length; at += 2) {
          const name = (parts[at] ?? '').replace(/[^\w.-]/g, '');
          if (/^\w/.test(name) && name.length < 100) file(`roster/${name}`, Buffer.from(parts[at + 1] ?? '', 'latin1'));
        }
        await orRefused('usage', () => readRoster(join(folder, 'roster'), { on: '2026-11-20', reading: undefined }));
      },
    },
    settings: {
      seeds: [SETTINGS, '{}', '{"profiles":{"__proto__":{"base-url":"https://a.test"}}}'],
      run: async (bytes) => {
        file('config/settings.json', bytes);
        assert(settingsFile(env) === join(folder, 'config/settings.json'), 'that is the file of settings');
        const settings = await orRefused('usage', () => readSettings(env), settingsFile(env));
        if (settings === undefined) return;
        for (const read of [resolveProfile, listSettings, listProfiles])
          await orRefused<unknown>('usage', () => read({ flags: {}, env: {}, settings }));
      },
    },
    credentials: {
      seeds: [CREDENTIALS],
      run: async (bytes) => {
        mkdirSync(dirname(credentialsFile(env)), { recursive: true, mode: 0o700 });
        writeFileSync(credentialsFile(env), bytes, { mode: 0o600 });
        const read = await orRefused('unauthenticated', () => readCredentials(env), credentialsFile(env));
        for (const origins of read?.values() ?? [])
          for (const { accessToken = 'x' } of origins.values())
            assert(/^[\x21-\x7e]+$/.test(accessToken), 'a token fits into a header');
      },
    },
    'export-manifest': {
      seeds: [JSON.stringify(MANIFEST)],
      run: async (bytes) => {
        file('export/manifest.json', bytes);
        const read = await orRefused('usage', () => readManifest(join(folder, 'export')));
        for (const facts of Object.values(read?.manifest.resources ?? {}))
          for (const { file } of [facts, ...Object.values(facts.changes ?? {})])
            assert(file === null || /^[A-Za-z][\w.-]*$/.test(file), 'a file is in the folder');
      },
    },
    'export-data': {
      seeds: ['{"id":"a","name":"x"}\n{"id":"b"}\n', '[\n{"id":"a"},\n{"id":"b"}\n]\n', 'id,name\na,"b\nc"\n'],
      run: async (bytes) => {
        file('export/data', bytes);
        const facts = { file: 'data', count: 2, bytes: bytes.length, sha256: 'x' };
        for (const format of ['ndjson', 'json', 'csv'] as const)
          await orRefused('usage', async () => {
            const file = { folder: join(folder, 'export'), facts, format, keyOf: keyReader('schools') };
            for await (const items of readDataFile(file))
              for (const { key } of items) assert(typeof key === 'string', 'an item has a key');
          });
      },
    },
    'job-manifest': {
      seeds: [JSON.stringify(JOB)],
      run: (bytes) => {
        file(`state/jobs/${JOB.id}/manifest.json`, bytes);
        for (const { manifest } of allJobs(env)) {
          assert(manifest.id === JOB.id, 'a job is called as its folder');
          requireJob(env, JOB.id);
        }
      },
    },
    journal: {
      seeds: [JOURNAL.map((entry) => `${JSON.stringify(entry)}\n`).join('')],
      run: async (bytes) => {
        const path = file('journal', bytes);
        lastRunEnd(path);
        const counts = await orRefused('usage', () => Journal.count(path, 3));
        if (counts === undefined) return;
        assert(Object.values(counts).reduce((sum, count) => sum + count, 0) === 3, 'each row counts once');
        const journal = await Journal.open(path, 3);
        for (const row of [1, 2, 3]) journal.outcome(row);
        await journal.close();
      },
    },
    plan: {
      seeds: [[...linesOf(PLAN)].join('')],
      run: (bytes) => orRefused('usage', () => readPlan(file('a.plan', bytes))),
    },
    callback: {
      seeds: [
        request(`/callback?code=abc&state=${STATE}`, 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document'),
        request(`/callback/x?error=access_denied&error_description=no&state=${STATE}`),
        request('/favicon.ico', 'Purpose: prefetch'),
        `http://127.0.0.1:8976/callback?code=abc&state=${STATE}`,
      ],
      run: callback,
    },
    cursor: {
      seeds: [nextCursor, Buffer.from(nextCursor, 'base64'), '%'],
      run: async (bytes) => {
        for (const cursor of [bytes.toString('latin1'), bytes.toString('base64')]) {
          const { status } = await ask('GET', `${page}&cursor=${encodeURIComponent(cursor)}`);
          assert(status === 400 || cursor === nextCursor, 'a cursor that was not issued is refused');
        }
      },
    },
    json: {
      seeds: [
        '{"a":[1,2.50,-0,1e400,12345678901234567890],"b":"\\u00e9\\ud800","__proto__":null}',
        '"x"',
        '<html>no</html>',
      ],
      run: json,
    },
  };
}
