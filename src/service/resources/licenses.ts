/** Licences (service-api-v1.md, "Licences"). */
import { isDeepStrictEqual } from 'node:util';
import { organizationToCreateFor } from '../access.js';
import { spacedTime } from '../dates.js';
import { badField, forbidden, Refusal, requireNamed } from '../error-answer.js';
import type { Handlers } from '../handler-types.js';
import { newId } from '../identifiers.js';
import { asShown } from '../import-overrides.js';
import type { Activation, Licence } from '../store/records.js';
import { foundLicenceAnswer, licencesAnswer, writtenLicenceAnswer } from './license-answers.js';
import {
  booksFor,
  categoryFor,
  codeFor,
  endOfActivation,
  expirationFor,
  findCreated,
  findOwned,
  requireActivatable,
  requireOwner,
} from './license-rules.js';
import { personOf, personToAssign } from './person-answers.js';

export const activationAnswer = ({ createdAt, expiresAt, userId, shown }: Activation) =>
  asShown({ creationDate: spacedTime(createdAt), expirationDate: spacedTime(expiresAt), user: userId }, shown);

export const licenses: Handlers<'licenses'> = {
  list: {
    // "The licences created by the caller's organization", whoever owns them.
    run({ core, caller, query, page }) {
      const type = query.type === 'BOOKS' ? 'Books' : 'Teacher';
      const found = core.store.licences.page({ creatorId: caller.organization.id, type }, page.after, page.limit);
      return { ...found, items: licencesAnswer(core, found.items) };
    },
  },
  get: { run: ({ core, caller, params }) => foundLicenceAnswer(core, findOwned(core, caller, params.id)) },
  getByCode: {
    run({ core, caller, params }) {
      const licence = core.store.licences.first({ code: params.code });
      if (licence === undefined) throw new Refusal(404, `no licence has the code ${JSON.stringify(params.code)}`);
      requireOwner(caller, licence);
      return foundLicenceAnswer(core, licence);
    },
  },
  activations: {
    run({ core, caller, params }) {
      const licence = findOwned(core, caller, params.id);
      // "403 […] when the licence has not yet been activated."
      if (licence.numberOfActivations === 0) throw forbidden(`the licence ${licence.id} has not yet been activated`);
      const activations = core.store.activations.all({ licenceId: licence.id });
      return { activations: activations.filter(({ unlisted }) => unlisted !== true).map(activationAnswer) };
    },
  },
  create: {
    needs: ['License', 'Create'],
    run({ core, caller, body }) {
      const owner = organizationToCreateFor(core, caller, body.organization);
      const licence: Licence = {
        id: newId(core.random),
        name: body.name,
        code: codeFor(core, body.code),
        type: body.type,
        bookIds: booksFor(core, caller, body.books),
        expiration: expirationFor(body.expiration),
        maximumActivations: body.maximumActivations,
        numberOfActivations: 0,
        ownerId: owner.id,
        creatorId: caller.organization.id,
        categoryId: categoryFor(core, body.licenseCategory),
        cancelled: false,
      };
      core.store.licences.insert(licence);
      return writtenLicenceAnswer(core, licence);
    },
  },
  update: {
    needs: ['License', 'Update'],
    run({ core, caller, params, body }) {
      const licence = findCreated(core, caller, params.id);
      if (body.type !== licence.type) throw badField('type', `cannot change: the licence is of type ${licence.type}`);
      if (body.maximumActivations < licence.numberOfActivations) {
        const minimum = `${licence.numberOfActivations}, the number of activations`;
        throw badField('maximumActivations', `must be at least ${minimum}`);
      }
      const given = body.books ?? [];
      // Unchanged books are not checked: the caller may have lost access to one of them.
      const changed = !isDeepStrictEqual(new Set(given), new Set(licence.bookIds));
      if (changed && licence.numberOfActivations > 0) {
        throw badField('books', 'cannot change: the licence has been activated');
      }
      const updated: Licence = {
        ...licence,
        name: body.name,
        bookIds: changed ? booksFor(core, caller, given) : licence.bookIds,
        expiration: expirationFor(body.expiration),
        maximumActivations: body.maximumActivations,
        // PUT replaces: omitting the category selects the default one.
        categoryId: categoryFor(core, body.licenseCategory),
      };
      core.store.licences.update(updated);
      return writtenLicenceAnswer(core, updated);
    },
  },
  cancel: {
    needs: ['License', 'Update'],
    // Cancelling a cancelled licence is no error.
    run({ core, caller, params }) {
      core.store.licences.update({ ...findCreated(core, caller, params.id), cancelled: true });
      return undefined;
    },
  },
  delete: {
    needs: ['License', 'Delete'],
    run({ core, caller, params }) {
      const licence = findCreated(core, caller, params.id);
      if (licence.numberOfActivations > 0) {
        throw new Refusal(400, `the licence ${licence.id} has ${licence.numberOfActivations} activations`);
      }
      core.store.licences.remove(licence.id);
      return undefined;
    },
  },
  assign: {
    needs: ['License', 'Update'],
    run({ core, caller, body }) {
      const licence = requireNamed(core.store.licences.get(body.licenseId), 'licenseId', 'licence', body.licenseId);
      // The owner and the creator may assign a licence. The API document does not say who may.
      if (licence.creatorId !== caller.organization.id) requireOwner(caller, licence);
      const user = personToAssign(core, caller, body.userId);
      const { activations, licences } = core.store;
      // Assigning again adds no second activation.
      const now = core.now();
      const activation = activations.first({ licenceId: licence.id, userId: user.id });
      if (activation === undefined) {
        requireActivatable(licence, now);
        const times = { createdAt: now, expiresAt: endOfActivation(licence, now) };
        activations.insert({ id: newId(core.random), licenceId: licence.id, userId: user.id, ...times });
        licences.update({ ...licence, numberOfActivations: licence.numberOfActivations + 1 });
      } else if (core.variants.repeatedAssignment === 'refused' && (activation.expiresAt ?? now) < now) {
        throw new Refusal(400, `the licence ${licence.id} has expired`);
      }
      const held = activations.all({ userId: user.id });
      return { user: personOf(user), activatedLicensesIds: held.map(({ licenceId }) => licenceId) };
    },
  },
};
