/** Compares every row of src/contract with a second reading of the API document, in both directions. */
import { describe, expect, it } from 'vitest';
import { KNOWN_BOOK_TYPES } from '../../src/contract/books.js';
import { MAX_PDF_BYTES as CONTRACT_PDF, LICENCE_CODE } from '../../src/contract/shared.js';
import type { Endpoint, Field } from '../../src/contract/vocabulary.js';
import { answerOf, bodyOf, inputsOf, oauthRows, queryOf, routeOf, rows } from './contract-leaves.js';
import {
  BOOK_TYPES_SEEN,
  DOCUMENTED_LIMITS,
  type DocumentedLimit,
  MAX_PDF_BYTES,
  nameOf,
} from './documented-limits.js';
import { DATE_FORMS, NULLABLE } from './documented-shapes.js';
import { DOCUMENTED, DOCUMENTED_OAUTH, type DocumentedEndpoint } from './endpoint-table.js';

const sorted = (names: readonly string[]): string[] => [...names].sort();
const byRoute = new Map([...rows, ...oauthRows].map(([, row]) => [routeOf(row), row]));

function rowFor(documented: DocumentedEndpoint): Endpoint {
  const row = byRoute.get(documented.route);
  if (!row) throw new Error(`the contract has no row for ${documented.route}`);
  return row;
}

it('has the documented endpoints and those of OAuth, each once', () => {
  expect(sorted(rows.map(([, row]) => routeOf(row))), 'src/contract and test/contract/endpoint-table.ts').toEqual(
    sorted(DOCUMENTED.map((row) => row.route)),
  );
  expect(sorted(oauthRows.map(([, row]) => routeOf(row)))).toEqual(sorted(DOCUMENTED_OAUTH.map((row) => row.route)));
});

it('sends an access token everywhere except to the two OAuth endpoints', () => {
  for (const [name, row] of rows) expect(row.authenticated, name).toBeUndefined();
  for (const [name, row] of oauthRows) expect(row.authenticated, name).toBe(false);
});

describe.each([...DOCUMENTED, ...DOCUMENTED_OAUTH].map((row) => [row.route, row] as const))('%s', (_, documented) => {
  const row = rowFor(documented);

  it('has exactly the parameters of its path', () => {
    const segments = [...documented.route.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    expect(Object.keys(row.params ?? {})).toEqual(segments);
    for (const field of Object.values(row.params ?? {})) expect(field).toMatchObject({ kind: 'text', required: true });
  });

  it('has the documented query', () => {
    expect(sorted(queryOf(row))).toEqual(sorted(documented.query ?? []));
  });

  it('has the documented body', () => {
    expect(sorted(bodyOf(row.body ?? {}))).toEqual(sorted(documented.body ?? []));
    const encoding = row.body ? (row.encoding ?? 'json') : undefined;
    // The encoding of the token request is not documented; RFC 6749 requires a form.
    const wanted = documented.section === 'Authentication' ? 'form' : (documented.encoding ?? 'json');
    expect(encoding).toBe(documented.body && wanted);
  });

  it('returns the documented fields', () => {
    const answer = answerOf(row);
    if (typeof documented.answer === 'string') {
      expect(answer).toBe(documented.answer);
      return;
    }
    const maybe = new Set(documented.maybe);
    expect(sorted([...answer].filter((leaf) => !maybe.has(leaf)))).toEqual(sorted(documented.answer));
  });

  it('is paged as documented', () => {
    expect(row.list?.paged ? row.list.key : undefined).toBe(documented.page);
    expect(row.list?.maxPerPage).toBe(documented.route === 'GET /v1/licenses' ? 100 : undefined);
  });

  it('lists the documented error statuses', () => {
    expect([...row.errors].sort()).toEqual(documented.errors);
  });

  it('knows the documented limits of each input', () => {
    const inputs = inputsOf(row);
    const found = Object.fromEntries(
      inputs.map(([place, name, field]) => [`${documented.route} ${place} ${name}`, limitOf(field)]),
    );
    const wanted = Object.fromEntries(
      inputs.map(([place, name]) => {
        const key = `${documented.route} ${place} ${name}`;
        return [key, DOCUMENTED_LIMITS.get(key) ?? {}];
      }),
    );
    expect(found, 'src/contract and test/contract/documented-limits.ts').toEqual(wanted);
  });
});

it('has a documented input for every documented limit', () => {
  const known = new Set(
    DOCUMENTED.flatMap((row) =>
      (['query', 'body'] as const).flatMap((place) =>
        (row[place] ?? []).map((field) => `${row.route} ${place} ${nameOf(field)}`),
      ),
    ),
  );
  for (const key of DOCUMENTED_LIMITS.keys()) expect(known).toContain(key);
});

it.each(NULLABLE)('%s may return null for %s', (route, leaf) => {
  expect(fieldAt(route, leaf).nullable).toBe(true);
});

it.each(DATE_FORMS)('%s represents %s as %s', (route, leaf, format) => {
  expect(fieldAt(route, leaf).format).toBe(format);
});

it('has the documented constants', () => {
  expect(CONTRACT_PDF).toBe(MAX_PDF_BYTES);
  expect(KNOWN_BOOK_TYPES).toEqual(BOOK_TYPES_SEEN);
  for (const code of ['abc', 'a1', '007', 'z']) expect(code).toMatch(LICENCE_CODE);
  for (const code of ['', 'ABC', 'a-b', 'a b', 'ä', 'a\n']) expect(code).not.toMatch(LICENCE_CODE);
});

/** The field of a response at a dotted path. */
function fieldAt(route: string, leaf: string): Field {
  const row = byRoute.get(route);
  let field: Field | undefined = row?.returns;
  let rest = leaf;
  if (row?.list) {
    field = row.list.of;
    rest = leaf.slice((row.list.key ?? '').length + '[].'.length);
  }
  for (const name of rest.split('.')) field = field?.fields?.[name];
  if (!field) throw new Error(`${route} has no ${leaf}`);
  return field;
}

/** The limit of a field in the contract, in the notation of documented-limits.ts. */
function limitOf(field: Field): DocumentedLimit {
  const kinds = ['number', 'integer', 'boolean', 'file', 'list'] as const;
  const kind = kinds.find((known) => known === field.kind);
  const format = field.format === undefined ? undefined : (field.format as NonNullable<DocumentedLimit['format']>);
  return {
    ...(kind ? { kind } : {}),
    ...(field.maxLength === undefined ? {} : { maxLength: field.maxLength }),
    ...(field.minimum === undefined ? {} : { minimum: field.minimum }),
    ...(field.choices === undefined ? {} : { oneOf: field.choices }),
    ...(format === undefined ? {} : { format }),
    ...(field.default === undefined ? {} : { default: field.default }),
  };
}
