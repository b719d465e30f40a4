/** Input of tools for a command line, and its outcome as a result. */
import * as z from 'zod/v4';
import { EduError, type ErrorKind, EXIT_CODES } from '../../core/errors.js';
import { isObject } from '../../core/json.js';
import type { Ran } from './session.js';

const TEXT = z.string().max(20_000);
const VALUE = z.union([TEXT, z.number()]);

export const LINE = {
  command: z.string().max(100).describe('words of the command, such as "licenses list"'),
  arguments: z.array(TEXT).max(1000).optional().describe('arguments in order, such as ["code:welcome1"]'),
  flags: z
    .record(z.string(), z.union([VALUE, z.boolean(), z.array(VALUE).max(1000)]))
    .optional()
    .describe('flags by name without dashes, such as {"expires-before": "+60d", "limit": 50}'),
};

/** The error of a command line that failed. */
export function failureOf({ code, stderr, error }: Ran): EduError {
  const { kind, message, hint, details } = error ?? {};
  if (error === undefined) {
    // Commands that print text print their errors as text.
    const found = Object.entries(EXIT_CODES).find(([, of]) => of === code)?.[0] ?? 'internal';
    const ofCode = code === EXIT_CODES.usage ? 'usage' : found;
    return new EduError(ofCode as ErrorKind, stderr.trim().replace(/^Error: /, ''));
  }
  return new EduError(kind as ErrorKind, String(message), {
    hint: typeof hint === 'string' ? hint : undefined,
    details: Array.isArray(details) ? details.filter(isObject).map((one) => ({ message: '', ...one })) : undefined,
  });
}

/** Warnings and notes of a command. */
export const notesOf = ({ stderr, error }: Ran) => {
  const lines = stderr.split('\n').filter(Boolean);
  return { notes: error === undefined ? lines : lines.slice(0, -1) };
};
