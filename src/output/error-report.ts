/** Formats errors for stderr: as text, or as one JSON object for programs. */
import type { Checked } from '../core/checks.js';
import { EduError, firstProblems, type Problem } from '../core/errors.js';
import { diskError } from '../core/fs/disk-errors.js';
import { type Paint, painter } from './color.js';
import type { isErrorDocument } from './error-document.js';
import { escapedExcerpt, forPeople, safeJson } from './sanitize.js';
import { FIXED_BLANK, wrap } from './width.js';

export interface ReportSettings {
  readonly json: boolean;
  readonly color: boolean;
  readonly columns?: number | undefined;
  readonly debug: boolean;
  /** Warnings to include in the JSON, because stderr has to contain one object. */
  readonly warnings?: readonly string[];
}

/** In UTF-16 units: a service may return a whole page as its message. */
const MAX_MESSAGE = 2000;
const MAX_PROBLEMS = 50;

const HINT_FOR_BUGS = 'This is a bug in edu. Run the command again with --debug to see where.';

/** Deeply nested JSON can be parsed, but traversing it overflows the stack. */
const isTooDeep = (thrown: unknown): boolean => thrown instanceof RangeError && /call stack/i.test(thrown.message);

/** Anything but an `EduError` and a disk error is reported as a bug. */
export function asEduError(thrown: unknown): EduError {
  if (thrown instanceof EduError) return thrown;
  if (isTooDeep(thrown)) return new EduError('invalid_response', 'The data is nested too deeply.', { cause: thrown });
  const ofDisk = diskError(thrown);
  if (ofDisk !== undefined) return ofDisk;
  const message = thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
  return new EduError('internal', message, { hint: HINT_FOR_BUGS, cause: thrown });
}

function stackOf(error: EduError): string {
  const cause = error.cause instanceof Error ? `\nCaused by: ${error.cause.stack ?? error.cause.message}` : '';
  return `${error.stack ?? ''}${cause}`;
}

function asJson(error: EduError, debug: boolean, warnings: readonly string[]): string {
  const { kind, message, status, method, path, requestId, hint } = error;
  const warned = warnings.map((warning) => ({ where: 'warning', message: warning }));
  const stack = debug ? [{ where: 'stack', message: stackOf(error) }] : [];
  const details = [...error.details, ...warned, ...stack];
  const request = { status: status ?? null, method: method ?? null, path: path ?? null, requestId: requestId ?? null };
  const document: Checked<typeof isErrorDocument> = {
    error: { kind, message, ...request, hint: hint ?? null, details },
  };
  return `${safeJson(JSON.stringify(document))}\n`;
}

const lines = (text: string): string[] => text.split('\n').map((line) => escapedExcerpt(line, MAX_MESSAGE));

/** A flag or argument is the subject of the message; any other place comes before it. */
export function problemText({ where, message }: Problem): string {
  const text = escapedExcerpt(message, MAX_MESSAGE);
  if (where === undefined) return text;
  return `${escapedExcerpt(where, 200)}${/^(--[\w-]+( or --[\w-]+)?|[A-Z-]+)$/.test(where) ? '' : ':'} ${text}`;
}

/** Commands in a text are kept on one line, so that they can be pasted. */
const COMMAND = /`edu [^`]+`|(?<=: )(?:edu|mv|rm|chmod|npm|npx) .*|^ +edu .*/g;
const unbroken = (command: string): string => command.replaceAll(' ', FIXED_BLANK);
/** The lines of a sentence. @param width in terminal cells */
export const wrapped = (text: string, width: number): string[] =>
  wrap(text.replace(COMMAND, unbroken), width).map((line) => line.replaceAll(FIXED_BLANK, ' '));

function block(label: string, painted: string, text: string, columns: number | undefined): string {
  if (columns === undefined) return `${painted} ${text}`;
  const room = Math.max(20, columns - label.length - 1);
  const indent = ' '.repeat(label.length + 1);
  return wrapped(text, room)
    .map((line, index) => (index === 0 ? `${painted} ${line}` : indent + line))
    .join('\n');
}

/** Returns true if the message contains its only problem, which is then not repeated. */
const containsOnlyProblem = ({ message, details: [only, ...others] }: EduError): boolean =>
  only !== undefined &&
  others.length === 0 &&
  message.includes(only.message) &&
  (only.where === undefined || message.includes(only.where));

function asText(error: EduError, paint: Paint, debug: boolean, columns: number | undefined): string {
  const { method, path, status, requestId, hint, details } = error;
  const request = method === undefined || path === undefined ? [] : [`${method} ${path}`];
  const answer = status === undefined ? [] : [`returned ${status}`];
  const id = requestId === undefined ? [] : [`(request ${requestId})`];
  const facts = debug ? [...request, ...answer, ...id].join(' ') : '';
  const text = [
    block('Error:', paint('red', paint('bold', 'Error:')), escapedExcerpt(error.message, MAX_MESSAGE), columns),
    ...(containsOnlyProblem(error)
      ? []
      : firstProblems(details, MAX_PROBLEMS).map((one) => block('  -', '  -', problemText(one), columns))),
    ...(facts === '' ? [] : [paint('dim', escapedExcerpt(facts, MAX_MESSAGE))]),
    ...(hint === undefined
      ? []
      : lines(hint).map((line, index) =>
          block('Hint:', index === 0 ? paint('cyan', 'Hint:') : '     ', line, columns),
        )),
    ...(debug ? lines(stackOf(error)).map((line) => paint('dim', line)) : []),
  ];
  return `${text.join('\n')}\n`;
}

/** Includes a final line break. Never throws. */
export function errorReport(thrown: unknown, { json, color, debug, columns, warnings = [] }: ReportSettings): string {
  const error = asEduError(thrown);
  if (json) return asJson(error, debug, warnings);
  return asText(error, painter(color), debug, columns);
}

/** A sentence about what was done. Its further lines are indented, so that a name in it cannot look like another line. */
export const sayingText = (message: string, columns?: number): string =>
  `${columns === undefined ? forPeople(message) : wrapped(forPeople(message), columns - 2).join('\n  ')}\n`;

/** For expected facts, such as a list cut by `--limit`. */
export const noteText = (message: string, color: boolean, columns?: number): string =>
  `${painter(color)('dim', block('Note:', 'Note:', escapedExcerpt(message, MAX_MESSAGE), columns))}\n`;

export const warningText = (message: string, color: boolean, columns?: number): string =>
  `${block('Warning:', painter(color)('yellow', 'Warning:'), escapedExcerpt(message, MAX_MESSAGE), columns)}\n`;
