/** Where a person finds out whether a write whose outcome is unknown was done. */
import type { Outgoing } from '../request/request.js';

const PLACES: readonly (readonly [RegExp, string])[] = [
  [
    /^\/v1\/licenses$/,
    'Look with `edu licenses get code:CODE` before you run it again, and give `--code CODE` then: so it is never made twice.',
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

/**
 * A sentence that says how to look.
 * @param key the natural key of what was to be created, where it has one
 */
export function whereToLook(out: Pick<Outgoing, 'path'>, key?: string): string {
  const [path = ''] = out.path.split('?');
  const place = PLACES.find(([pattern]) => pattern.test(path));
  const sentence = place?.[1] ?? 'Find out whether it was done before you run it again.';
  // Quoted for a shell where it needs to be; a function, because `$` means something in a replacement.
  return key === undefined
    ? sentence
    : sentence.replace(/CODE|EMAIL/g, () => (/^[\w.@+-]+$/.test(key) ? key : JSON.stringify(key)));
}
