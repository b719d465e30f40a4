/** Requests generated from docs/openapi.json get documented responses, and no 400 for input that it allows. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Method } from '../../src/core/http.js';
import { type Bundled, bundled, closeBundled, FORM_TYPE, formOf } from '../support/bundled-service.js';
import { type Node, nodeAt, openapi, resolved, validator } from '../support/openapi.js';
import { fuzz } from './fuzz.js';
import { jsonValue } from './hostile.js';

const resolve = (node: Node): Node => (node?.$ref === undefined ? node : nodeAt(...node.$ref.slice(2).split('/')));

/** IDs of the demo seed, by the name of the field or parameter, so that most requests succeed. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  subject: ['0001', '0002'],
  secondSubject: ['0002'],
  subjectId: ['0001'],
  licenseCategory: ['02'],
  userId: ['u1', 'u3', 'u4'],
  licenseId: ['00000001', '00000002'],
  subscriptionId: ['sub1', 'sub2', 'sub3'],
  classId: ['c1', 'c2'],
  schoolId: ['s1'],
  fileId: ['f1'],
  organization: ['d1', 's1', 'p1'],
  id: ['u1', 's1', 'p1', 'd1', 'c1', 'B1', 'r1', 'sub1', '00000001'],
  code: ['welcome1'],
  email: ['school@example.org'],
  country: ['DE', 'NL'],
  books: ['B1', 'B2'],
  roles: [],
};

const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

function textOf({ pattern, minLength = 0, maxLength, format, contentMediaType }: Node, name: string) {
  if (contentMediaType !== undefined) return fc.constantFrom('%PDF-1.4', '\u0089PNG\r\n');
  if (format === 'date') return day;
  const free = pattern === undefined ? fc.string({ minLength }) : fc.stringMatching(new RegExp(pattern, 'u'));
  const short = free.filter((text) => text.isWellFormed() && [...text].length <= (maxLength ?? 1000));
  const known = KNOWN[name] ?? [];
  return known.length === 0 ? short : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, short);
}

/** Values that a schema allows, but for conditions. @param name of the member */
function valuesOf(given: Node, name: string): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one: Node) => valuesOf(one, name)));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => valuesOf({ ...schema, type }, name)));
  switch (schema.type) {
    case 'string':
      return textOf(schema, name);
    case 'integer':
      return fc.oneof(
        fc.integer({ min: schema.minimum ?? -9, max: 9 }),
        fc.maxSafeNat().filter((value) => value >= (schema.minimum ?? 0)),
      );
    case 'number':
      return fc.oneof(fc.integer({ min: schema.minimum ?? -9, max: 9 }), fc.double({ min: 1, max: 9, noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(schema.items, name), { maxLength: 3 });
    default: {
      const required: string[] = schema.required ?? [];
      const members = Object.entries<Node>(schema.properties ?? {}).map(([member, inner]) => {
        const values = valuesOf(inner, member);
        return [member, required.includes(member) ? values : fc.option(values, { nil: undefined, freq: 4 })] as const;
      });
      return fc
        .record(Object.fromEntries(members))
        .map((object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)));
    }
  }
}

interface Generated {
  readonly method: Method;
  readonly path: string;
  readonly url: string;
  readonly type: string | undefined;
  readonly body: unknown;
}

const OPERATIONS = Object.entries<Node>(openapi.paths)
  .filter(([path]) => path.startsWith('/v1/'))
  .flatMap(([path, methods]) =>
    Object.entries<Node>(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** Requests that the document allows, and others that differ from these in a member or parameter. */
const requestsOf = ({ path, method, operation }: (typeof OPERATIONS)[number]): fc.Arbitrary<Generated> => {
  const [type, content] = Object.entries<Node>(operation.requestBody?.content ?? {})[0] ?? [];
  const parameters: readonly Node[] = operation.parameters ?? [];
  const values = parameters.map(({ name, required, schema }) => {
    const all = valuesOf(schema, name).map(String);
    return required ? all : fc.option(all, { nil: undefined });
  });
  const spoiling = fc.option(fc.tuple(fc.nat(20), fc.oneof(jsonValue, fc.constant(undefined))), { freq: 1 });
  return fc
    .tuple(fc.tuple(...values), type === undefined ? fc.constant(undefined) : valuesOf(content.schema, ''), spoiling)
    .map(([given, body, spoiled]) => {
      let target = path;
      const query = new URLSearchParams();
      for (const [at, { name, in: place }] of parameters.entries()) {
        const value = given[at];
        if (value === undefined) continue;
        if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
        else query.set(name, value);
      }
      const names = Object.keys(body ?? {});
      const name = spoiled === null ? undefined : names[spoiled[0] % Math.max(1, names.length)];
      if (spoiled !== null && name === undefined) query.delete([...query.keys()][0] ?? '');
      const changed = name === undefined || spoiled === null ? body : { ...(body as object), [name]: spoiled[1] };
      return { method: method.toUpperCase() as Method, path, url: `${target}?${query}`, type, body: changed };
    });
};
const requests = fc.oneof(...OPERATIONS.map(requestsOf));

/** Problems that the document must describe, because they are those of the input alone. */
const OF_INPUT =
  /^(is required|must not be empty|must have at most|must be (text|a number|a whole|true|one of|a day|a list|an object|a file|lowercase|an e-mail|at least 1,))/;

let service: Bundled;
beforeAll(async () => {
  service = await bundled();
});
afterAll(closeBundled);

function bodyOf({ type, body }: Generated) {
  if (type === undefined) return {};
  if (type === 'application/json') return { headers: { 'content-type': type }, body: JSON.stringify(body) };
  const parts = Object.entries(body as object).map(([name, value]) => ({
    name,
    value: typeof value === 'object' ? JSON.stringify(value) : String(value).toWellFormed(),
    ...(name.endsWith('ile') ? { filename: 'a' } : {}),
  }));
  return { headers: { 'content-type': FORM_TYPE }, body: formOf(parts) };
}

const isJson = (headers: Readonly<Record<string, string>>): boolean =>
  headers['content-type']?.startsWith('application/json') === true;

fuzz(
  'requests by docs/openapi.json get documented responses, and no 400 for allowed input',
  fc.record({
    request: requests,
    as: fc.constantFrom('distributor', 'distributor', 'school', 'publisher', 'viewer', null),
  }),
  async ({ request, as }) => {
    const { method, path, url, type, body } = request;
    const place = ['paths', path, method.toLowerCase()] as const;
    const operation = openapi.paths[path][method.toLowerCase()];
    const answer = await service.call(method, url, { as, ...bodyOf(request) });
    const [unforeseen] = service.errors.splice(0);
    if (unforeseen !== undefined) throw unforeseen;
    expect(Object.keys(operation.responses)).toContain(`${answer.status}`);
    const at = resolved(...place, 'responses', answer.status);
    const content = nodeAt(...at).content?.['application/json'];
    expect(isJson(answer.headers)).toBe(content !== undefined);
    if (content !== undefined) {
      const isValid = validator(...at, 'content', 'application/json', 'schema');
      expect(isValid(answer.json) ? [] : isValid.errors).toEqual([]);
    }
    if (answer.status !== 400) return;
    const query = new URLSearchParams(url.split('?')[1]);
    const isComplete = (operation.parameters ?? []).every(
      ({ in: given, name, required }: Node) => given !== 'query' || !required || query.has(name),
    );
    const isAllowed = type === undefined || validator(...place, 'requestBody', 'content', type, 'schema')(body);
    if (!isComplete || !isAllowed) return;
    const { fields = [] } = answer.json as { fields?: readonly { field: string; message: string }[] };
    expect(fields.filter(({ message }) => OF_INPUT.test(message))).toEqual([]);
  },
);
