/**
 * Replaces names and e-mail addresses of people by pseudonyms in responses of the service, and pseudonyms by the real
 * values in requests. Everything between, filters, errors and plans included, sees pseudonyms only.
 */
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { decode } from '../../client/request/decode.js';
import { isPersonal, type PersonalField } from '../../contract/shared.js';
import { usageError } from '../../core/errors.js';
import { exactJson, parseJson } from '../../core/exact-json.js';
import { readPrivate, writePrivate } from '../../core/fs/private-file.js';
import { type HttpRequest, type HttpResponse, readBytes, type Send } from '../../core/http.js';
import type { Env } from '../../core/io.js';
import { isObject } from '../../core/json.js';
import { ownState } from '../../settings/folders.js';

const MAX_BYTES = 64 * 1024 * 1024;

const FORM: Readonly<Record<PersonalField, (tag: string) => string>> = {
  email: (tag) => `person-${tag}@redacted.example`,
  firstName: (tag) => `Given-${tag}`,
  lastName: (tag) => `Family-${tag}`,
  avatar: (tag) => tag,
  avatarUrl: (tag) => `https://redacted.example/${tag}`,
};

const WITHHELD = '(text withheld by --redact)';

/** A pseudonym in a request; `@` may be percent-encoded. */
const PSEUDONYM = /person-[0-9a-f]{10}(?:@|%40)redacted\.example|(?:Given|Family)-[0-9a-f]{10}/g;
const PSEUDONYM_ONLY = new RegExp(`^(?:${PSEUDONYM.source})$`);

/** The key of this machine, so that a person has the same pseudonyms in every session. */
function keyOf(env: Env, random: (count: number) => Uint8Array): string {
  const file = join(ownState(env, 'mcp'), 'private', 'redact.key');
  const kept = readPrivate(file);
  if (kept !== undefined) return kept;
  const made = Buffer.from(random(32)).toString('hex');
  writePrivate(file, made);
  return made;
}

export type Redactor = ReturnType<typeof createRedactor>;

export function createRedactor(env: Env, random: (count: number) => Uint8Array) {
  const key = keyOf(env, random);
  const real = new Map<string, string>();

  function pseudonym(field: PersonalField, value: string): string {
    if (PSEUDONYM_ONLY.test(value)) return value;
    const tag = createHmac('sha256', key).update(`${field}\n${value}`).digest('hex').slice(0, 10);
    const made = FORM[field](tag);
    real.set(made, value);
    return made;
  }

  /** Redacts a parsed response, of which objects and lists are changed in place. A text without a name may be an address. */
  function redact(value: unknown): unknown {
    if (typeof value === 'string') return value.includes('@') ? pseudonym('email', value) : value;
    if (Array.isArray(value)) for (const [place, item] of value.entries()) value[place] = redact(item);
    if (!isObject(value)) return value;
    for (const [name, member] of Object.entries(value)) {
      if (!isPersonal(name)) {
        if (typeof member === 'object') redact(member);
      } else if (member !== null && member !== '')
        value[name] = pseudonym(name, typeof member === 'string' ? member : JSON.stringify(member));
    }
    return value;
  }

  const restored = (text: string, write: (value: string) => string): string =>
    text.replace(PSEUDONYM, (found) => {
      const value = real.get(found.replace('%40', '@'));
      if (value !== undefined) return write(value);
      // Sent as it is, it would become the name or address of a person.
      throw usageError(
        `The pseudonym ${JSON.stringify(found.replace('%40', '@'))} has not been read since the start.`,
        'Read the people whom it may name first, such as with "users list".',
      );
    });

  /** A JSON text with the real values. @throws EduError `usage` for a pseudonym of another session */
  const restore = (json: string): string => restored(json, (value) => JSON.stringify(value).slice(1, -1));

  function realRequest(request: HttpRequest): HttpRequest {
    const { url, body } = request;
    const text =
      typeof body === 'string' ? body : body instanceof Uint8Array ? Buffer.from(body).toString() : undefined;
    return {
      ...request,
      url: restored(url, encodeURIComponent),
      ...(text === undefined ? {} : { body: restore(text) }),
    };
  }

  /** Read with the response, so that the client names what is wrong with it. */
  async function* redactedBody({ headers, body }: HttpResponse): AsyncGenerator<Uint8Array> {
    const text = (await decode(await readBytes(body, MAX_BYTES), headers, MAX_BYTES)).toString();
    yield Buffer.from(text === '' ? '' : hide(text));
  }

  /** A JSON text with pseudonyms; any other text is withheld. */
  function hide(text: string): string {
    try {
      return exactJson(redact(parseJson(text)));
    } catch {
      return WITHHELD;
    }
  }

  function redacted(response: HttpResponse): HttpResponse {
    const { 'content-length': _, 'content-encoding': __, ...headers } = response.headers;
    // Messages of errors are free text, which may name people.
    const isError = response.status >= 400;
    return { ...response, headers, body: isError ? JSON.stringify({ message: WITHHELD }) : redactedBody(response) };
  }

  return {
    restore,
    hide,
    /** Wraps the function that sends requests. */
    filter:
      (send: Send): Send =>
      async (request) =>
        redacted(await send(realRequest(request))),
  };
}
