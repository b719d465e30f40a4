/** Publishers and schools: names, owners, lists ("Publishers", "Schools"). */
import { describe, expect, it } from 'vitest';
import { newPublisher, newSchool, organizationOf, subjectId, unique } from './makers.js';
import { conformance } from './suite.js';
import { everyItem } from './walk.js';

const schoolNamed = (name: string) => ({ name, country: 'NL', city: 'Utrecht' });

conformance('Organizations', ({ distributor, publisher, school, ours }) => {
  describe.each([
    ['publisher', (name: string): object => ({ name }), 'POST /v1/publishers', 'PUT /v1/publishers/{id}'],
    ['school', schoolNamed, 'POST /v1/schools', 'PUT /v1/schools/{id}'],
  ] as const)('a %s', (kind, body, create, update) => {
    const get = kind === 'publisher' ? 'GET /v1/publishers/{id}' : 'GET /v1/schools/{id}';
    const fresh = () => (kind === 'publisher' ? newPublisher(distributor) : newSchool(distributor));

    it('[organization-created] is created with a default set of roles, and can be read', async () => {
      const json = body(unique('Org '));
      const made = await distributor.ok(create, { json });
      expect(made).toMatchObject(json);
      expect(made.roles.length).toBeGreaterThan(0);
      expect(await distributor.ok(get, { params: { id: made.id } })).toEqual(made);
    });

    it('[organization-name-unique] cannot have an existing name: 400', async () => {
      const { name } = await fresh();
      await distributor.refused(400, create, { json: body(name) });
      const { id } = await fresh();
      await distributor.refused(400, update, { params: { id }, json: body(name) });
    });

    it('[organization-name-length] may have 50 characters in its name, but not 51', async () => {
      const fifty = unique('Long ').padEnd(50, 'g');
      const made = await distributor.ok(create, { json: body(fifty) });
      expect(made.name).toBe(fifty);
      await distributor.refused(400, create, { json: body(`${unique('L ').padEnd(51, 'g')}`) });
      const params = { id: made.id };
      await distributor.refused(400, update, { params, json: body(unique('L ').padEnd(51, 'g')) });
    });

    it('[organization-updated] keeps its roles when it is renamed', async () => {
      const made = await fresh();
      const json = body(unique('New '));
      const updated = await distributor.ok(update, { params: { id: made.id }, json });
      expect(updated).toEqual({ ...made, ...json });
      expect(await distributor.ok(get, { params: { id: made.id } })).toEqual(updated);
    });

    it('[organization-own-name] may keep its own name in an update', async () => {
      const made = await fresh();
      await distributor.ok(update, { params: { id: made.id }, json: body(made.name) });
    });

    ours('[organization-old-name-free] releases its old name when it is renamed', async () => {
      const made = await fresh();
      await distributor.ok(update, { params: { id: made.id }, json: body(unique('New ')) });
      await distributor.ok(create, { json: body(made.name) });
    });
  });

  ours('[organization-name-characters] counts code points in names', async () => {
    await distributor.ok('POST /v1/publishers', { json: { name: `${unique('')}`.padEnd(40, 'x') + '📚'.repeat(10) } });
  });

  it('[organizations-listed] lists the publishers and schools that the caller’s organization owns', async () => {
    const made = { publisher: await newPublisher(distributor), school: await newSchool(distributor) };
    const publishers = await everyItem(distributor, 'GET /v1/publishers');
    const schools = await everyItem(distributor, 'GET /v1/schools');
    expect(publishers.filter(({ id }) => id === made.publisher.id)).toEqual([made.publisher]);
    expect(schools.filter(({ id }) => id === made.school.id)).toEqual([made.school]);
    const own = await organizationOf(publisher);
    expect(publishers.map(({ id }) => id)).toContain(own.id);
  });

  it('[organizations-filtered] lists nothing that the caller’s organization does not own', async () => {
    const above = await organizationOf(publisher);
    const made = await newPublisher(distributor);
    const seen = (await everyItem(school, 'GET /v1/publishers')).map(({ id }) => id);
    expect(seen).not.toContain(above.id);
    expect(seen).not.toContain(made.id);
  });

  ours('[organization-kind] returns 404 for a school as a publisher, and for a publisher as a school', async () => {
    const params = { id: (await newSchool(distributor)).id };
    await distributor.refused(404, 'GET /v1/publishers/{id}', { params });
    await distributor.refused(404, 'PUT /v1/publishers/{id}', { params, json: { name: unique('P ') } });
    const { id } = await newPublisher(distributor);
    await distributor.refused(404, 'GET /v1/schools/{id}', { params: { id } });
    await distributor.refused(404, 'GET /v1/schools/{id}/classes', { params: { id } });
    const json = { subjectId: await subjectId(distributor), schoolId: id, name: 'N' };
    await distributor.refused(400, 'POST /v1/classes', { json });
  });

  it('[school-fields] keeps country and city', async () => {
    const json = { name: unique('School '), country: 'DE', city: 'Köln' };
    const made = await distributor.ok('POST /v1/schools', { json });
    expect(made).toMatchObject(json);
    const changed = { ...json, country: 'GB', city: "King's Lynn" };
    expect(await distributor.ok('PUT /v1/schools/{id}', { params: { id: made.id }, json: changed })).toMatchObject(
      changed,
    );
  });

  it('[school-country] accepts only countries of ISO 3166-1 alpha-2', async () => {
    for (const country of ['NL', 'GB', 'US', 'AX', 'ZW']) {
      await distributor.ok('POST /v1/schools', { json: { ...schoolNamed(unique('S ')), country } });
    }
    for (const country of ['UK', 'EU', 'ZZ', 'nl', 'NLD', '528']) {
      await distributor.refused(400, 'POST /v1/schools', { json: { ...schoolNamed(unique('S ')), country } });
    }
  });
});
