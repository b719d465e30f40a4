/** Where a person finds out whether a write whose outcome is unknown was done. */
import type { Outgoing } from './request.js';

const PLACES: readonly (readonly [RegExp, string])[] = [
  [
    /^\/v1\/licenses$/,
    'Look with `edu licenses get code:CODE` before you run it again: a second licence would be another one.',
  ],
  [/^\/v1\/publishers$/, 'Look with `edu publishers list` before you run it again.'],
  [/^\/v1\/schools$/, 'Look with `edu schools list` before you run it again.'],
  [/^\/v1\/users$/, 'Look with `edu users find EMAIL` before you run it again.'],
  [
    /^\/v1\/users\/enduser$/,
    'End users can not be listed: ask whether the e-mail with the password has come before you run it again.',
  ],
  [/^\/v1\/books$/, 'Look with `edu books list` before you run it again: a second book would be another one.'],
  [/^\/v1\/readers$/, 'Look with `edu readers list` before you run it again: a second reader would be another one.'],
  [
    /^\/v1\/classes$/,
    'Look with `edu classes list --school ID` before you run it again: a second class would be another one.',
  ],
  [
    /^\/v1\/subscriptions$/,
    'Look with `edu subscriptions list` before you run it again: a second subscription would be another one.',
  ],
  [/^\/v1\/files$/, 'Files can not be listed. Run it again: at worst the file is stored twice.'],
  [/^\/login\//, 'The code is spent. Start again with `edu auth login`.'],
];

/** A sentence that says how to look. */
export function whereToLook(out: Pick<Outgoing, 'path'>): string {
  const [path = ''] = out.path.split('?');
  const place = PLACES.find(([pattern]) => pattern.test(path));
  return place?.[1] ?? 'Find out whether it was done before you run it again.';
}
