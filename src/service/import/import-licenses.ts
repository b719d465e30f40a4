/** Imports licences with their activations, and the users and books that only licences name. */
import { grouped } from '../../core/maps.js';
import { differenceFrom } from '../import-overrides.js';
import { licencesAnswer } from '../resources/license-answers.js';
import { activationAnswer } from '../resources/licenses.js';
import type { Activation } from '../store/records.js';
import {
  activationOf,
  asText,
  endUserOf,
  type Item,
  idsOf,
  impliedActivationOf,
  licenceOf,
  listOf,
  objectOf,
  unlistedBookOf,
} from './import-records.js';
import { eachBatch, type Loading, ownerIn, withShown } from './import-source.js';

function listedActivation(loading: Loading, item: Item): Activation {
  const { licenseId, ...shownItem } = item;
  const activation = activationOf(loading, asText(licenseId), asText(item.user), item);
  const shown = differenceFrom(activationAnswer(activation), shownItem);
  return shown === undefined ? activation : { ...activation, shown };
}

/** A licence's activations in the order of its `endUsers`, one or more for each; undefined if it lists no users. */
function activationsFor(loading: Loading, item: Item, known: readonly Activation[]) {
  const holders = new Set(idsOf(item.endUsers));
  if (holders.size === 0) return undefined;
  const unlisted = loading.data.holds('activations') ? ({ unlisted: true } as const) : {};
  const first = [...holders].flatMap((userId): readonly Activation[] => {
    const own = known.filter((one) => one.userId === userId);
    return own.length > 0 ? own : [{ ...impliedActivationOf(loading, item, userId), ...unlisted }];
  });
  return [...first, ...known.filter(({ userId }) => !holders.has(userId))];
}

const namedIn = (items: readonly Item[], field: 'books' | 'endUsers'): ReadonlyMap<string, Item> =>
  new Map(
    items
      .flatMap((item) => listOf(item[field]).map((one) => [asText(objectOf(one).id), objectOf(one)] as const))
      .filter(([id]) => id !== ''),
  );

function loadUnlisted({ store, own }: Loading, items: readonly Item[]): void {
  const people = namedIn(items, 'endUsers');
  const knownPeople = store.users.many([...people.keys()]);
  store.users.insertMany([...people].flatMap(([id, one]) => (knownPeople.has(id) ? [] : [endUserOf(one, own)])));
  const books = namedIn(items, 'books');
  const knownBooks = store.books.many([...books.keys()]);
  for (const [id, one] of books) if (!knownBooks.has(id)) store.books.insert(unlistedBookOf(one, own));
}

function loadBatch(loading: Loading, items: readonly Item[]): void {
  const { store, own } = loading;
  loadUnlisted(loading, items);
  const ids = items.map((item) => asText(item.id));
  const activations = grouped(store.activations.allIn('licenceId', ids), ({ licenceId }) => [licenceId]);
  const licences = items.map((item) => {
    const known = activations.get(asText(item.id)) ?? [];
    const wanted = activationsFor(loading, item, known);
    if (wanted !== undefined) {
      // Responses list a licence's users in the order of insertion.
      store.activations.removeAll({ licenceId: asText(item.id) });
      store.activations.insertMany(wanted);
    }
    const licence = licenceOf(item, ownerIn(loading, item.organization), own, (wanted ?? known).length);
    return known.length > 0 && licence.ownerId !== own ? { ...licence, creatorReads: true as const } : licence;
  });
  store.licences.insertMany(withShown(licences, licencesAnswer({ store }, licences), items));
}

/** To be called after users, books and organizations are stored. */
export async function loadLicences(loading: Loading): Promise<void> {
  await eachBatch(loading, 'activations', (items) =>
    loading.store.activations.insertMany(items.map((item) => listedActivation(loading, item))),
  );
  await eachBatch(loading, 'licenses', (items) => loadBatch(loading, items));
}
