/** Licences assigned to users, and their activations ("Licences", "Licence activation"). */
import { expect, it } from 'vitest';
import {
  bookLicence,
  dayFrom,
  newBook,
  newEndUser,
  newLicence,
  newUser,
  organizationOf,
  teacherLicence,
} from './makers.js';
import { conformance } from './suite.js';
import { everyItem } from './walk.js';

const assign = 'PUT /v1/licenses/assignLicense';
const DATE_AND_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const DAY = 86_400_000;

/** Milliseconds of a `yyyy-MM-dd HH:mm:ss`. */
const timeOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

conformance('Activations', ({ distributor, publisher, school, door, ours }) => {
  const user = async () => newUser(publisher, await organizationOf(publisher));

  it("[licence-assigned] returns the user and the IDs of the user's licences", async () => {
    const holder = await user();
    const first = await newLicence(publisher);
    const second = await newLicence(publisher);
    const once = await publisher.ok(assign, { json: { userId: holder.id, licenseId: first.id } });
    const { id, email, firstName, lastName, language } = holder;
    expect(once).toEqual({ user: { id, email, firstName, lastName, language }, activatedLicensesIds: [first.id] });
    const twice = await publisher.ok(assign, { json: { userId: holder.id, licenseId: second.id } });
    expect([...twice.activatedLicensesIds].sort()).toEqual([first.id, second.id].sort());
  });

  it('[licence-activation-counted] counts the activation and shows the user among the end users', async () => {
    const holder = await user();
    const book = await newBook(publisher);
    const licence = await newLicence(publisher, bookLicence([book.id]));
    await publisher.ok(assign, { json: { userId: holder.id, licenseId: licence.id } });
    const { id, email, firstName, lastName, language } = holder;
    const read = await publisher.ok('GET /v1/licenses/{id}', { params: { id: licence.id } });
    expect(read).toMatchObject({ numberOfActivations: 1, maximumActivations: 5 });
    expect(read.endUsers).toEqual([{ id, email, firstName, lastName }]);
    const licences = await everyItem(publisher, 'GET /v1/books/{id}/licenses', { params: { id: book.id } });
    expect(licences.flatMap(({ endUsers }) => endUsers)).toEqual([{ id, email, firstName, lastName, language }]);
  });

  it('[activations-none] refuses with 403 to list the activations of a licence without any', async () => {
    const { id } = await newLicence(publisher);
    await publisher.refused(403, 'GET /v1/licenses/{id}/activations', { params: { id } });
  });

  it('[activations-list] lists one activation per user, with its days counted from activation', async () => {
    const book = await newBook(publisher);
    const expiration = { type: 'Days', days: 90 };
    const licence = await newLicence(publisher, bookLicence([book.id], { expiration }));
    const holders = [(await user()).id, (await user()).id];
    for (const userId of holders) await publisher.ok(assign, { json: { userId, licenseId: licence.id } });
    const params = { id: licence.id };
    const { activations } = await publisher.ok('GET /v1/licenses/{id}/activations', { params });
    expect(activations.map((activation) => activation.user).sort()).toEqual([...holders].sort());
    for (const { creationDate, expirationDate } of activations) {
      expect(creationDate).toMatch(DATE_AND_TIME);
      expect(expirationDate).toMatch(DATE_AND_TIME);
      // the time of day at which it ends is not documented
      expect(Math.abs(timeOf(expirationDate) - timeOf(creationDate) - 90 * DAY)).toBeLessThanOrEqual(DAY);
    }
  });

  it('[activation-ends-on-date] ends an activation on the date of its licence', async () => {
    const book = await newBook(publisher);
    const expiration = { type: 'Date', date: '2098-06-30' };
    const licence = await newLicence(publisher, bookLicence([book.id], { expiration }));
    await publisher.ok(assign, { json: { userId: (await user()).id, licenseId: licence.id } });
    const params = { id: licence.id };
    const { activations } = await publisher.ok('GET /v1/licenses/{id}/activations', { params });
    expect(activations.map(({ expirationDate }) => expirationDate.slice(0, 8))).toEqual(['2098-06-']);
  });

  ours('[licence-maximum] refuses an activation above the maximum with 400', async () => {
    const { id: licenseId } = await newLicence(publisher, teacherLicence({ maximumActivations: 1 }));
    await publisher.ok(assign, { json: { userId: (await user()).id, licenseId } });
    await publisher.refused(400, assign, { json: { userId: (await user()).id, licenseId } });
  });

  ours('[licence-assign-again] changes nothing when the user already has the licence', async () => {
    const { id: licenseId } = await newLicence(publisher, teacherLicence({ maximumActivations: 1 }));
    const { id: userId } = await user();
    const first = await publisher.ok(assign, { json: { userId, licenseId } });
    expect(await publisher.ok(assign, { json: { userId, licenseId } })).toEqual(first);
    const read = await publisher.ok('GET /v1/licenses/{id}', { params: { id: licenseId } });
    expect(read.numberOfActivations).toBe(1);
  });

  ours('[licence-expired-takes-nobody] assigns a licence until its date ends, and then refuses with 400', async () => {
    const date = dayFrom(door().now(), 10);
    const book = await newBook(publisher);
    const licence = await newLicence(publisher, bookLicence([book.id], { expiration: { type: 'Date', date } }));
    const [first, second] = [(await user()).id, (await user()).id];
    door().advance?.(10 * DAY);
    await publisher.ok(assign, { json: { userId: first, licenseId: licence.id } });
    door().advance?.(DAY);
    await publisher.refused(400, assign, { json: { userId: second, licenseId: licence.id } });
  });

  ours('[licence-assign-rights] lets owner and creator assign a licence, and nobody else', async () => {
    const organization = await organizationOf(publisher);
    const made = await newLicence(distributor, teacherLicence({ organization }));
    await publisher.ok(assign, { json: { userId: (await user()).id, licenseId: made.id } });
    await distributor.ok(assign, { json: { userId: (await user()).id, licenseId: made.id } });
    const { id: userId } = await newUser(school, await organizationOf(school));
    await school.refused(403, assign, { json: { userId, licenseId: made.id } });
    const own = await newLicence(school);
    await school.refused(403, assign, { json: { userId: (await user()).id, licenseId: own.id } });
  });

  ours('[licence-assign-end-user] assigns to an end user, whose e-mail is null until verified', async () => {
    const { id: licenseId } = await newLicence(publisher);
    const { id: userId } = await newEndUser(publisher);
    const answer = await publisher.ok(assign, { json: { userId, licenseId } });
    expect(answer.user).toMatchObject({ id: userId, email: null });
  });
});
