/** The shape of an activation with the name of its user, which `--with-names` adds. */
import { LicenceActivation } from '../../contract/licenses.js';
import { personNames } from '../../contract/shared.js';
import { shape } from '../../contract/vocabulary.js';

export const NAMED_ACTIVATION = shape(
  'LicenceActivation',
  'an activation of a licence, with the name of the user',
  { ...LicenceActivation.fields, ...personNames },
  {
    prints: 'user',
    columns: [
      { title: 'User', from: 'user', rank: 0 },
      { title: 'Name', from: ['firstName', 'lastName'], as: 'person', rank: 1, minWidth: 16 },
      { title: 'Activated', from: 'creationDate', rank: 1 },
      { title: 'Expires', from: 'expirationDate', rank: 2 },
      { title: 'E-mail', from: 'email', rank: 3, minWidth: 20 },
    ],
  },
);
