/** `edu doctor`: diagnoses problems, each with advice. */
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Command, isOn } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { wordHint } from '../../cli/hints.js';
import { requireFit } from '../../client/request/misfit.js';
import { account, callingUser } from '../../contract/account.js';
import { labelOf } from '../../contract/resource.js';
import { shape, text } from '../../contract/vocabulary.js';
import { type EduError, ignoring } from '../../core/errors.js';
import { checkFolder } from '../../core/fs/trusted-file.js';
import { version } from '../../core/version.js';
import { painter, type Style, wantsColor } from '../../output/color.js';
import { asEduError } from '../../output/error-report.js';
import { configFolder, stateFolder, TRUST } from '../../settings/folders.js';
import { requireBaseUrl } from '../../settings/in-effect.js';
import { asksForRecords } from '../kinds/spec.js';

const FINDING = shape('Finding', 'a check', {
  check: text('name of the check'),
  status: text('ok, warning, problem, or skipped'),
  found: text('result'),
  advice: text('next step', { nullable: true }),
});

interface Result {
  /** `skipped`: not checked, for the reason in `found`. */
  readonly status: 'ok' | 'warning' | 'problem' | 'skipped';
  readonly found: string;
  readonly advice: string | null;
  readonly error?: EduError;
  /** The results of checks that the same request answers, by name. */
  readonly more?: Readonly<Record<string, Result>>;
}

interface Finding extends Result {
  readonly check: string;
}

type Check = (context: Context) => Result | Promise<Result>;

const ok = (found: string): Result => ({ status: 'ok', found, advice: null });
const skipped = (found: string): Result => ({ status: 'skipped', found, advice: null });
const warning = (found: string, advice: string): Result => ({ status: 'warning', found, advice });

function problem(thrown: unknown): Result {
  const error = asEduError(thrown);
  return { status: 'problem', found: error.message, advice: error.hint ?? null, error };
}

/** An unsupported Node gets no further than bin/edu.js. */
const node: Check = () => ok(`edu ${version()} on Node ${process.versions.node}, ${process.platform} ${process.arch}`);

const settings: Check = (context) => {
  const effective = context.effective();
  const name = `profile ${effective.profile.value}${effective.profileExists ? '' : ' (not stored yet)'}`;
  if (context.isOffline) return ok(`${name}; offline, with the bundled service`);
  return ok(`${name}; ${requireBaseUrl(effective)} (${effective.baseUrl?.from})`);
};

function existingParent(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : existingParent(dirname(folder));
}

const folders: Check = ({ env }) => {
  const all = [configFolder(env), stateFolder(env)];
  for (const folder of all) checkFolder(folder, TRUST);
  const locked = all.find((folder) => {
    try {
      accessSync(existingParent(folder), constants.W_OK);
      return false;
    } catch {
      return true;
    }
  });
  if (locked === undefined) return ok(`settings in ${all[0]}, state in ${all[1]}`);
  return warning(`${locked} cannot be written`, 'Make it writable, or set EDU_CONFIG_DIR and EDU_STATE_DIR.');
};

const proxy: Check = async ({ env, isOffline, effective }) => {
  if (isOffline) return ok('not needed');
  const { proxyFor } = await import('../../client/transport/proxy-rules.js');
  const route = proxyFor(new URL(requireBaseUrl(effective())), env, effective().plainHosts);
  return ok(route === undefined ? 'none for this service' : `${route.url.origin} (${route.from})`);
};

const certificates: Check = async ({ env, isOffline, globals }) => {
  if (isOffline) return ok('not needed');
  const insecure = isOn(globals, 'insecure');
  const { unverifiedError } = await import('../../client/transport/network.js');
  const refused = unverifiedError({ env, insecure });
  if (refused !== undefined) return problem(refused);
  if (insecure) return warning('not verified (--insecure)', 'Leave --insecure out, and set NODE_EXTRA_CA_CERTS.');
  const { NODE_EXTRA_CA_CERTS: more } = env;
  return ok(`verified${more ? `, also by the authorities in ${more} (NODE_EXTRA_CA_CERTS)` : ''}`);
};

const terminal: Check = ({ io, env, canAsk }) => {
  const { stdout } = io;
  if (!stdout.isTTY) return ok('output goes to a file or pipe, so lists are printed as tsv');
  const columns = stdout.columns ?? 80;
  const found = `${columns} columns, TERM=${env.TERM ?? ''}, ${canAsk ? 'questions can be asked' : 'no questions are asked'}`;
  return columns < 60 ? warning(found, 'Make the window wider: tables need 60 columns or more.') : ok(found);
};

/** A larger offset can invalidate certificates and change dates. */
const CLOCK_TOLERANCE_MS = 120_000;

function clockOf(theirs: number, ours: number): Result {
  if (Number.isNaN(theirs)) return skipped('not checked: the service returns no date');
  const off = Math.round(Math.abs(theirs - ours) / 1000);
  return off * 1000 > CLOCK_TOLERANCE_MS
    ? warning(`this machine and the service are ${off} s apart`, 'Set the clock of this machine.')
    : ok(`agrees with the service (${off} s apart)`);
}

/** Sends a request whose response of any status counts as a connection, and compares the clocks. */
const connection: Check = async (context) => {
  // Login reports a missing token.
  const client = await context.client().catch(ignoring('unauthenticated'));
  if (client === undefined) return skipped('not checked: there is no usable access token');
  const start = context.now();
  const request = client.raw({ method: 'GET', path: account.show.path }, { signal: context.signal });
  const response = await context.during('Asking the service', request);
  const end = context.now();
  const service = context.isOffline ? 'bundled service' : client.baseUrl;
  const reached = ok(`${service} answered ${response.status} in ${end - start} ms`);
  // The bundled service uses the clock of this machine.
  if (context.isOffline) return reached;
  return { ...reached, more: { Clock: clockOf(Date.parse(response.headers.date ?? ''), (start + end) / 2) } };
};

const login: Check = async (context) => {
  const client = await context.client();
  const caller = await client.call(account.show, {}, { signal: context.signal });
  const { permissions } = requireFit(account.show, caller);
  const { findAccessToken, masked, placeOf } = await import('../../auth/credentials/credentials.js');
  const token = context.isOffline ? undefined : findAccessToken(placeOf(context.env, context.effective()));
  const from = token === undefined ? '' : `, token ${masked(token.token)} from ${token.from}`;
  const may =
    permissions == null
      ? skipped('not checked: the service does not return them')
      : permissions.length === 0
        ? warning('none', 'Ask an administrator of your organization for a role.')
        : ok(permissions.map(({ operation, resource }) => `${operation} ${resource}`).join(', '));
  return { ...ok((labelOf(callingUser, caller).trim() || caller.id) + from), more: { Permissions: may } };
};

const CHECKS: Readonly<Record<string, Check>> = {
  Node: node,
  Settings: settings,
  Folders: folders,
  Proxy: proxy,
  Certificates: certificates,
  Terminal: terminal,
  Connection: connection,
  Login: login,
};

const OF_SERVICE = ['Proxy', 'Connection', 'Login'];

/** Runs the checks in order. Those of the service are skipped after a problem, such as invalid settings. */
async function findingsIn(context: Context): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [check, examine] of Object.entries(CHECKS)) {
    const isSkipped = OF_SERVICE.includes(check) && findings.some(({ status }) => status === 'problem');
    const result = async () => (isSkipped ? skipped('not checked, because of the problem above') : examine(context));
    const { more = {}, ...found } = await result().catch(problem);
    const advice = found.advice && wordHint(found.advice, context.globals);
    findings.push({ check, ...found, advice }, ...Object.entries(more).map(([name, one]) => ({ check: name, ...one })));
  }
  return findings;
}

const MARKS: Readonly<Record<Finding['status'], readonly [mark: string, style: Style]>> = {
  ok: ['✓', 'green'],
  warning: ['!', 'yellow'],
  problem: ['✗', 'red'],
  skipped: ['-', 'dim'],
};

/** Wraps lines instead of cutting them, so that the advice is complete. */
async function checklist(findings: readonly Finding[], context: Context): Promise<string> {
  const { forPeople } = await import('../../output/sanitize.js');
  const { wrap } = await import('../../output/width.js');
  const { stdout } = context.io;
  const paint = painter(wantsColor(context.globals, context.env, stdout.isTTY));
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
async function examine(context: Context): Promise<void> {
  const printer = await context.printer();
  await printer.check(FINDING, 'list');
  const findings = await findingsIn(context);
  const rows = findings.map(({ check, status, found, advice }) => ({ check, status, found, advice }));
  const first = findings.find(({ error }) => error !== undefined)?.error;
  const isData = asksForRecords(context) || context.globals.limit !== undefined;
  if (printer.traits.people && context.io.stdout.isTTY && !isData)
    await context.io.stdout.write(await checklist(findings, context));
  else await printer.list(rows, { shape: FINDING, noun: 'checks' });
  if (first !== undefined) throw first;
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'Diagnose problems with the installation, settings, connection and login.',
  details:
    'Checks Node, settings, folders, proxy, certificates, terminal, the connection to the service, its clock, the access token and your ' +
    'permissions. The exit code is 0 without problems, otherwise that of the first problem.',
  examples: {
    'Check everything:': 'edu doctor',
    'Print the results for a bug report:': 'edu doctor --json',
  },
  shape: FINDING,
  prints: 'list',
  run: async (_, context) => examine(context),
};
