/**
 * Every endpoint: the documented success, no response without authentication, and each required input missing or
 * invalid.
 */
import { describe, expect, it } from 'vitest';
import { DOCUMENTED_LIMITS, nameOf } from '../contract/documented-limits.js';
import { DOCUMENTED } from '../contract/endpoint-table.js';
import { documentedRow } from './answer-check.js';
import { ROUTES, validRequest } from './requests.js';
import { type Spoiled, spoiledRequests } from './spoiled.js';
import { conformance } from './suite.js';

it('has a valid request for each endpoint', () => {
  expect([...ROUTES].sort(), 'requests.ts and test/contract/endpoint-table.ts').toEqual(
    DOCUMENTED.map((row) => row.route).sort(),
  );
  expect(DOCUMENTED_LIMITS.size).toBeGreaterThan(0);
});

conformance('Endpoints', ({ door, distributor, nobody, ours }) => {
  describe.each(ROUTES)('%s', (route) => {
    const valid = () => validRequest(route, distributor, door().now());

    it('[endpoint-success] returns the documented status and exactly the documented fields', async () => {
      await distributor.ok(route, await valid());
    });

    it('[authentication-missing] is refused with 403 without an access token', async () => {
      const params = Object.fromEntries([...route.matchAll(/\{(\w+)\}/g)].map((match) => [match[1] ?? '', 'x1']));
      await nobody.refused(403, route, { params });
    });

    const { query = [], body = [], encoding = 'json' } = documentedRow(route);
    const required = [...query, ...body].filter((field) => !field.includes('?'));
    if (required.length > 0) {
      it('[required-input] refuses a missing required input with 400', async () => {
        await refuseEach(spoiledRequests(route, await valid()).missing, required.map(nameOf));
      });
    }

    const spoilt = [...query, ...body].some((field) => spoils(route, nameOf(field)));
    if (spoilt) {
      it('[invalid-input] refuses values outside the documented kind, limit or enumeration with 400', async () => {
        await refuseEach(spoiledRequests(route, await valid()).wrong);
      });
    }

    if (body.length > 0 && encoding === 'json') {
      it('[invalid-json] refuses a body that is not a JSON object with 400', async () => {
        const given = await valid();
        for (const text of ['', '{', '[]', 'null', '"text"', '{"name":}', '\u0000']) {
          const raw = { contentType: 'application/json', body: text };
          const { json: _, ...rest } = given;
          await distributor.refused(400, route, { ...rest, raw });
        }
      });

      ours('[content-type] refuses a JSON body of another content type with 400', async () => {
        const { json, ...rest } = await valid();
        const raw = { contentType: 'text/plain', body: JSON.stringify(json) };
        await distributor.refused(400, route, { ...rest, raw });
      });
    }

    async function refuseEach(all: readonly Spoiled[], names?: readonly string[]): Promise<void> {
      expect(all.length).toBeGreaterThan(0);
      if (names) expect(new Set(all.map((one) => one.field))).toEqual(new Set(names));
      for (const { why, given } of all) {
        const answer = await distributor.send(route, given);
        expect(`${why}: ${answer.status}`).toBe(`${why}: 400`);
      }
    }
  });
});

/** Whether a field has a rule that a value can break. */
function spoils(route: string, field: string): boolean {
  const rules = [DOCUMENTED_LIMITS.get(`${route} query ${field}`), DOCUMENTED_LIMITS.get(`${route} body ${field}`)];
  return rules.some(
    (rule) =>
      rule && (rule.oneOf ?? rule.maxLength ?? rule.minimum ?? rule.format ?? rule.kind) && rule.kind !== 'file',
  );
}
