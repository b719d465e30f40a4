/** The error object on stderr for programs. */
import { checkOf, described, isOneOf, isText, listOf, objectOf, optional, orNull } from '../core/checks.js';
import { type ErrorKind, EXIT_CODES } from '../core/errors.js';

const isStatus = checkOf({ type: 'integer' }, (value): value is number => Number.isInteger(value));

export const isErrorDocument = objectOf({
  error: objectOf({
    kind: described('Decides the exit code', isOneOf(Object.keys(EXIT_CODES) as readonly ErrorKind[])),
    message: isText,
    status: described('HTTP status of the response', orNull(isStatus)),
    method: orNull(isText),
    path: described('Path and query as sent, without secrets', orNull(isText)),
    requestId: described('ID that the service gave to the request', orNull(isText)),
    hint: described('What to do next', orNull(isText)),
    details: described(
      'Problems, warnings (where: warning) and with --debug the stack',
      listOf(objectOf({ where: optional(isText), message: isText })),
    ),
  }),
});
