/** Finds users who may be the same person, for `users list --duplicates`. */
import { fold } from '../../core/fold.js';
import { asId, getPath } from '../../core/json.js';
import { grouped } from '../../core/maps.js';
import { collect, inPages, type Pages } from '../../output/select/item-pages.js';

const textAt = (user: unknown, path: string): string => asId(getPath(user, path)) ?? '';

/** Case and the dots before the @ do not tell addresses apart. */
function addressForm(email: string): string {
  const at = email.lastIndexOf('@');
  return (email.slice(0, at).replaceAll('.', '') + email.slice(at)).toLowerCase();
}

/** By what users are compared: their address, and their name within an organization. */
function keysOf(user: unknown): readonly (readonly [what: string, key: string])[] {
  const email = textAt(user, 'email').trim();
  const name = fold(`${textAt(user, 'firstName')} ${textAt(user, 'lastName')}`);
  return [
    ...(email === '' ? [] : [['e-mail', `e-mail ${addressForm(email)}`] as const]),
    ...(name === '' ? [] : [['name', `name ${textAt(user, 'organization.id')} ${name}`] as const]),
  ];
}

/**
 * The users who share an address or a name with another one, group by group. `same` is what a user shares.
 * @throws EduError `internal` before memory is exhausted
 */
export async function* groupDuplicates(pages: Pages): Pages {
  const users = await collect(pages, '--duplicates', 'Compare fewer users: --organization or --search.');
  const holders = grouped(users, (user) => keysOf(user).map(([, key]) => key));
  const shared = (user: unknown) => keysOf(user).filter(([, key]) => (holders.get(key)?.length ?? 0) > 1);
  const placed = new Set<unknown>();
  const rows: unknown[] = [];
  let group = 0;
  for (const user of users) {
    if (placed.has(user) || shared(user).length === 0) continue;
    group++;
    const members = new Set([user]);
    const followed = new Set<string>();
    // The set grows while it is read.
    for (const member of members) {
      placed.add(member);
      rows.push({ group, same: shared(member).map(([what]) => what), ...(member as object) });
      for (const [, key] of shared(member)) {
        if (followed.has(key)) continue;
        followed.add(key);
        for (const other of holders.get(key) ?? []) members.add(other);
      }
    }
  }
  yield* inPages(rows);
}
