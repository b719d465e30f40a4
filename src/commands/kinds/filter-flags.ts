/** The flags of filters. The filters themselves are loaded only if a flag is given. */
import { type Flag, flag } from '../../cli/command.js';
import { either } from '../../core/plural.js';

export const FILTER = 'Filter';

/** The words of a field: `className` → `class name`. */
const wordsOf = (field: string): string => field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Every list has this flag. @param fields the fields that it searches; undefined for all texts */
export function searchFlag(fields: readonly string[] | undefined): Flag {
  const where = fields === undefined ? '' : ` in ${either(fields.map(wordsOf))}`;
  return flag('--search TEXT', `only items with TEXT${where}; case and accents are ignored`, {
    notEmpty: true,
    group: FILTER,
  });
}

/** Flags for items with a term and activations. @param things their plural, such as `licences` */
export const termFlags = (things: string): readonly Flag[] => {
  const dates = { value: 'DATE', kind: 'date', note: 'yyyy-MM-dd, today, +30d, -2w', group: FILTER } as const;
  return [
    { name: 'expires-before', ...dates, description: `only ${things} that end before this day` },
    { name: 'expires-after', ...dates, description: `only ${things} that end after this day` },
    flag('--expired', `only ${things} that ended before today`, { group: FILTER }),
    flag('--unused', `only ${things} without any activation`, { group: FILTER }),
    flag('--full', `only ${things} without a free activation`, { group: FILTER }),
  ];
};

/** For lists that refer to users by ID. */
export const WITH_NAMES: Flag = flag('--with-names', 'show names beside IDs of users (default on a terminal)');
