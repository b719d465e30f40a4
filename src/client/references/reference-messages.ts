/** Describes references that mean no item or several, in the words of every command, row, plan and roster. */
import { resourcesBehind } from '../../contract/by-reference.js';
import { type Resource, waysOf } from '../../contract/resource.js';
import type { OrganizationReference } from '../../contract/shared.js';
import type { Referent } from '../../contract/vocabulary.js';
import { excerpt } from '../../core/clean-text.js';
import { andMore, either } from '../../core/plural.js';
import { shellLine } from '../../core/shell.js';
import { resourcesOf } from './item-lists.js';
import type { Found, Match, Resolver, Scope } from './resolver.js';
import { readReference } from './spelling.js';

type None = Extract<Found, { is: 'none' }>;
type Looked = Pick<None, 'organization' | 'isEverywhere'>;

const MAX_SHOWN = 60;

/** The singular and plural of what a reference can point to. */
export async function nounsOf(refersTo: Referent, scope: Scope = {}): Promise<readonly [one: string, several: string]> {
  const [only, ...others] = await resourcesOf(refersTo, scope);
  return only !== undefined && others.length === 0 ? only.noun : ['organization', 'organizations'];
}

const nounsIn = (written: Resource['written'], isKey: boolean): readonly string[] =>
  written.filter(({ key }) => (key !== undefined) === isKey).map(({ noun }) => noun);

const quoted = (text: string): string => JSON.stringify(excerpt(text, MAX_SHOWN));

/** Where names were looked up, such as `in your organization only`; undefined if that leaves nothing out. */
export function lookedIn(
  { within, endpoints, organizationType }: Resource,
  { organization, isEverywhere }: Looked,
): string | undefined {
  if (isEverywhere) return 'in your organization and all that it owns';
  if (organization !== undefined) return `in ${organization.type.toLowerCase()} ${organization.id} only`;
  const owned = within?.owned?.toLowerCase();
  if (owned !== undefined && endpoints.list?.query?.organization === undefined) return `in the ${owned}s that you own`;
  if (owned !== undefined) return `in your organization and the ${owned}s that it owns`;
  if (organizationType !== undefined) return 'among those that you own';
  return endpoints.get === undefined && within === undefined ? undefined : 'in your organization only';
}

/** Where the items that a reference can mean were listed, such as `in school s1 only`. */
export async function placeOf(refersTo: Referent, listed: Looked): Promise<string | undefined> {
  const [resource] = await resourcesBehind(refersTo);
  return resource && lookedIn(resource, listed);
}

/** `a, b or c` */
const listed = (texts: readonly string[]): string => either(texts.map((text) => excerpt(text, MAX_SHOWN)));

export interface Description {
  readonly message: string;
  readonly hint: string;
  /** `Did you mean X?` */
  readonly suggestion?: string;
}

/** What to do about a name that no list contains. */
function adviceFor(resource: Resource | undefined, typed: string, found: None): Omit<Description, 'message'> {
  const { closest, organization, isEverywhere } = found;
  if (resource?.endpoints.list === undefined) return { hint: 'Check the spelling.' };
  const { within } = resource;
  const suggestion = closest.length === 0 ? undefined : `Did you mean ${listed(closest)}?`;
  const meant = suggestion ?? `See: ${commandOf(resource, organization)}`;
  if (isEverywhere) return { hint: suggestion ?? 'Check the spelling.' };
  if (within?.flags.in === undefined) return { hint: meant, ...(suggestion && { suggestion }) };
  const { text } = readReference(typed, [resource]);
  const everywhere = shellLine('edu', resource.name, 'list', '--all-organizations', '--search', text);
  const hint = `${suggestion ?? `See: ${everywhere}`}\n--in ORGANIZATION looks up names in another organization.`;
  return { hint, ...(suggestion && { suggestion }) };
}

/** Says that none of these resources has an item that a reference means. */
export function unknownText(resources: readonly Resource[], noun: string, typed: string): string {
  const [resource] = resources;
  const { only, text } = readReference(typed, resources);
  const written = resource?.written ?? [];
  const all = resource === undefined ? ['ID'] : waysOf(resource);
  const ways = { id: ['ID'], key: nounsIn(written, true), name: nounsIn(written, false) };
  return `no ${noun} has the ${either(only === undefined ? all : ways[only])} ${quoted(text)}`;
}

/** The end of a message about a name that cannot be looked up. */
export const unlistedText = (nouns: string): string => `, and names cannot be looked up: ${nouns} cannot be listed`;

/** Describes why a reference means no item. @param scope where it was looked up */
export async function describeMissing(
  refersTo: Referent,
  typed: string,
  found: Exclude<Found, { is: 'one' | 'several' }>,
  scope: Scope = {},
): Promise<Description> {
  const resources = await resourcesOf(refersTo, scope);
  const [noun, nouns] = await nounsOf(refersTo, scope);
  const [resource] = resources;
  if (found.is === 'hidden')
    return {
      message: `you may not see the ${noun} ${quoted(typed.trim())}`,
      hint: `Ask its owner, or give the ${noun} by ID.`,
    };
  const { only } = readReference(typed, resources);
  const what = unknownText(resources, noun, typed);
  if (!found.isRead) {
    const owners = resource?.within?.owned === 'School' ? 'Only the owner of a school can list its classes. ' : '';
    return {
      message: what + unlistedText(nouns),
      hint: `${owners}Give the ${noun} by ID.`,
    };
  }
  const { unread = [] } = found;
  const where = only === 'id' || resource === undefined ? undefined : lookedIn(resource, found);
  const except = unread.length === 0 ? '' : `, without ${andMore(unread)}, which cannot be listed`;
  const place = where === undefined ? '' : ` (looked ${where}${except})`;
  return { message: what + place, ...adviceFor(resource, typed, found) };
}

/** Items on one line each: label, the school of a class or city of a school (names may repeat), other names; ID. */
export async function choicesAmong(
  matches: readonly Match[],
  { schoolName }: Pick<Resolver, 'schoolName'>,
): Promise<readonly { readonly match: Match; readonly message: string; readonly line: string }[]> {
  return Promise.all(
    matches.map(async (match) => {
      const { id, label, names, school, city } = match;
      const of = school === undefined ? city : `${(await schoolName(school)) ?? 'school'} (${school})`;
      const where = of === undefined ? '' : `, ${of}`;
      const message = [`${label}${where}`, ...names.filter((name) => !label.includes(name))].join('  ');
      return { match, message, line: `${message}  ${id}` };
    }),
  );
}

/** The command that lists a resource, such as `edu books subjects`. */
function commandOf({ name, endpoints: { list }, within }: Resource, organization: OrganizationReference | undefined) {
  const [group = '', own] = (list?.path ?? '').split('/').slice(2);
  if (own !== undefined && !own.startsWith('{')) return shellLine('edu', group, own);
  if (within?.owned === 'School') return shellLine('edu', name, 'list', '--school', organization?.id ?? 'SCHOOL');
  return shellLine('edu', name, 'list', ...(organization === undefined ? [] : ['--organization', organization.id]));
}
