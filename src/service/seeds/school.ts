/** Sample classes with their members, and subscriptions with their users. */
import { dayOf, daysLater } from '../dates.js';
import { SUBJECTS } from '../names/vocabulary.js';
import type { Class, ClassMember, Subscription, SubscriptionUse, User } from '../store/records.js';
import { cycled, type SeededRandom } from './random.js';
import school from './school.json' with { type: 'json' };

const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** c1 … of all schools. The last class of a large school is deactivated and empty. */
export function sampleClasses(random: SeededRandom, users: readonly User[], now: number) {
  const classes: Class[] = [];
  const members: ClassMember[] = [];
  for (const [schoolId, names] of Object.entries(school.classes)) {
    const pupils = users.filter(({ organizationId }) => organizationId === schoolId);
    names.forEach((name, index) => {
      const id = `c${classes.length + 1}`;
      const ended = names.length > 4 && index === names.length - 1;
      classes.push({
        id,
        name,
        code: random.text(CODE_LETTERS, 6),
        subjectId: random.pick(Object.keys(SUBJECTS)),
        schoolId,
        createdAt: daysLater(now, -30 - random.below(700)) - random.below(36_000_000),
        deactivatedAt: ended ? daysLater(now, -10) : null,
      });
      const size = ended || index === 5 ? 0 : 3 + random.below(22);
      for (const { id: userId } of random.some(pupils, size))
        members.push({ id: `${id}/${userId}`, classId: id, userId });
    });
  }
  return { classes, members };
}

/** sub1 …: some expired, one that ends today, some current; the last one of an organization the personas cannot see. */
export function sampleSubscriptions(random: SeededRandom, users: readonly User[], now: number) {
  const { subscriptionOwners: owners, subscriptionEnds: ends } = school;
  const uses: SubscriptionUse[] = [];
  const subscriptions = owners.map((organizationId, index): Subscription => {
    const id = `sub${index + 1}`;
    const maximumActivations = random.pick([1, 10, 50, 250]);
    const members = users.filter((user) => user.organizationId === (organizationId === 'd1' ? 's1' : organizationId));
    const taken = random.some(members, index % 2 === 0 ? Math.min(maximumActivations, random.below(9)) : 0);
    for (const { id: userId } of taken) {
      const createdAt = daysLater(now, -1 - random.below(200));
      uses.push({ id: `${id}/${userId}`, subscriptionId: id, userId, createdAt });
    }
    return {
      id,
      code: index === 0 ? 'sub0001' : random.text('abcdefghjkmnpqrstuvwxyz23456789', 10),
      maximumActivations,
      numberOfActivations: taken.length,
      expirationDate: dayOf(daysLater(now, cycled(ends, index))),
      organizationId,
      creatorId: organizationId,
    };
  });
  return { subscriptions, uses };
}
