/** An activation with the name of its user, which edu adds to the answer for `--with-names`. */
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
      ...(LicenceActivation.columns ?? []),
      { title: 'Name', from: ['firstName', 'lastName'], as: 'person', rank: 1, minWidth: 16 },
      { title: 'E-mail', from: 'email', rank: 2, minWidth: 20 },
    ],
  },
);
