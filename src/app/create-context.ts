/** Creates the context of a command, each part when it is first used. */

import { checkVariables, isOn, switchOf, textOf, type Values } from '../cli/command.js';
import type { ChosenOrganization, Context, RunLine } from '../cli/context.js';
import type { Resolver } from '../client/references/resolver.js';
import type { Client } from '../client/request/client.js';
import { isSet } from '../core/boolean.js';
import { usageError } from '../core/errors.js';
import type { Env, Machine } from '../core/io.js';
import { once } from '../core/maps.js';
import { isPlain as asksPlain, wantsColor } from '../output/color.js';
import { FORMATS, type Format } from '../output/formats.js';
import { outputSettings } from '../output/output-settings.js';
import type { Progress } from '../output/progress/progress.js';
import { type Asked, resolveProfile } from '../settings/in-effect.js';
import { readSettings } from '../settings/read-settings.js';
import { formatAsked, wantsJsonErrors } from './format-asked.js';
import type { Runtime } from './runtime.js';

interface MessageOptions {
  readonly runtime: Runtime;
  readonly isQuiet: boolean;
  readonly isPlain: boolean;
  readonly isColored: boolean;
  /** The output format. @throws EduError `usage` */
  readonly format: () => Format;
  /** True if warnings are held back: with JSON, stderr must contain nothing but the error object. */
  readonly holdsWarnings: () => boolean;
  /** Registers a cleanup. */
  readonly onEnd: (close: () => void) => void;
}

function createMessages(options: MessageOptions) {
  const { runtime, isQuiet, isPlain, isColored, onEnd } = options;
  const { io, progressDelayMs } = runtime;
  let shown: Progress | undefined;
  const heldWarnings: string[] = [];
  const waits = new Set<string>();

  const progress = once(async (): Promise<Progress> => {
    const { Progress: Display, progressMode } = await import('../output/progress/progress.js');
    const mode = progressMode(io, options.format(), isQuiet, isPlain);
    shown = new Display(io, { mode, color: isColored, delayMs: progressDelayMs });
    onEnd(shown.stop);
    return shown;
  });
  // The stderr of the progress display clears its line before a message.
  const write = (text: string): Promise<void> => (shown ?? { io }).io.stderr.write(text);

  async function say(text: string): Promise<void> {
    if (isQuiet || !io.stderr.isTTY) return;
    const { sayingText } = await import('../output/error-report.js');
    await write(sayingText(text, io.stderr.columns));
  }

  async function printWarning(text: string): Promise<void> {
    const { warningText } = await import('../output/error-report.js');
    await write(warningText(text, isColored, io.stderr.columns));
  }
  return {
    progress,
    say,
    /** Says that requests wait for the service, once for each reason. */
    onWait(why: string): void {
      if (!waits.has(why)) void say(`Waiting for the service (${why}).`);
      waits.add(why);
    },
    async warn(text: string): Promise<void> {
      if (options.holdsWarnings()) heldWarnings.push(text);
      else await printWarning(text);
    },
    async during<T>(label: string, work: Promise<T>): Promise<T> {
      if (!io.stderr.isTTY || isQuiet) return work;
      // Avoids an unhandled rejection while the progress display loads; the caller gets the error below.
      work.catch(() => {});
      const waiting = (await progress()).wait(label);
      try {
        return await work;
      } finally {
        waiting.done();
      }
    },
    /** Warnings to print after the command. */
    heldWarnings,
    async flushWarnings(): Promise<void> {
      for (const text of heldWarnings.splice(0)) await printWarning(text);
    },
  };
}

/** @param onNotice called with remarks about the settings */
function effectiveSettings(
  path: string,
  globals: Values,
  { io, env }: Pick<Runtime, 'io' | 'env'>,
  onNotice: (notice: string) => void,
) {
  // These commands can create a profile, or say of one that it is not there. For others, an unknown one is a misspelling.
  const mayBeNew = /^(auth|login|logout|config set|profiles)\b/.test(path);
  const asked = once((): Asked => ({ flags: globals, env, settings: readSettings(env), mayBeNew }));
  const effective = once(() => {
    const found = resolveProfile(asked());
    if (!isOn(globals, 'quiet')) for (const notice of found.notices) onNotice(notice);
    if (found.plainHttpNotice !== undefined) onNotice(found.plainHttpNotice);
    return found;
  });
  /** If they are invalid, which these commands show, only the format. */
  const ofOutput = () => {
    try {
      return effective();
    } catch (error) {
      if (!/^(doctor|config|profiles)\b/.test(path)) throw error;
      const asked = formatAsked(globals, env)?.toLowerCase();
      return { language: undefined, output: { value: FORMATS.find((format) => format === asked) }, pager: undefined };
    }
  };
  return {
    asked,
    effective,
    language: () => effective().language.value,
    configuredOrganization(): ChosenOrganization | undefined {
      const { organization, organizationType } = effective();
      return organization === undefined ? undefined : { id: organization.value, type: organizationType?.value };
    },
    /** @param fallback the command's default format */
    output(fallback?: Format) {
      const { language, output, pager } = ofOutput();
      const configured = { output: output?.value ?? fallback, pager: pager?.value };
      return outputSettings({ ...globals, language: language?.value }, io, env, configured);
    },
  };
}

const machineOf = ({ now, randomBytes }: Runtime): Machine => ({
  now,
  wait: (time) => new Promise((resolve) => setTimeout(resolve, time)),
  unique: () => Buffer.from(randomBytes(12)).toString('hex'),
});

function signalOf({ interrupted }: Runtime): AbortSignal {
  const controller = new AbortController();
  void interrupted.then((reason) => controller.abort(reason));
  return controller.signal;
}

/** @throws EduError `usage` for global flags without meaning, or variables with an invalid value */
function checkGlobals(globals: Values, env: Env, isOffline: boolean): void {
  checkVariables(globals, env);
  if (!isOffline && textOf(globals, 'as') !== undefined) {
    throw usageError('--as needs --offline.', 'Add --offline, or choose a --profile instead.');
  }
  if (isOffline && textOf(globals, 'base-url') !== undefined) {
    throw isOn(globals, 'offline')
      ? usageError('--base-url cannot be given together with --offline; use one of them.')
      : usageError('--base-url does not apply: EDU_OFFLINE is set.', 'Add --offline=false to use that service.');
  }
}

async function openInBrowser(address: string, { isOffline, effective, env, warn }: Context): Promise<boolean> {
  // The bundled service has no editor, so its address cannot be opened.
  if (isOffline) return false;
  const { checkServiceAddress, openAddress } = await import('../output/terminal/browser.js');
  const browser = effective().browser?.value;
  const result = await openAddress(checkServiceAddress(address), { browser, env, platform: process.platform });
  if (!result.opened && browser !== 'none') await warn(`Cannot open a browser: ${result.reason}.`);
  return result.opened;
}

async function resolverFor(context: Context): Promise<Resolver> {
  const { createResolver } = await import('../client/references/resolver.js');
  const { organizationFor } = await import('../cli/organization-flags.js');
  return createResolver({ ...context, organization: () => organizationFor({}, context) });
}

/** @param isLong for exports and bulk jobs: waits longer for an unavailable service and prints warnings at once */
export function createContext(path: string, globals: Values, runtime: Runtime, runLine: RunLine, isLong = false) {
  const { io, env, now, randomBytes } = runtime;
  const cleanups: (() => void | Promise<void>)[] = [];
  const onEnd = (close: () => void | Promise<void>): void => void cleanups.push(close);
  const quiet = isOn(globals, 'quiet');
  const isOffline = switchOf(globals, 'offline', env) === true;
  const isPlain = asksPlain(globals, env) || env.TERM === 'dumb';
  const canAsk = io.stdin.isTTY && io.stderr.isTTY && switchOf(globals, 'no-input', env) !== true && !isSet(env.CI);
  checkGlobals(globals, env, isOffline);

  // The bundled service has no address, so that even an invalid one does not matter.
  const settingsEnv = isOffline ? { ...env, EDU_BASE_URL: undefined } : env;
  const { output, ...settings } = effectiveSettings(path, globals, { io, env: settingsEnv }, (notice) => {
    if (!isOffline) void warn(notice);
  });
  const { effective } = settings;

  const signal = once(() => signalOf(runtime));

  const client = once(async (): Promise<Client> => {
    const { connect } = await import('./connect.js');
    const connected = await connect({ globals, runtime, effective: effective(), isOffline, isLong, canAsk, onWait });
    onEnd(connected.close);
    return connected.client;
  });

  const { progress, say, onWait, warn, during, ...warnings } = createMessages({
    runtime,
    isQuiet: quiet,
    isPlain,
    isColored: wantsColor(globals, env, io.stderr.isTTY),
    format: () => output().format,
    holdsWarnings: () => !isLong && wantsJsonErrors(globals, env),
    onEnd,
  });
  let risk: string | undefined;

  const context: Context = {
    io,
    env,
    get signal() {
      return signal();
    },
    path,
    globals,
    now,
    randomBytes,
    machine: machineOf(runtime),
    isOffline,
    canAsk,
    quiet,
    ...settings,
    client,
    printer: async (fallback) => {
      const { createPrinter } = await import('../output/printer.js');
      // Without a terminal there is no progress, so its module is not loaded.
      const more = io.stderr.isTTY && !quiet ? { progress: await progress() } : {};
      return createPrinter({ settings: output(fallback), io, env, warn, onEnd, ...more });
    },
    progress,
    callersOrganization: once(async () => (await import('./connect.js')).callersOrganization(context)),
    resolver: once(() => resolverFor(context)),
    prompt: async (stop = signal()) => {
      const { createPrompt } = await import('../output/terminal/create-prompt.js');
      const asking = { ...runtime.terminal, signal: stop, suspend: (await progress()).suspend };
      return createPrompt(asking, isPlain, wantsColor(globals, env, io.stderr.isTTY), io.stderr.columns);
    },
    say,
    warn,
    during,
    atRisk: async (hint, work) => {
      risk = hint;
      try {
        return await work;
      } finally {
        risk = undefined;
      }
    },
    openAddress: (address) => openInBrowser(address, context),
    onEnd,
    runLine,
  };

  return {
    context,
    /** The hint for an interruption while a change that cannot be undone is running. */
    risk: (): string | undefined => risk,
    end: async (): Promise<void> => {
      for (const close of cleanups.splice(0).reverse()) await close();
    },
    ...warnings,
  };
}
