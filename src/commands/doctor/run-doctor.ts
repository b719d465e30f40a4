/** The checks of `edu doctor`, one function each. They change nothing, and each runs even if another fails. */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { findAccessToken } from '../../auth/credentials/credentials.js';
import { masked } from '../../auth/credentials/mask.js';
import { isOn } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { account } from '../../contract/account.js';
import { EduError } from '../../core/errors.js';
import { version } from '../../core/version.js';
import { painter, type Style, wantsColor } from '../../output/color.js';
import { configFolder, stateFolder } from '../../settings/folders.js';
import { FINDING } from './shape.js';

interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'problem';
  readonly found: string;
  readonly advice: string | null;
  /** What the program ends with when this is the first problem. */
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

/** A thrown error as a finding: its hint is the advice. */
function problem(check: string, thrown: unknown): Finding {
  const error =
    thrown instanceof EduError
      ? thrown
      : new EduError('internal', thrown instanceof Error ? thrown.message : String(thrown));
  return { check, status: 'problem', found: error.message, advice: error.hint ?? null, error };
}

/** The oldest Node that the program runs on (package.json "engines"). */
const OLDEST = [20, 18, 1] as const;

const node: Check = () => {
  const found = `edu ${version()} on Node ${process.versions.node}, ${process.platform} ${process.arch}`;
  const own = process.versions.node.split('.').map(Number);
  const difference = OLDEST.map((part, index) => (own[index] ?? 0) - part).find((part) => part !== 0) ?? 0;
  return difference < 0 ? warning('Node', found, `Install Node ${OLDEST.join('.')} or later.`) : ok('Node', found);
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

/** The nearest folder that exists: the one in which others would be made. */
function existing(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existing(dirname(folder));
}

const folders: Check = ({ env }) => {
  const all = [configFolder(env), stateFolder(env)];
  const locked = all.find((folder) => {
    try {
      accessSync(existing(folder), constants.W_OK);
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

/** How far this machine's clock may be off before certificates and dates go wrong, in milliseconds. */
const CLOCK_TOLERANCE = 120_000;

/** Reaches the service as it is, so that its clock is seen and an answer of any kind counts as reached. */
async function reach(context: Context): Promise<readonly Finding[]> {
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
    off * 1000 > CLOCK_TOLERANCE
      ? warning('Clock', `this machine and the service are ${off} s apart`, 'Set the clock of this machine.')
      : ok('Clock', `agrees with the service (${off} s apart)`);
  return [reached, clock];
}

/** Who the token belongs to, and what they may do. */
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

/** The findings for people: nothing is cut, because the advice is what one came for. */
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

/** Runs every check, prints what was found, and fails with the first problem. */
export async function examine(context: Context): Promise<void> {
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
  // Without settings there is no service to ask.
  if (!findings.some(({ status }) => status === 'problem')) {
    const reached = await context.during(
      'Asking the service',
      attempt('Connection', () => reach(context)),
    );
    findings.push(...reached);
    if (!reached.some(({ status }) => status === 'problem'))
      findings.push(...(await attempt('Login', () => identity(context))));
  }
  const rows = findings.map(({ check, status, found, advice }) => ({ check, status, found, advice }));
  const first = findings.find(({ error }) => error !== undefined)?.error;
  if (printer === undefined) throw first ?? new EduError('internal', 'The settings for output cannot be read.');
  async function* page() {
    yield rows;
  }
  const isAsked = ['fields', 'query', 'sort', 'limit'].some((name) => context.globals[name] !== undefined);
  if (printer.traits.people && context.io.stdout.isTTY && !isAsked)
    await context.io.stdout.write(await checklist(findings, context));
  else await printer.list(page(), { shape: FINDING, noun: 'checks' });
  if (first !== undefined) throw first;
}
