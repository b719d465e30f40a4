/** Collects what a login needs from flags, environment, profile and prompts, or reports what is missing. */
import { EduError, type Problem, usageError } from '../../core/errors.js';
import type { Env } from '../../core/io.js';
import type { Prompt } from '../../output/terminal/prompt.js';
import { type Callback, readCallbackUrl } from '../../settings/callback-url.js';
import type { Effective } from '../../settings/in-effect.js';
import { SETTINGS, type Setting } from '../../settings/keys.js';
import { findClientSecret } from '../credentials/credentials.js';

type Texts = Readonly<Record<string, string>>;

export interface LoginFacts {
  readonly profile: string;
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** True if the secret was typed for this login and must be stored. */
  readonly keepSecret: boolean;
  readonly callback: Callback;
  /** Use the callback URL itself instead of a unique path below it. */
  readonly exact: boolean;
  readonly settings: Texts;
  /** Typed settings that the profile does not have yet, which are stored even if the login fails. */
  readonly typed: Texts;
}

interface FactsNeeded {
  readonly effective: Effective;
  readonly env: Env;
  readonly held: Texts;
  readonly prompt: (() => Promise<Prompt>) | undefined;
  readonly tell: (text: string) => Promise<void>;
}

const QUESTIONS = {
  'base-url': ['Base URL:', 'The address of the service without /v1. Your operator gave it to you.'],
  'client-id': ['Client ID:', 'The client ID your operator gave you.'],
  'callback-url': ['Callback URL:', 'The callback URL exactly as registered. edu listens there for the redirect.'],
} as const;

const ABOUT_SECRET =
  'The client secret that belongs to this client ID. It is stored in a file that only you can read, and never shown.';

/** @throws a usage error that lists all missing settings, without a terminal */
export async function loginFacts({ effective, env, held, prompt, tell }: FactsNeeded): Promise<LoginFacts> {
  const profile = effective.profile.value;
  const answers: Record<string, string> = {};
  const ask = async (name: keyof typeof QUESTIONS, fallback?: string): Promise<string | undefined> => {
    if (!prompt) return fallback;
    const [message, about] = QUESTIONS[name];
    await tell(about);
    const { check, notice }: Setting = SETTINGS[name];
    const validate = (text: string): true | string => complaint(() => check(text.trim(), name, effective.plainHosts));
    const text = await (await prompt()).text({ message, default: fallback, validate });
    const checked = check(text.trim(), name, effective.plainHosts);
    answers[name] = checked;
    const said = notice?.(text.trim(), name, checked);
    if (said !== undefined) await tell(said);
    return checked;
  };
  const askSecret = async (): Promise<string | undefined> => {
    if (!prompt) return undefined;
    await tell(ABOUT_SECRET);
    const validate = (text: string): true | string => (text.trim() === '' ? 'The client secret is empty.' : true);
    return (await (await prompt()).secret({ message: 'Client secret:', validate })).trim();
  };
  const baseUrl = effective.baseUrl?.value ?? (await ask('base-url'));
  const clientId = effective.clientId?.value ?? (await ask('client-id'));
  const stored = clientId === undefined ? undefined : findClientSecret({ env, profile, baseUrl }, clientId);
  const clientSecret = stored ?? (await askSecret());
  const { value, source, from } = effective.callbackUrl;
  const isFirst = effective.clientId === undefined && source === 'default' && held['callback-url'] === undefined;
  const callbackUrl = (isFirst && (await ask('callback-url', value))) || value;
  if (baseUrl === undefined || clientId === undefined || !clientSecret) {
    throw missing({ 'base-url': baseUrl, 'client-id': clientId, 'client-secret': clientSecret });
  }
  return {
    profile,
    baseUrl,
    clientId,
    clientSecret,
    keepSecret: stored === undefined,
    callback: readCallbackUrl(callbackUrl, answers['callback-url'] ? 'callback-url' : from),
    exact: effective.exactCallback,
    settings: settingsToKeep(effective, held, answers),
    typed: typedSettings(effective, held, answers),
  };
}

const settingsIn = ({ baseUrl, clientId, callbackUrl }: Effective) =>
  Object.entries({ 'base-url': baseUrl, 'client-id': clientId, 'callback-url': callbackUrl });

/** The typed settings, from prompts or flags; none if they are for another service than that of the profile. */
function typedSettings(effective: Effective, held: Texts, answers: Texts): Texts {
  if (held['base-url'] !== undefined && held['base-url'] !== effective.baseUrl?.value) return {};
  const isTyped = ([name, found]: ReturnType<typeof settingsIn>[number]): boolean =>
    held[name] === undefined && (answers[name] !== undefined || found?.source === 'flag');
  const typed = settingsIn(effective).filter(isTyped);
  return Object.fromEntries(typed.map(([name, found]) => [name, answers[name] ?? found?.value ?? '']));
}

/**
 * The settings to store in the profile: those from prompts and flags, and from the environment those that the profile does
 * not have yet, so that the next terminal works too. A variable, which may be meant for one run, replaces no setting.
 */
export function settingsToKeep(effective: Effective, held: Texts, answers: Texts = {}): Texts {
  const kept = settingsIn(effective).flatMap(([name, found]) => {
    const isNew = found?.source === 'environment' && held[name] === undefined;
    const value = answers[name] ?? (isNew || found?.source === 'flag' ? found.value : undefined);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(kept);
}

const WAYS: Texts = {
  'base-url': 'pass --base-url, or set EDU_BASE_URL',
  'client-id': 'pass --client-id, or set EDU_CLIENT_ID',
  'client-secret': 'set EDU_CLIENT_SECRET; there is no flag for it',
};

function missing(found: Readonly<Record<string, string | undefined>>): EduError {
  const names = Object.keys(found).filter((name) => !found[name]);
  const details = names.map((name): Problem => ({ where: name, message: WAYS[name] ?? '' }));
  return usageError(
    `Cannot log in: ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} missing.`,
    'In a terminal, `edu auth login` asks for missing values.',
    details,
  );
}

function complaint(check: () => unknown): true | string {
  try {
    check();
    return true;
  } catch (error) {
    if (error instanceof EduError) return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
    throw error;
  }
}
