/** Items by ID, key and name, in the precedence of references: an ID, else a key, else a name. */
import { labelOf, type Resource } from '../../contract/resource.js';
import type { OrganizationReference, OrganizationType } from '../../contract/shared.js';
import type { EduError } from '../../core/errors.js';
import { fold } from '../../core/fold.js';
import { asId, getPath } from '../../core/json.js';
import { getOrSet, once } from '../../core/maps.js';
import { suggestions } from '../../core/suggest.js';
import { keyForm, nameForm, type Reference, writtenText } from './spelling.js';

/** An item that a reference means. */
export interface Match {
  readonly id: string;
  /** The item on one line; the ID if it was not read. */
  readonly label: string;
  /** Its keys and names: `abc`, an e-mail address, a title. */
  readonly names: readonly string[];
  /** Set for an organization. */
  readonly type?: OrganizationType;
  /** ID of the school of a class, if the response contains it. */
  readonly school?: string;
  /** The city of a school. */
  readonly city?: string;
  /** The organization of a user. */
  readonly organization?: OrganizationReference;
  /** The response of `get`, or of the endpoint of a key; items of lists may lack fields. */
  readonly item?: unknown;
  /** The error of `get` for an item that the caller may not read. */
  readonly denied?: EduError;
  /** True if it may be an item that no endpoint returns, such as an end user. */
  readonly isUnseen?: boolean;
}

/** The ID of an item; undefined if the response contains none. */
export function idOfItem({ shape }: Pick<Resource, 'shape'>, item: unknown): string | undefined {
  return asId(getPath(item, shape.id ?? 'id'));
}

/** The organization of an item, if it names one. */
export function organizationIn(item: unknown): OrganizationReference | undefined {
  const id = asId(getPath(item, 'organization.id'));
  const type = getPath(item, 'organization.type');
  return id !== undefined && typeof type === 'string' && type !== ''
    ? { id, type: type as OrganizationType }
    : undefined;
}

/** @param id of an item that a response names without its ID */
export function matchOf(resource: Resource, item: unknown, id = idOfItem(resource, item)): Match | undefined {
  if (id === undefined) return undefined;
  const school = asId(getPath(item, 'schoolId'));
  const organization = organizationIn(item);
  const city = asId(getPath(item, 'city'));
  const names = resource.written.map((written) => writtenText(written, item)).filter((text) => text !== '');
  return {
    id,
    label: labelOf(resource, item).trim() || id,
    names,
    ...(resource.organizationType === undefined ? {} : { type: resource.organizationType }),
    ...(school === undefined ? {} : { school }),
    ...(city === undefined ? {} : { city }),
    ...(organization === undefined ? {} : { organization }),
  };
}

/** Names by their folded form, and by that of each of their words. */
function spellingsOf(names: Iterable<string>) {
  const whole = new Map<string, string>();
  for (const name of names) whole.set(fold(name), name);
  const words = once(
    () => new Map([...whole].flatMap(([folded, name]) => folded.split(' ').map((word) => [word, name]))),
  );
  return { whole, words };
}

/** Names that contain the text, or that are spelled like it, as a whole or in one word. */
function closest(text: string, { whole, words }: ReturnType<typeof spellingsOf>): readonly string[] {
  const wanted = fold(text);
  if (wanted === '') return [];
  const holding = [...whole.keys()].filter((folded) => folded.includes(wanted)).slice(0, 3);
  const alike = holding.length > 0 ? holding : suggestions(wanted, whole.keys());
  // Numbers are similar to many others.
  const isNumber = !/\p{L}{3}/u.test(text);
  if (alike.length > 0 || isNumber) return alike.map((folded) => whole.get(folded) ?? folded);
  return [...new Set(suggestions(wanted, words().keys()).map((word) => words().get(word) ?? word))];
}

/** Similar names of more references would take longer to find than anybody reads. */
const MAX_SUGGESTED = 100;

/** Arrays take a quarter of the memory of sets, and hardly any key or name has several items. */
const note = (map: Map<string, string[]>, key: string, id: string): void => void getOrSet(map, key, () => []).push(id);

export class ItemIndex {
  readonly items = new Map<string, Match>();
  readonly #keys = new Map<string, string[]>();
  readonly #names = new Map<string, string[]>();
  /** The forms in which keys of the items are compared. */
  readonly #forms = new Set<Resource['written'][number]['key']>();
  /** IDs of deleted classes, which lists still contain. */
  readonly #inactive = new Set<string>();
  /** True if there are more items than were read. */
  isCut = false;
  /** The lists that the caller may not read, such as `the classes of School s2`. Their items may have the same names. */
  readonly unread: string[] = [];
  /** For references with the same prefix. */
  readonly #spellings = new Map<Reference['only'], ReturnType<typeof spellingsOf>>();
  #suggested = 0;

  add(resource: Resource, item: unknown): void {
    const match = matchOf(resource, item);
    if (match === undefined) return;
    const { id } = match;
    this.items.set(id, match);
    if ((getPath(item, 'deactivationDate') ?? null) !== null) this.#inactive.add(id);
    for (const written of resource.written) {
      const text = writtenText(written, item);
      if (text === '') continue;
      if (written.key === undefined) note(this.#names, nameForm(text), id);
      else {
        this.#forms.add(written.key);
        note(this.#keys, keyForm(written.key, text), id);
      }
    }
  }

  addAll(other: ItemIndex): void {
    for (const match of other.items.values()) this.items.set(match.id, match);
    for (const [from, into] of [
      [other.#keys, this.#keys],
      [other.#names, this.#names],
    ] as const)
      for (const [text, ids] of from) for (const id of ids) note(into, text, id);
    for (const form of other.#forms) this.#forms.add(form);
    for (const id of other.#inactive) this.#inactive.add(id);
    this.isCut ||= other.isCut;
    this.unread.push(...other.unread);
  }

  byId = ({ only, text }: Reference): Match | undefined =>
    only === undefined || only === 'id' ? this.items.get(text) : undefined;

  /** The items with this key, in any spelling. */
  byKey({ only, text }: Reference): readonly Match[] {
    if (only !== undefined && only !== 'key') return [];
    return this.#meant([...this.#forms].flatMap((form) => [...(this.#keys.get(keyForm(form, text)) ?? [])]));
  }

  byName({ only, text }: Reference): readonly Match[] {
    if (only !== undefined && only !== 'name') return [];
    return this.#meant(this.#names.get(nameForm(text)) ?? []);
  }

  /** The items that a reference means: one, none, or several of one name, in the order of their IDs. */
  find(reference: Reference): readonly Match[] {
    const same = this.byId(reference);
    if (same !== undefined) return [same];
    const keyed = this.byKey(reference);
    return keyed.length > 0 ? keyed : this.byName(reference);
  }

  /** Up to three keys and names, of those that its prefix allows, that one of the first misspelled references may mean. */
  closest({ only, text }: Reference): readonly string[] {
    if (this.#suggested++ >= MAX_SUGGESTED) return [];
    const spellings = getOrSet(this.#spellings, only, () => {
      const all = [...this.items.values()].flatMap(({ names }) => names);
      return spellingsOf(only === undefined ? all : all.filter((name) => this.find({ only, text: name }).length > 0));
    });
    // An EAN may be written with hyphens.
    const forms = new Set([text, ...[...this.#forms].map((form) => keyForm(form, text))]);
    return [...forms].map((form) => closest(form, spellings)).find((found) => found.length > 0) ?? [];
  }

  /** An active class takes precedence over a deleted one of the same name. */
  #meant(ids: Iterable<string>): readonly Match[] {
    const all = [...new Set(ids)].sort();
    const active = all.filter((id) => !this.#inactive.has(id));
    return (active.length > 0 ? active : all).flatMap((id) => this.items.get(id) ?? []);
  }
}
