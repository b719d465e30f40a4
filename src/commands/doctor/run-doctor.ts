/** The checks of `edu doctor`. They change nothing, and each runs even if another fails. */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { findAccessToken, masked } from '../../auth/credentials/credentials.js';
import { isOn } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { account } from '../../contract/account.js';
import type { Field } from '../../contract/vocabulary.js';
import { EduError } from '../../core/errors.js';
import { version } from '../../core/version.js';
import { painter, type Style, wantsColor } from '../../output/color.js';
import { onePage } from '../../output/printer.js';
import { configFolder, stateFolder } from '../../settings/folders.js';

interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'problem';
  readonly found: string;
  readonly advice: string | null;
  readonly error?: EduError;
}

type Check = (context: Context) => Finding | Promise<Finding>;

const ok = (check: string, found: string): Finding => ({ check, status: 'ok', found, advice: null });
const warning = (check: string, found: string, advice: string): Finding => ({
  check,
  status: 'warning',
  found,
  advice,
});

function problem(check: string, thrown: unknown): Finding {
  const error =
    thrown instanceof EduError
      ? thrown
      : new EduError('internal', thrown instanceof Error ? thrown.message : String(thrown));
  return { check, status: 'problem', found: error.message, advice: error.hint ?? null, error };
}

/** From "engines" in package.json. */
const MIN_NODE = [20, 18, 1] as const;

const node: Check = () => {
  const found = `edu ${version()} on Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  const own = process.versions.node.split('.').map(Number);
  const difference = MIN_NODE.map((part, index) => (own[index] ?? 0) - part).find((part) => part !== 0) ?? 0;
  return difference < 0 ? warning('Node', found, `Install Node ${MIN_NODE.join('.')} or later.`) : ok('Node', found);
};

const settings: Check = (context) => {
  const { profile, baseUrl, profileExists } = context.effective();
  const name = `profile ${profile.value}${profileExists ? '' : ' (not stored yet)'}`;
  if (context.isOffline) return ok('Settings', `${name}; offline, with the bundled service`);
  if (baseUrl !== undefined) return ok('Settings', `${name}; ${baseUrl.value} (${baseUrl.from})`);
  return problem(
    'Settings',
    new EduError('usage', `${name}; the address of the service is not known`, {
      hint: 'Run `edu auth login`, or set EDU_BASE_URL. To try things out, add --offline.',
    }),
  );
};

function existingParent(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existingParent(dirname(folder));
}

const folders: Check = ({ env }) => {
  const all = [configFolder(env), stateFolder(env)];
  const locked = all.find((folder) => {
    try {
      accessSync(existingParent(folder), constants.W_OK);
      return false;
    } catch {
      return true;
    }
  });
  if (locked === undefined) return ok('Folders', `settings in ${all[0]}, state in ${all[1]}`);
  return warning('Folders', `${locked} can't be written`, 'Make it writable, or set EDU_CONFIG_DIR and EDU_STATE_DIR.');
};

const proxy: Check = async ({ env, isOffline, effective }) => {
  const baseUrl = effective().baseUrl?.value;
  if (isOffline || baseUrl === undefined) return ok('Proxy', 'not needed');
  const { proxyFor } = await import('../../client/transport/proxy-rules.js');
  const route = proxyFor(new URL(baseUrl), env);
  return ok('Proxy', route === undefined ? 'none for this service' : `${route.url.origin} (${route.from})`);
};

const terminal: Check = ({ io, env, canAsk }) => {
  const { stdout } = io;
  if (!stdout.isTTY) return ok('Terminal', 'output goes to a file or pipe, so lists are printed as tsv');
  const columns = stdout.columns ?? 80;
  const found = `${columns} columns, TERM=${env.TERM ?? ''}, ${canAsk ? 'questions can be asked' : 'no questions are asked'}`;
  return columns < 60
    ? warning('Terminal', found, 'Make the window wider: tables need 60 columns or more.')
    : ok('Terminal', found);
};

/** A larger offset can invalidate certificates and change dates. */
const CLOCK_TOLERANCE_MS = 120_000;

/** Sends a request whose response of any status counts as a connection, and compares the clocks. */
async function checkConnection(context: Context): Promise<readonly Finding[]> {
  const client = await context.client();
  const start = context.now();
  const response = await client.raw(
    { method: 'GET', path: account.show.path },
    { signal: context.signal, anyStatus: true },
  );
  const end = context.now();
  const reached = ok(
    'Connection',
    `${context.isOffline ? 'bundled service' : client.baseUrl} answered ${response.status} in ${end - start} ms`,
  );
  const theirs = Date.parse(response.headers.date ?? '');
  if (Number.isNaN(theirs)) return [reached];
  const off = Math.round(Math.abs(theirs - (start + end) / 2) / 1000);
  const clock =
    off * 1000 > CLOCK_TOLERANCE_MS
      ? warning('Clock', `this machine and the service are ${off} s apart`, 'Set the clock of this machine.')
      : ok('Clock', `agrees with the service (${off} s apart)`);
  return [reached, clock];
}

async function identity(context: Context): Promise<readonly Finding[]> {
  const client = await context.client();
  const caller = await client.call(account.show, {}, { signal: context.signal });
  const permissions = (caller.permissions ?? []).map(({ operation, resource }) => `${operation} ${resource}`);
  const token = context.isOffline
    ? undefined
    : findAccessToken({ env: context.env, profile: context.effective().profile.value, baseUrl: client.baseUrl });
  const from = token === undefined ? '' : `, token ${masked(token.token)} from ${token.from}`;
  const found =
    permissions.length === 0
      ? warning('Permissions', 'none', 'Ask an administrator of your organization for a role.')
      : ok('Permissions', permissions.join(', '));
  return [ok('Login', `${caller.firstName} ${caller.lastName} <${caller.email}>${from}`), found];
}

async function attempt(
  name: string,
  check: () => Finding | readonly Finding[] | Promise<Finding | readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    const found = await check();
    return 'check' in found ? [found] : found;
  } catch (error) {
    return [problem(name, error)];
  }
}

const MARKS: Readonly<Record<Finding['status'], readonly [mark: string, style: Style]>> = {
  ok: ['✓', 'green'],
  warning: ['!', 'yellow'],
  problem: ['✗', 'red'],
};

/** Wraps lines instead of cutting them, so that the advice is complete. */
async function checklist(findings: readonly Finding[], context: Context): Promise<string> {
  const { forPeople } = await import('../../output/sanitize.js');
  const { wrap } = await import('../../output/width.js');
  const { stdout } = context.io;
  const paint = painter(wantsColor(isOn(context.globals, 'no-color'), context.env, stdout.isTTY));
  const widest = Math.max(...findings.map(({ check }) => check.length));
  const indent = ' '.repeat(widest + 4);
  const room = Math.max(30, (stdout.columns ?? 80) - indent.length);
  return findings
    .map(({ check, status, found, advice }) => {
      const [mark, style] = MARKS[status];
      const lines = wrap(forPeople(found), room);
      const hints =
        advice === null
          ? []
          : wrap(forPeople(advice), room - 2).map((line, index) => `${index === 0 ? '→ ' : '  '}${line}`);
      const head = `${paint(style, mark)} ${check.padEnd(widest)}  `;
      return [...lines, ...hints].map((line, index) => `${index === 0 ? head : indent}${line}\n`).join('');
    })
    .join('');
}

/** @throws the first problem, after printing all findings */
export async function examine(shape: Field, context: Context): Promise<void> {
  const printer = await context.printer().catch(() => undefined);
  const findings: Finding[] = [];
  const local: readonly (readonly [string, Check])[] = [
    ['Node', node],
    ['Settings', settings],
    ['Folders', folders],
    ['Proxy', proxy],
    ['Terminal', terminal],
  ];
  for (const [name, check] of local) findings.push(...(await attempt(name, () => check(context))));
  // Without valid settings there is no service to connect to.
  if (!findings.some(({ status }) => status === 'problem')) {
    const reached = await context.during(
      'Asking the service',
      attempt('Connection', () => checkConnection(context)),
    );
    findings.push(...reached);
    if (!reached.some(({ status }) => status === 'problem'))
      findings.push(...(await attempt('Login', () => identity(context))));
  }
  const rows = findings.map(({ check, status, found, advice }) => ({ check, status, found, advice }));
  const first = findings.find(({ error }) => error !== undefined)?.error;
  if (printer === undefined) throw first ?? new EduError('internal', 'The settings for output cannot be read.');
  const isAsked = ['fields', 'query', 'sort', 'limit'].some((name) => context.globals[name] !== undefined);
  if (printer.traits.people && context.io.stdout.isTTY && !isAsked)
    await context.io.stdout.write(await checklist(findings, context));
  else await printer.list(onePage(rows), { shape, noun: 'checks' });
  if (first !== undefined) throw first;
}
