/**
 * The index from books to licences: the table `licencesOfBooks`, updated with every change of a licence, so that the
 * licences of a book can be paged.
 */
import { type Collection, type Page, pageOf } from './collection.js';
import type { Licence } from './records.js';
import type { Statement } from './sqlite-types.js';

const BOOKS_OF = "SELECT DISTINCT value, doc ->> 'ownerId', seq FROM licences, json_each(doc, '$.bookIds')";

export interface LicenceCollection extends Collection<'licences'> {
  /** Like `page`, for the licences of one owner that contain a book. */
  pageOfBook(bookId: string, ownerId: string, after: number, limit: number): Page<Licence>;
}

/** Wraps the collection of licences so that the index is updated with it. */
export function licenceCollection(
  licences: Collection<'licences'>,
  prepare: (sql: string) => Statement,
): LicenceCollection {
  const forget = (id: string): void =>
    prepare(
      'DELETE FROM licencesOfBooks WHERE (bookId, ownerId, seq) IN ' +
        `(${BOOKS_OF} WHERE licences.seq = (SELECT seq FROM licences WHERE id = ?))`,
    ).run([id]);
  const note = (id: string): void =>
    prepare(`INSERT INTO licencesOfBooks ${BOOKS_OF} WHERE licences.seq = (SELECT seq FROM licences WHERE id = ?)`).run(
      [id],
    );
  const forgetAll = (all: readonly Licence[]): void => {
    for (const { id } of all) forget(id);
  };
  return {
    ...licences,
    insert(licence) {
      licences.insert(licence);
      note(licence.id);
    },
    insertMany(all) {
      const last = Number(prepare('SELECT max(seq) AS last FROM licences').get([])?.last ?? 0);
      licences.insertMany(all);
      prepare(`INSERT INTO licencesOfBooks ${BOOKS_OF} WHERE licences.seq > ?`).run([last]);
    },
    update(licence) {
      const before = licences.get(licence.id)?.bookIds;
      const same = JSON.stringify(before) === JSON.stringify(licence.bookIds);
      if (!same) forget(licence.id);
      licences.update(licence);
      if (!same) note(licence.id);
    },
    remove(id) {
      forget(id);
      licences.remove(id);
    },
    removeAll(where) {
      forgetAll(licences.all(where));
      licences.removeAll(where);
    },
    pageOfBook(bookId, ownerId, after, limit) {
      const rows = prepare(
        'SELECT l.seq, l.doc FROM licencesOfBooks b JOIN licences l ON l.seq = b.seq ' +
          'WHERE b.bookId = ? AND b.ownerId = ? AND b.seq > ? ORDER BY b.seq LIMIT ?',
      ).all([bookId, ownerId, after, limit + 1]);
      return pageOf<Licence>(rows, limit);
    },
  };
}
