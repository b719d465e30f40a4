/** E-mail addresses of people without one, from a template such as `{username}@school.example`. */
import type { RosterPerson } from './roster.js';

/** What the placeholders of an address template stand for, by their names in OneRoster and in a plain list. */
const PLACEHOLDERS = {
  username: 'username',
  identifier: 'identifier',
  sourcedId: 'sourcedId',
  givenName: 'firstName',
  familyName: 'lastName',
  firstName: 'firstName',
  lastName: 'lastName',
} as const satisfies Record<string, keyof RosterPerson>;

const MEMBERS = new Map(Object.entries(PLACEHOLDERS).map(([name, member]) => [name.toLowerCase(), member]));

const PLACEHOLDER = /\{([^{}]*)\}/g;

/** What is wrong with an address template; undefined if it gives different people different addresses. */
export function templateProblem(template: string): string | undefined {
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
  const unknown = names.find((name) => !MEMBERS.has(name.toLowerCase()));
  const known = Object.keys(PLACEHOLDERS).map((name) => `{${name}}`);
  if (unknown !== undefined) return `has an unknown placeholder {${unknown}}; use ${known.join(', ')}`;
  if (names.length === 0) return `needs a placeholder such as {username}, not ${JSON.stringify(template)}`;
  return template.includes('@') ? undefined : `must be an e-mail address, not ${JSON.stringify(template)}`;
}

/** A person's address, else one from the template; undefined if a placeholder has no value. */
export function addressOf(person: RosterPerson, template: string | undefined): string | undefined {
  if (person.email !== undefined || template === undefined) return person.email;
  let isWhole = true;
  const address = template.replace(PLACEHOLDER, (_, name: string) => {
    const member = MEMBERS.get(name.toLowerCase());
    const text = (member && person[member]) ?? '';
    if (text === '') isWhole = false;
    return text;
  });
  return isWhole ? address.toLowerCase() : undefined;
}
