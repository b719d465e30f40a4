/** Derives commands from a resource: list, get, create, update, and actions on items. */
import { type Command, exclusive, type Flag, flag, textOf, textsOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { asOptional, flagsFor, listFlags, type Overrides } from '../../cli/flags-from-fields.js';
import {
  ALL_ORGANIZATIONS,
  ORGANIZATION_FLAGS,
  organizationBody,
  organizationFor,
  organizationScope,
} from '../../cli/organization-flags.js';
import { type ListInput, listInputs } from '../../contract/list-inputs.js';
import type { Resource } from '../../contract/resource.js';
import { LANGUAGES, type OrganizationReference } from '../../contract/shared.js';
import type { Endpoint } from '../../contract/vocabulary.js';
import { itemCommand, listCommand, writeCommand } from './define.js';
import type { Update } from './plan-update.js';
import { argumentFor, asTyped, fetchItem, inWords, languageOf } from './references.js';
import { filled } from './request-body.js';
import type { Amend, Call, Described, ItemSpec, ListSpec, Write, WriteSpec } from './spec.js';

/** The texts of a command. Name and summary default to those of the endpoint. */
type Special = Pick<Described, 'examples'> & Partial<Described>;

function endpointOf({ name, endpoints }: Resource, which: string): Endpoint {
  const endpoint = endpoints[which];
  if (endpoint === undefined) throw new TypeError(`The resource ${name} has no endpoint "${which}".`);
  return endpoint;
}

const summaryOf = ({ description }: Endpoint): string =>
  description
    .replace("the caller's organization", 'your organization')
    .replace('of an organization', 'of your organization, or of one that it owns')
    .replace('Show one', 'Show a');

interface SpecialList extends Special, Pick<ListSpec, 'filter' | 'arranged'> {
  /** Returns true if the values of the command's own flags need this part of the list. */
  readonly needs?: (input: ListInput, values: Values) => boolean;
}

export function listOf(resource: Resource, { flags = [], needs, check, ...special }: SpecialList): Command {
  const endpoint = endpointOf(resource, 'list');
  const byOrganization = endpoint.query?.organization !== undefined;
  const hasAll = byOrganization && resource.shape.fields.organization !== undefined;
  const optional = Object.entries(endpoint.query ?? {}).filter(([, { required }]) => required !== true);
  const own = flagsFor('query', Object.fromEntries(optional));
  const callsOf = (organizations: readonly OrganizationReference[], values: Values, context: Context): Call[] =>
    listInputs(endpoint, { languages: [context.language()], organizations })
      .filter((input) => needs?.(input, values) !== false)
      .map(({ of, query, ...input }) => ({
        endpoint,
        input: { ...input, query: { ...query, ...filled('query', own, values) } },
      }));
  const checks = ORGANIZATION_FLAGS.map(({ name }) => exclusive(ALL_ORGANIZATIONS.name, name));
  return listCommand({
    name: 'list',
    summary: summaryOf(endpoint),
    flags: [...own, ...flags, ...(byOrganization ? ORGANIZATION_FLAGS : []), ...(hasAll ? [ALL_ORGANIZATIONS] : [])],
    search: resource.search,
    check: (values) => [...checks.flatMap((one) => one(values)), ...(check?.(values) ?? [])],
    ...special,
    noun: resource.noun[1],
    shape: endpoint.list?.of ?? resource.shape,
    scope: async (values, context) =>
      byOrganization ? organizationScope(hasAll, values, context) : endpoint.list?.scope,
    sources: async (values, context) =>
      callsOf(byOrganization ? [await organizationFor(values, context)] : [], values, context),
    ...(hasAll && {
      all: async (values, isNamed, context) => {
        const { readAll } = await import('./all-organizations.js');
        return readAll(resource, (organization) => callsOf([organization], values, context), isNamed, context);
      },
    }),
  });
}

/** A list that belongs to an item, such as the classes of a school. */
export function listUnder(
  owner: Resource,
  { noun, search }: Pick<Resource, 'noun'> & Partial<Pick<Resource, 'search'>>,
  endpoint: Endpoint,
  special: Special &
    Pick<ListSpec, 'filter' | 'name' | 'summary' | 'named' | 'people' | 'scope'> &
    Partial<Pick<ListSpec, 'search'>>,
): Command {
  const argument = argumentFor(owner);
  return listCommand({
    arguments: [argument],
    ...(search === undefined ? {} : { search }),
    scope: async (values, context) =>
      endpoint.list?.scope ??
      `of ${owner.noun[0]} ${asTyped(owner.refersTo, textOf(values, argument.name) ?? '', context)}`,
    ...special,
    noun: noun[1],
    shape: endpoint.list?.of ?? owner.shape,
    sources: async (values) => {
      const id = textOf(values, argument.name) ?? '';
      return [{ endpoint, input: { params: { id }, query: filled('query', special.flags ?? [], values) } }];
    },
  });
}

export function getOf(resource: Resource, special: Special & Pick<ItemSpec, 'named' | 'note'>): Command {
  const endpoint = endpointOf(resource, 'get');
  const argument = argumentFor(resource);
  return itemCommand({
    name: 'get',
    summary: summaryOf(endpoint),
    arguments: [argument],
    ...special,
    shape: endpoint.returns ?? resource.shape,
    fetch: (values, context) => fetchItem(resource, textOf(values, argument.name) ?? '', context),
  });
}

interface WriteSpecial extends Special, Partial<Omit<WriteSpec, keyof Special | 'plan' | 'shape'>> {
  readonly overrides?: Overrides;
  readonly amend?: Amend | undefined;
}

/** For bodies whose organization comes from `ORGANIZATION_FLAGS`. */
export const NO_ORGANIZATION: Overrides = { organization: false, 'organization.id': false, 'organization.type': false };

/** The new item in messages: `book 9783000000017`, `class "7b"`. */
function newItem({ noun: [noun] }: Resource, { key = 'email' }: Endpoint, values: Values): string {
  const exact = key === 'name' ? undefined : textOf(values, key);
  if (exact !== undefined) return `${noun} ${exact}`;
  const name = textOf(values, 'name') ?? textOf(values, 'title');
  return name === undefined ? noun : `${noun} "${name}"`;
}

function organizationIn({ body }: Endpoint, values: Values, context: Context) {
  if (body?.organization === undefined) return {};
  if (body.organization.required !== true) return organizationBody(values, context);
  return organizationFor(values, context).then((organization) => ({ organization }));
}

/** Prompted for, because the e-mail is sent at once, and no update changes the language. */
const LANGUAGE: Flag = flag(
  '--language LL',
  'language of the user and of the e-mail with the password (default: that of the profile, or EN)',
  { kind: 'choice', choices: LANGUAGES, offered: true },
);

/** The updates of resources, for items that exist when they are to be created. */
const updates = new WeakMap<Resource, Update>();

interface CreateSpecial extends WriteSpecial {
  /** The endpoint for these values, if it is another one. */
  readonly through?: (values: Values) => Endpoint | undefined;
}

/** With a flag for each field of the body. A `language` without a flag is that of the command. */
export function createOf(resource: Resource, { overrides, amend, through, ...special }: CreateSpecial): Command {
  const usual = endpointOf(resource, 'create');
  const { body: fields = {}, returns } = usual;
  const hasOrganization = fields.organization !== undefined;
  const isOfPerson = overrides?.language === false;
  const own: readonly Flag[] = special.flags ?? [
    ...flagsFor('body', fields, { ...(hasOrganization ? NO_ORGANIZATION : {}), ...overrides }),
    ...(hasOrganization ? ORGANIZATION_FLAGS : []),
  ];
  const flags = isOfPerson ? [...own, LANGUAGE] : own;
  return writeCommand({
    name: 'create',
    creates: true,
    done: 'Created',
    summary: summaryOf(usual),
    ...(usual.key === undefined ? {} : { key: usual.key as NonNullable<WriteSpec['key']> }),
    ...special,
    flags,
    shape: returns ?? resource.shape,
    plan: async (values, context) => {
      const endpoint = through?.(values) ?? usual;
      const what = newItem(resource, endpoint, values);
      const files =
        endpoint.encoding === 'multipart'
          ? await (await import('./attachment.js')).uploads(flags, values, context.path)
          : {};
      const language = isOfPerson ? { language: textOf(values, 'language') ?? context.language() } : {};
      const organization = await organizationIn(endpoint, values, context);
      const { body: more, write } = (await amend?.({ values, present: undefined, what }, context)) ?? {};
      const body = Object.assign(filled('body', flags, values), files, language, organization, more);
      const update = updates.get(resource);
      return [
        {
          endpoint,
          input: { body, ...languageOf(endpoint, context) },
          what,
          updateExisting:
            update &&
            (async (found) => (await import('./plan-update.js')).updateExisting(update, found, values, context)),
          ...write,
        },
      ];
    },
  });
}

interface UpdateSpecial extends WriteSpecial {
  /** Accepts several items, which all get the same changes. */
  readonly several?: true;
}

/** Reads the item first to keep fields that are not given, unless the endpoint has only one field. */
export function updateOf(
  resource: Resource,
  { overrides, flags: more = [], amend, several, ...special }: UpdateSpecial,
): Command {
  const endpoint = endpointOf(resource, 'update');
  const { body: fields = {}, returns } = endpoint;
  const argument = argumentFor(resource, several === true);
  const isSingle = Object.keys(fields).length === 1;
  const own = flagsFor('body', fields, { ...(fields.organization === undefined ? {} : NO_ORGANIZATION), ...overrides });
  const flags = isSingle ? own : [...asOptional(own, resource.shape), ...listFlags(own), ...more];
  const update: Update = { resource, endpoint, flags, isSingle, amend };
  updates.set(resource, update);
  return writeCommand({
    name: 'update',
    done: 'Updated',
    summary: isSingle
      ? summaryOf(endpoint)
      : `Change ${several ? resource.noun[1] : `a ${resource.noun[0]}`}. Other fields are kept.`,
    arguments: [argument],
    flags,
    ...(isSingle ? {} : { oneAtLeast: true }),
    ...special,
    shape: returns ?? resource.shape,
    listed: resource.shape,
    plan: async (values, context, line) => {
      const { planUpdate } = await import('./plan-update.js');
      const writes: Write[] = [];
      for (const id of textsOf(values, argument.name))
        writes.push(await planUpdate(update, { id, values, line }, context));
      return writes;
    },
  });
}

interface EachSpecial extends Special, Pick<WriteSpec, 'done'>, Partial<Pick<WriteSpec, 'forGood' | 'loss'>> {
  /** Checks the items before the first is changed. @throws EduError `usage` */
  readonly checkEach?: (id: string, typed: string, context: Context) => Promise<void>;
}

/**
 * A command without a body for several items, such as `delete` and `cancel`. All references are resolved before the
 * first is changed.
 */
export function eachOf(resource: Resource, which: string, { checkEach, ...special }: EachSpecial): Command {
  const endpoint = endpointOf(resource, which);
  const argument = argumentFor(resource, true);
  const checkAll = async (values: Values, context: Context): Promise<undefined> => {
    for (const id of textsOf(values, argument.name))
      await checkEach?.(id, asTyped(resource.refersTo, id, context), context);
  };
  return writeCommand({
    name: which,
    summary: `${summaryOf(endpoint)} Asks for confirmation.`,
    ...(endpoint.destroys ? { act: which.replace(/^./, (letter) => letter.toUpperCase()), noun: resource.noun } : {}),
    arguments: [argument],
    shape: endpoint.returns ?? resource.shape,
    ...(checkEach && { pin: checkAll }),
    ...special,
    plan: async (values, context) => {
      await checkAll(values, context);
      return textsOf(values, argument.name).map((id) => ({
        endpoint,
        input: { params: { id } },
        what: `${resource.noun[0]} ${inWords(resource.refersTo, id, context)}`,
        ...(special.forGood && { typed: asTyped(resource.refersTo, id, context) }),
      }));
    },
  });
}
