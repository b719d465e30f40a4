/** The exportable resources: those with a list, and the account. */
import { EXPORTABLE, type Exportable, resources } from '../../contract/index.js';
import type { Resource as AnyResource } from '../../contract/resource.js';
import { LANGUAGES } from '../../contract/shared.js';
import { choice, type Endpoint, type Field, type Fields, shape, text } from '../../contract/vocabulary.js';

export type Resource = Exportable;

/** In the order of manifests and summaries. */
export const RESOURCES = EXPORTABLE;

export const isResource = (name: string): name is Resource => (RESOURCES as readonly string[]).includes(name);

/** Left out unless asked for: they cost a request for each licence. */
export const ON_REQUEST: ReadonlySet<Resource> = new Set(['activations']);

export interface Exported {
  /** The items as they are written. */
  readonly shape: Field;
  /** The fields that tell items apart, in the order in which they sort. */
  readonly key: readonly string[];
  /** The field by which people know an item, where it has one. */
  readonly natural?: string;
  /** A field that only exports of several languages have. */
  readonly addition?: string;
  /** Equal items are several, not one that was met twice. */
  readonly repeats?: true;
  /** The list; the account has none. */
  readonly list?: Endpoint;
}

const language = choice(LANGUAGES, 'language of the name; only in an export of several languages');

/** What an export adds behind the API's fields: in several languages each name comes with its own, and activations come with their licence, which the answer does not name. */
const ADDED: Readonly<Partial<Record<string, Fields>>> = {
  subjects: { language },
  types: { language },
  activations: { licenseId: text('licence id') },
};

function exported(resource: AnyResource): Exported {
  const { name, natural, endpoints } = resource;
  const added = ADDED[name];
  const id = resource.shape.id;
  const { name: title = name, description, fields } = resource.shape;
  return {
    shape: added === undefined ? resource.shape : shape(title, description, { ...fields, ...added }),
    key: resource.exportKey ?? [id ?? 'id', ...Object.keys(added ?? {})],
    ...(natural === null ? {} : { natural }),
    ...(added?.language === undefined ? {} : { addition: 'language' }),
    ...(id === undefined ? { repeats: true } : {}),
    ...(endpoints.list === undefined ? {} : { list: endpoints.list }),
  };
}

export const EXPORTED = Object.fromEntries(
  resources.filter(({ name }) => isResource(name)).map((one) => [one.name, exported(one)]),
) as Readonly<Record<Resource, Exported>>;

/** Separates the parts of a key; ids have no control characters, and order is right if they do not. */
const SEPARATOR = '\u0000';

/** An object as its JSON: one with a member called `toString` could not be asked for a text of its own. */
function part(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A function that gives the key of an item as one text; empty for an item without one. */
export function keyReader({ key }: Exported): (item: unknown) => string {
  const [first = 'id', ...others] = key;
  return (item) => {
    if (typeof item !== 'object' || item === null) return part(item);
    const fields = item as Readonly<Record<string, unknown>>;
    let text = part(fields[first]);
    let blanks = '';
    for (const name of others) {
      const more = part(fields[name]);
      blanks += SEPARATOR;
      // Blank parts at the end are left out: a csv has an empty cell where the item has nothing.
      if (more === '') continue;
      text += blanks + more;
      blanks = '';
    }
    return text;
  };
}

/** A key as people read it. */
export const shownKey = (key: string): string => key.replaceAll(SEPARATOR, ' ');
