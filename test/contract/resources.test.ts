/** Every endpoint, reference and shape of the contract belongs to a resource. */
import { expect, it } from 'vitest';
import { resourcesBehind } from '../../src/contract/by-reference.js';
import { contract } from '../../src/contract/index.js';
import { type Resource, resourceOf } from '../../src/contract/resource.js';
import type { Endpoint, Field, Referent } from '../../src/contract/vocabulary.js';

const ENDPOINTS: readonly Endpoint[] = Object.values(contract).flatMap((group) => Object.values<Endpoint>(group));
const RESOURCES = [...new Set(ENDPOINTS.map(resourceOf).filter((one): one is Resource => one !== undefined))];

/** Every field of an endpoint, nested ones included. */
const fieldsOf = (field: Field): readonly Field[] => [
  field,
  ...(field.of === undefined ? [] : fieldsOf(field.of)),
  ...Object.values(field.fields ?? {}).flatMap(fieldsOf),
];
const shapesOf = ({ returns, list }: Endpoint): readonly Field[] =>
  [returns, list?.of].filter((one): one is Field => one !== undefined);
const FIELDS = ENDPOINTS.flatMap((one) =>
  [...Object.values({ ...one.params, ...one.query, ...one.body }), ...shapesOf(one)].flatMap(fieldsOf),
);

const label = ({ method, path }: Endpoint): string => `${method} ${path}`;

it('finds the resource of every endpoint', () => {
  expect(
    ENDPOINTS.filter((one) => resourceOf(one) === undefined).map(label),
    'declare a resource({ endpoints }) below these endpoints',
  ).toEqual([]);
});

it('names each resource once', () => {
  const names = RESOURCES.map(({ name }) => name);
  expect(names).toHaveLength(new Set(names).size);
});

it('finds a resource for every reference', async () => {
  const references = new Set(FIELDS.flatMap(({ refersTo }) => (refersTo === undefined ? [] : [refersTo])));
  const missing: Referent[] = [];
  for (const refersTo of references) {
    const found = await resourcesBehind(refersTo);
    if (found.length === 0) missing.push(refersTo);
    const kinds = found.map((one) => (refersTo === 'organization' ? one.organizationType && refersTo : one.refersTo));
    expect([...new Set([refersTo, ...kinds])], 'the resources in contract/by-reference.ts').toEqual([refersTo]);
  }
  expect(missing.sort(), 'add the resource to contract/by-reference.ts').toEqual(['file', 'licenceCategory']);
});

it('has columns only for fields of the response', () => {
  const shapes = ENDPOINTS.flatMap(shapesOf);
  for (const columns of new Set(shapes.map((one) => one.columns ?? []))) {
    const known = shapes.filter((one) => one.columns === columns).flatMap((one) => Object.keys(one.fields ?? {}));
    for (const { title, from } of columns)
      for (const field of [from].flat()) expect(known, `the column ${title}`).toContain(field);
  }
});

it('has one ID and one list of columns for all shapes of a resource', () => {
  const first = new Map<string, Field>();
  for (const shape of ENDPOINTS.flatMap(shapesOf)) {
    if (shape.name === undefined) continue;
    const { id, prints, columns } = first.get(shape.name) ?? shape;
    first.set(shape.name, first.get(shape.name) ?? shape);
    expect(shape, `declare this ${shape.name} as variant(...) of the other`).toMatchObject({
      ...(id && { id }),
      ...(prints && { prints }),
    });
    expect(shape.columns, `declare this ${shape.name} as variant(...) of the other`).toBe(columns);
  }
});

it('has labels made of fields that lists return', () => {
  for (const { name, label: template, shape } of RESOURCES)
    for (const [, field = ''] of template.matchAll(/\{(\w+)\}/g))
      expect(Object.keys(shape.fields), `the label of ${name}`).toContain(field);
});

it('has an ID or an export key for every resource', () => {
  const without = RESOURCES.filter(({ shape, exportKey }) => shape.id === undefined && exportKey === undefined);
  expect(
    without.map(({ name }) => name),
    'give the shape an id, or the resource an exportKey',
  ).toEqual([]);
});
