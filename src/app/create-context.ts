/** Creates the context of a command, each part when it is first used. */
import { isOn, textOf, type Values } from '../cli/command.js';
import type { Context } from '../cli/context.js';
import type { Client } from '../client/request/client.js';
import { milliseconds } from '../core/duration.js';
import { isSet } from '../core/env.js';
import { usageError } from '../core/errors.js';
import type { Machine } from '../core/machine.js';
import { wantsColor } from '../output/color.js';
import type { Format } from '../output/formats.js';
import { outputSettings } from '../output/output-settings.js';
import type { Progress } from '../output/progress/progress.js';
import { type Asked, resolveProfile } from '../settings/in-effect.js';
import { readSettings } from '../settings/read-settings.js';
import type { Runtime } from './runtime.js';
import { wantsJsonErrors } from './wants-json-errors.js';

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** @param isLong for exports and bulk jobs: waits longer for an unavailable service and prints warnings at once */
export function createContext(path: string, globals: Values, runtime: Runtime, isLong = false) {
  const { io, env, interrupted, now, randomBytes, progressDelayMs } = runtime;
  const cleanups: (() => void | Promise<void>)[] = [];
  const quiet = isOn(globals, 'quiet');
  const isColored = wantsColor(isOn(globals, 'no-color'), env, io.stderr.isTTY);
  const isOffline = isOn(globals, 'offline') || isSet(env.EDU_OFFLINE);
  const isPlain = isOn(globals, 'plain') || isSet(env.EDU_PLAIN) || env.TERM === 'dumb';
  const canAsk =
    io.stdin.isTTY && io.stderr.isTTY && !isOn(globals, 'no-input') && !isSet(env.EDU_NO_INPUT) && !isSet(env.CI);
  const machine: Machine = {
    now,
    wait: (time) => new Promise((resolve) => setTimeout(resolve, time)),
    unique: () => Buffer.from(randomBytes(12)).toString('hex'),
  };

  if (!isOffline && textOf(globals, 'as') !== undefined) {
    throw usageError('--as needs --offline.', 'Add --offline, or choose a --profile instead.');
  }
  for (const name of ['timeout', 'max-wait']) {
    const duration = textOf(globals, name);
    if (duration !== undefined && milliseconds(duration) === undefined) {
      throw usageError(`--${name} must be a duration such as 500ms, 30s or 5m, not "${duration}".`);
    }
  }

  const asked = once((): Asked => ({ flags: globals, env, settings: readSettings(env) }));
  // These commands can create profiles. For others, an unknown profile is a misspelling.
  const mayBeNew = /^(auth|login|logout|config|profiles)\b/.test(path);
  const effective = once(() => {
    const found = resolveProfile({ ...asked(), mayBeNew });
    if (!isOffline) for (const notice of found.notices) void warn(notice);
    return found;
  });

  /** @param fallback the command's default format */
  const readOutput = (fallback?: Format) => {
    const { language, output } = effective();
    return outputSettings({ ...globals, language: language.value }, io, env, output?.value ?? fallback);
  };

  // Created on first use: it takes 1 ms.
  const signal = once((): AbortSignal => {
    const controller = new AbortController();
    void interrupted.then((reason) => controller.abort(reason));
    return controller.signal;
  });

  let risk: string | undefined;
  let shown: Progress | undefined;
  const progress = once(async (): Promise<Progress> => {
    const { createProgress, progressMode } = await import('../output/progress/progress.js');
    const made = createProgress(io, {
      mode: progressMode(io, readOutput().format, quiet, isPlain),
      color: isColored,
      now,
      delayMs: progressDelayMs,
    });
    cleanups.push(() => made.stop());
    shown = made;
    return made;
  });
  // The stderr of the progress display clears its line before a message.
  const stderr = () => (shown ?? { io }).io.stderr;

  const client = once(async (): Promise<Client> => {
    const { connect } = await import('./connect.js');
    const connected = await connect({ globals, runtime, effective: effective(), isOffline, isLong, canAsk });
    cleanups.push(connected.close);
    return connected.client;
  });

  const heldWarnings: string[] = [];
  const warnNow = async (text: string): Promise<void> => {
    const { warningText } = await import('../output/error-report.js');
    await stderr().write(warningText(text, isColored));
  };
  const warn = async (text: string, always = false): Promise<void> => {
    if (quiet && !always) return;
    if (isLong || !wantsJsonErrors(globals, env)) return warnNow(text);
    heldWarnings.push(text);
  };

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
    machine,
    isOffline,
    canAsk,
    quiet,
    asked,
    effective,
    client,
    printer: async (fallback) => {
      const { createPrinter } = await import('../output/printer.js');
      const settings = readOutput(fallback);
      // Without a terminal there is no progress, so its module is not loaded.
      return createPrinter({ settings, io, env, ...(io.stderr.isTTY && !quiet ? { progress: await progress() } : {}) });
    },
    progress,
    language: () => effective().language.value,
    configuredOrganization: () => {
      const { organization, organizationType } = effective();
      return organization === undefined ? undefined : { id: organization.value, type: organizationType?.value };
    },
    callersOrganization: once(async () => (await import('./own-organization.js')).callersOrganization(context)),
    resolver: once(async () => (await import('../client/references/resolver.js')).createResolver(context)),
    prompt: async (stop = signal()) => {
      const { createPrompt } = await import('../output/terminal/create-prompt.js');
      return createPrompt({ signal: stop, suspend: (await progress()).suspend }, isPlain);
    },
    say: async (text) => {
      if (!quiet && io.stderr.isTTY) {
        const { forPeople } = await import('../output/sanitize.js');
        await stderr().write(`${forPeople(text)}\n`);
      }
    },
    warn,
    during: async (label, work) => {
      if (!io.stderr.isTTY || quiet) return work;
      // Avoids an unhandled rejection while the progress display loads; the caller gets the error below.
      work.catch(() => {});
      const waiting = (await progress()).wait(label);
      try {
        return await work;
      } finally {
        waiting.done();
      }
    },
    atRisk: async (hint, work) => {
      risk = hint;
      try {
        return await work;
      } finally {
        risk = undefined;
      }
    },
    openAddress: async (address) => {
      // The bundled service has no editor, so its address cannot be opened.
      if (isOffline) return false;
      const { checkServiceAddress, openAddress } = await import('../output/terminal/browser.js');
      const browser = effective().browser?.value;
      const result = await openAddress(checkServiceAddress(address), { browser, env, platform: process.platform });
      if (!result.opened && browser !== 'none') await warn(`Cannot open a browser: ${result.reason}.`);
      return result.opened;
    },
    onEnd: (close) => {
      cleanups.push(close);
    },
  };

  return {
    context,
    /** The hint for an interruption while a change that cannot be undone is running. */
    risk: (): string | undefined => risk,
    end: async (): Promise<void> => {
      for (const close of cleanups.splice(0).reverse()) await close();
    },
    /** Warnings to print after the command: with JSON, stderr must contain nothing but the error object. */
    heldWarnings,
    flushWarnings: async (): Promise<void> => {
      for (const text of heldWarnings.splice(0)) await warnNow(text);
    },
  };
}
