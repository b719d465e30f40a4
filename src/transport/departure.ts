/**
 * Whether a request has begun to leave. undici does not say so in its errors, but tells a request's handler when it is
 * given a connection to be written to: before that, not one byte can have been sent.
 */
import type { Dispatcher } from 'undici';

/** The note of one request. Handed to undici as its `opaque` value. */
export class Departure {
  begun = false;
}

/**
 * The handler of a request, made to keep its note.
 * @param options those that undici dispatches the request with
 */
export function watched(
  options: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
): Dispatcher.DispatchHandler {
  const departure = 'opaque' in options ? options.opaque : undefined;
  if (!(departure instanceof Departure)) return handler;
  const { onConnect, onRequestStart } = handler;
  if (onConnect !== undefined) {
    handler.onConnect = (...given) => {
      departure.begun = true;
      onConnect.apply(handler, given);
    };
  }
  if (onRequestStart !== undefined) {
    handler.onRequestStart = (...given) => {
      departure.begun = true;
      onRequestStart.apply(handler, given);
    };
  }
  return handler;
}
