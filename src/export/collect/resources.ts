/** The exportable resources: those with a list, and the account. */
import { EXPORTABLE, type Exportable, resources } from '../../contract/index.js';
import { isOfOrganization } from '../../contract/list-inputs.js';
import type { Resource as AnyResource } from '../../contract/resource.js';
import { LANGUAGES } from '../../contract/shared.js';
import { choice, type Fields, shape, text } from '../../contract/vocabulary.js';
import { isOneOf } from '../../core/checks.js';
import { JsonText } from '../../core/exact-json.js';

export type Resource = Exportable;

/** In the order of the manifest and of summaries. */
export const RESOURCES = EXPORTABLE;

export const isResource = isOneOf(RESOURCES);

/** The resources of an object in the order of `RESOURCES`. */
export const inOrder = <T>(resources: Readonly<Partial<Record<Resource, T>>>): Readonly<Partial<Record<Resource, T>>> =>
  Object.fromEntries(RESOURCES.flatMap((name) => (resources[name] === undefined ? [] : [[name, resources[name]]])));

/** Exported only on request, because they cost one request per licence. */
export const ON_REQUEST: ReadonlySet<Resource> = new Set(['activations']);

const language = choice(LANGUAGES, 'language of the name; only in an export of several languages');

/** Fields that an export appends: the language of a name, and the licence of an activation, which the response lacks. */
const ADDED: Readonly<Partial<Record<string, Fields>>> = {
  subjects: { language },
  types: { language },
  activations: { licenseId: text('licence id') },
};

function exported({ name, natural, endpoints, shape: own, exportKey }: AnyResource) {
  const added = ADDED[name];
  return {
    shape: added === undefined ? own : shape(own.name ?? name, own.description, { ...own.fields, ...added }),
    /** The fields that identify an item, in sort order. */
    key: exportKey ?? [own.id ?? 'id', ...Object.keys(added ?? {})],
    natural: natural ?? undefined,
    /** A field that exists only in exports of several languages. */
    addition: added?.language && 'language',
    /** Equal items are different ones, not one that was read twice. */
    repeats: own.id === undefined,
    /** Reads an item by its ID, if items can move from one list to another: an update changes their organization. */
    movable: endpoints.update?.body?.organization === undefined ? undefined : endpoints.get,
    /** The account has no list. */
    list: endpoints.list,
  };
}

type Exported = ReturnType<typeof exported>;

export const EXPORTED = Object.fromEntries(
  resources.filter(({ name }) => isResource(name)).map((one) => [one.name, exported(one)]),
) as Readonly<Record<Resource, Exported>>;

/** True if a resource has one list per organization. */
export function isByOrganization(name: Resource): boolean {
  const { list } = EXPORTED[name];
  return list !== undefined && isOfOrganization(list);
}

/** Separates the parts of a key. It sorts before all characters of IDs, which have no control characters. */
const SEPARATOR = '\u0000';

/** A part of a key as text. Objects become JSON, because `String()` fails for one with a member `toString`. */
function part(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns a function from an item to its key; empty for an item without one. */
export function keyReader(resource: Resource): (item: unknown) => string {
  const [first = 'id', ...others] = EXPORTED[resource].key;
  return (item) => {
    if (item instanceof JsonText) return item.id;
    if (typeof item !== 'object' || item === null) return part(item);
    const fields = item as Readonly<Record<string, unknown>>;
    let text = part(fields[first]);
    let blanks = '';
    for (const name of others) {
      const more = part(fields[name]);
      blanks += SEPARATOR;
      // Blank parts at the end are omitted, because a csv has an empty cell for a missing field.
      if (more === '') continue;
      text += blanks + more;
      blanks = '';
    }
    return text;
  };
}

/** A key for messages. */
export const shownKey = (key: string): string => key.replaceAll(SEPARATOR, ' ');
