/** Derives the calls of a list endpoint from the fields that it requires. */
import type { Endpoint } from './vocabulary.js';

/** Values for the required fields of list endpoints. */
export interface Known {
  readonly languages: readonly string[];
  readonly organizations: readonly { readonly id: string; readonly type: string }[];
}

export interface ListInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Name of this part of the list, such as `School s1` or `BOOKS`; empty for the whole list. */
  readonly of: string;
}

/** Returns true if a list belongs to an organization; includes a school's classes. */
export const isOfOrganization = ({ params, query }: Endpoint): boolean =>
  query?.organization !== undefined || params?.id?.refersTo === 'school';

/** The possible values of each required field. Every value of a field is combined with every value of the others. */
function alternatives({ params = {}, query = {} }: Endpoint, known: Known): (readonly ListInput[])[] {
  const paths = Object.entries(params).map(([name, { refersTo }]): ListInput[] =>
    refersTo === 'school'
      ? known.organizations
          .filter(({ type }) => type === 'School')
          .map(({ id }) => ({ params: { [name]: id }, of: `School ${id}` }))
      : [],
  );
  const queries = Object.entries(query)
    .filter(([name, { required }]) => required === true && !(name === 'type' && query.organization !== undefined))
    .map(([name, { choices = [] }]): ListInput[] => {
      if (name === 'organization')
        return known.organizations.map(({ id, type }) => ({ query: { organization: id, type }, of: `${type} ${id}` }));
      if (name === 'language') return known.languages.map((language) => ({ query: { language }, of: '' }));
      return choices.map((choice) => ({ query: { [name]: String(choice) }, of: String(choice) }));
    });
  return [...paths, ...queries];
}

/**
 * The calls that together read a whole list: one for each combination of organization, school or other parent, and value
 * of a required filter.
 */
export const listInputs = (list: Endpoint, known: Known): readonly ListInput[] =>
  alternatives(list, known).reduce<readonly ListInput[]>(
    (inputs, choices) =>
      inputs.flatMap((input) =>
        choices.map((choice) => ({
          ...input,
          ...choice,
          ...(input.query && choice.query && { query: { ...input.query, ...choice.query } }),
          of: [input.of, choice.of].filter(Boolean).join(' '),
        })),
      ),
    [{ of: '' }],
  );
