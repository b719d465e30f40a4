/** `edu end-users …` */
import { type Group, textOf } from '../../cli/command.js';
import { flagsFor } from '../../cli/flags-from-fields.js';
import { endUser, UpdatedEndUser, users } from '../../contract/users.js';
import { writeCommand } from '../kinds/define.js';
import { createOf } from '../kinds/of-resource.js';
import { filled } from '../kinds/request-body.js';

const UPDATE_FLAGS = flagsFor('body', users.updateEndUser.body);

export const group: Group = {
  name: 'end-users',
  details: 'The service cannot return end users, so an update always needs both names.',
  commands: [
    createOf(endUser, {
      summary: 'Create an end user. The service sends the end user a password by e-mail.',
      overrides: { language: false },
      rowKey: ['email'],
      examples: {
        'Create an end user:':
          'edu end-users create --first-name Lea --last-name Moreau --email lea@home.example --language FR',
      },
    }),
    writeCommand({
      name: 'update',
      done: 'Updated',
      summary: 'Change the names and the e-mail address of an end user.',
      arguments: [{ name: 'id', description: 'ID or e-mail address of the end user', refersTo: 'endUser' }],
      flags: UPDATE_FLAGS,
      examples: {
        'Correct a name:': 'edu end-users update 900719925474090001 --first-name Léa --last-name Moreau',
      },
      shape: UpdatedEndUser,
      plan: (values) => {
        const id = textOf(values, 'id') ?? '';
        const body = filled('body', UPDATE_FLAGS, values);
        return [{ endpoint: users.updateEndUser, input: { params: { id }, body }, what: `end user ${id}` }];
      },
    }),
  ],
};
