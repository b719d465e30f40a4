/** The shape of a class with the names of its members, which `--with-names` adds. */
import { ClassDetail } from '../../contract/classes.js';
import { personNames } from '../../contract/shared.js';
import { list, object, shape, text } from '../../contract/vocabulary.js';

export const NAMED_CLASS = shape(
  'Class',
  'a class with the names of its members',
  {
    ...ClassDetail.fields,
    users: list(object({ id: text('user ID'), ...personNames }, 'member'), 'its members by name'),
  },
  {
    id: 'classId',
    columns: [...(ClassDetail.columns ?? []), { title: 'Members', from: 'users', rank: 1, minWidth: 20 }],
  },
);
