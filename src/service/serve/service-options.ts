/** Checks the options that `edu offline serve`, `createService` and the control route share. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { boolean, type InputFields, text } from '../../contract/vocabulary.js';
import { dayIn, isDay } from '../../core/day.js';
import { describeErrno } from '../../core/fs/disk-errors.js';
import { readRegularFile } from '../../core/fs/regular-file.js';
import { mayRedirectTo } from '../oauth/redirect-rule.js';
import { seededRandom } from '../seeds/random.js';
import { isSeedName, SEED_NAMES, type SeedName } from '../seeds/seed.js';
import { PARTS, type Part } from '../snapshots.js';
import type { Variants } from '../variants.js';
import { type Fault, faultsOf, parseFaults } from './faults.js';
import { badOption, OptionError, readDuration, readGiven, requireDuration } from './option-values.js';
import { parseVariant, readVariants, strangeVariants, type VariantsGiven } from './parse-variants.js';
import type { ClientGiven, People } from './test-users.js';

function movableClock(real: () => number, start?: number) {
  const atStart = start === undefined ? 0 : start - real();
  let offset = atStart;
  return {
    now: (): number => real() + offset,
    /** @throws OptionError if the time is then none that a date can have */
    advance(milliseconds: number): void {
      this.set(readTime('time', real() + offset + milliseconds));
    },
    /** Sets the clock, which continues from there. */
    set(time: number): void {
      offset = time - real();
    },
    restore(): void {
      offset = atStart;
    },
    save(): () => void {
      const saved = offset;
      return () => {
        offset = saved;
      };
    },
  };
}

/** The options that `edu offline serve` and `createService` share. */
export interface SharedOptions {
  /** Folder of the state; default: in memory. */
  readonly directory?: string | undefined;
  /** Data of a new state: the name of a seed, or the path of an export or of a JSON file; default `demo`. */
  readonly seed?: SeedName | (string & {}) | undefined;
  /** Registered callback URL; default: the one that `edu auth login` uses by default. */
  readonly callbackUrl?: string | undefined;
  /** Applications to register in addition to the bundled one; as text `ID=CALLBACK`. */
  readonly clients?: readonly (string | ClientGiven)[] | undefined;
  /** Milliseconds since 1970; default: the real time. A fixed clock makes responses reproducible. */
  readonly clock?: (() => number) | undefined;
  /** The time at which `clock` starts: ISO 8601, a Date, or milliseconds since 1970. */
  readonly now?: string | number | Date | undefined;
  /** The same number gives the same ids, codes and tokens in each run. */
  readonly randomSeed?: number | undefined;
  /** `20ms`, or milliseconds. */
  readonly latency?: string | number | undefined;
  /** Faults as text (`"POST /v1/licenses 503 every=3"`, or `@FILE` with a script) or objects. */
  readonly faults?: readonly (string | Fault)[] | undefined;
  /** Behaviour where the API document leaves a choice: `{ createdStatus: 201 }`, or words such as `created-status=201`. */
  readonly variants?: VariantsGiven | readonly string[] | undefined;
  /** Refuses members and parameters that the API document does not show. By default they are only noted as `warnings`. */
  readonly strictInput?: boolean | undefined;
  /** Selects a mix of variants, the same for the same number. */
  readonly strange?: number | undefined;
}

const AUTHORIZE = {
  user: text('a persona, or the ID or e-mail address of a user', { required: true }),
  state: text('returned with the code'),
  redirectUri: text('default: the registered callback'),
  clientId: text('default: the bundled application'),
  deny: boolean('the user refuses access'),
} as const;

export type AuthorizeOptions = InputFields<typeof AUTHORIZE>;

/** @throws OptionError for an option that is missing, unknown, or of another type */
export const readAuthorize = (given: unknown): AuthorizeOptions =>
  readGiven('the login', AUTHORIZE, given, 'Give a user, such as { user: "school" }.');

const MAX_FILE_BYTES = 1024 * 1024;

/** The text of a file that an option names. @throws OptionError */
export function readOptionFile(path: string): string {
  try {
    return readRegularFile(path, MAX_FILE_BYTES);
  } catch (error) {
    throw new OptionError(`cannot read ${path}: ${describeErrno(error)}`, 'Name another file.', error);
  }
}

/** Faults as lines, as objects, or as `@FILE` with a script. */
export function readFaults(values: readonly (string | Fault)[] = []): Fault[] {
  if (!Array.isArray(values))
    throw badOption('faults', values, 'Give a list such as ["POST /v1/licenses 503 every=5"].');
  return values.flatMap((value) => {
    if (typeof value !== 'string') return faultsOf(value);
    return parseFaults(value.startsWith('@') ? readOptionFile(value.slice(1)) : value);
  });
}

/** @param given words such as `created-status=201`, or an object; applied on top of the mix `strange` */
export function readVariantOptions(given: VariantsGiven | readonly string[] = [], strange?: number): Partial<Variants> {
  if (strange !== undefined && !Number.isSafeInteger(strange)) {
    throw badOption('strange', strange, 'Give a whole number: the same one is the same mix.');
  }
  const mix = strange === undefined ? {} : strangeVariants(strange);
  return Object.assign({ ...mix }, ...(Array.isArray(given) ? given.map(parseVariant) : [readVariants(given)]));
}

/** Checks that the callback matches itself by the redirect rule: otherwise no login could return to it. */
function readCallback(url: unknown): string {
  if (typeof url === 'string' && mayRedirectTo(url, url)) return url;
  throw badOption('callback URL', url, 'Write an address such as http://127.0.0.1:8976/callback.');
}

/** An application as `ID=CALLBACK`, or as an object. */
export function readClient(given: string | ClientGiven): ClientGiven {
  if (typeof given === 'string') {
    const at = given.indexOf('=');
    if (at < 1) throw badOption('client', given, 'Write it as ID=CALLBACK, such as shop=http://127.0.0.1:9000/back.');
    return { id: given.slice(0, at), callbackUrl: readCallback(given.slice(at + 1)) };
  }
  if (typeof given?.id !== 'string' || given.id === '')
    throw badOption('client', given, 'Give its ID and its callbackUrl.');
  return { ...given, callbackUrl: readCallback(given.callbackUrl) };
}

/** The user of `USER=1h`, `USER=expired`, `USER=revoked` or `USER`, and the limit. */
function limitedUser(given: string): readonly [user: string, how?: string] {
  const [, user = given, how] = /^(.+)=([^=]+)$/s.exec(given) ?? [];
  return how === undefined ? [user] : [user, how];
}

/** What only `edu offline serve` does for users at the start. */
export interface UserOptions {
  /** Ids or e-mail addresses of users to issue tokens for, each optionally with `=1h`, `=expired` or `=revoked`. */
  readonly tokensFor?: readonly string[] | undefined;
  /** Ids or e-mail addresses of end users whose address to verify. */
  readonly verified?: readonly string[] | undefined;
}

/**
 * Issues the access token for `USER`, `USER=1h`, `USER=expired` or `USER=revoked`.
 * @param before the token that it was before a reset @throws Refusal 404
 */
function tokenFor(given: string, people: People, before?: string): string {
  const [user, how] = limitedUser(given);
  const isOver = how === 'expired' || how === 'revoked';
  const life = how === undefined || isOver ? undefined : readDuration(how);
  if (how !== undefined && !isOver && life === undefined)
    throw badOption('token', given, 'Write the user alone, or with =1h, =expired or =revoked.');
  const token = people.token(user, life, before);
  if (how === 'expired') people.expire(token);
  if (how === 'revoked') people.revoke(token);
  return token;
}

/** Returns the tokens, and a function that issues the same ones in new data, to the users that it has. @throws Refusal 404 */
export function prepareUsers({ tokensFor = [], verified = [] }: UserOptions, people: People) {
  const tokens = Object.fromEntries(tokensFor.map((given) => [given, tokenFor(given, people)]));
  for (const user of verified) people.verify(user);
  return {
    tokens,
    again(kept: readonly Part[]): void {
      for (const [given, token] of kept.includes('tokens') ? [] : Object.entries(tokens))
        if (people.isUser(limitedUser(given)[0])) tokenFor(given, people, token);
      for (const user of verified) if (people.isUser(user)) people.verify(user);
    },
  };
}

function readClients(given: readonly (string | ClientGiven)[] = []): ClientGiven[] {
  if (!Array.isArray(given)) throw badOption('clients', given, 'Give a list of {id, callbackUrl}.');
  return given.map(readClient);
}

function readDirectory(given: unknown): string | undefined {
  if (given === undefined || (typeof given === 'string' && given !== '')) return given;
  throw badOption('directory', given, 'Give the path of a folder.');
}

export function readPort(given: unknown): number {
  if (Number.isInteger(given) && Number(given) >= 0 && Number(given) <= 65_535) return Number(given);
  throw badOption('port', given, 'Give a number from 0 to 65535; 0 is any free port.');
}

/** In milliseconds; not a number for a day that the calendar does not have, which `Date.parse` takes for a later one. */
const timeIn = (text: string): number => (isDay(dayIn(text) ?? '1970-01-01') ? Date.parse(text) : Number.NaN);

export function readTime(name: string, value: unknown): number {
  const time = value instanceof Date ? value.getTime() : typeof value === 'string' ? timeIn(value) : value;
  if (typeof time === 'number' && Number.isFinite(time) && Math.abs(time) <= 8.64e15) return time;
  throw badOption(name, value, 'Write a time such as 2030-01-01T00:00:00Z.');
}

function seededBytes(seed: unknown) {
  if (typeof seed !== 'number' || !Number.isSafeInteger(seed)) {
    throw badOption('random seed', seed, 'Give a whole number: the same one gives the same IDs.');
  }
  const { below, save } = seededRandom(seed);
  return { bytes: (count: number) => Uint8Array.from({ length: count }, () => below(256)), save };
}

/** Accepts the name of a seed, an existing path, or any text with a dot or slash, which is taken for a path. */
export function readSeed(seed: unknown): string {
  if (typeof seed === 'string' && (isSeedName(seed) || /[./\\]/.test(seed) || existsSync(seed))) return seed;
  const names = SEED_NAMES.join(', ');
  throw badOption('seed', seed, `Choose from ${names}, or give the path of an export, such as ./export or data.json.`);
}

/** The parts that a reset or a restored snapshot keeps. @throws OptionError for an unknown one */
export function readKept(given: unknown = []): readonly Part[] {
  const kept = Array.isArray(given) ? given.filter((part): part is Part => PARTS.includes(part)) : [];
  if (Array.isArray(given) && kept.length === given.length) return kept;
  throw badOption('keep', given, `Give a list with some of ${PARTS.join(', ')}.`);
}

/** @throws OptionError for an invalid option */
export function readOptions(given: SharedOptions) {
  const { clock = Date.now, now, randomSeed, callbackUrl } = given;
  if (typeof clock !== 'function') throw badOption('clock', clock, 'Give a function.');
  return {
    directory: readDirectory(given.directory),
    seed: readSeed(given.seed ?? 'demo'),
    callbackUrl: callbackUrl === undefined ? undefined : readCallback(callbackUrl),
    clock: movableClock(clock, now === undefined ? undefined : readTime('now', now)),
    random: randomSeed !== undefined ? seededBytes(randomSeed) : { bytes: randomBytes, save: () => () => {} },
    latency: given.latency === undefined ? undefined : requireDuration('latency', given.latency),
    faults: readFaults(given.faults),
    variants: {
      ...readVariantOptions(given.variants, given.strange),
      ...(given.strictInput === undefined ? {} : readVariantOptions({ strictInput: given.strictInput })),
    },
    clients: readClients(given.clients),
  };
}
