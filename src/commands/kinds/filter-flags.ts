/** The flags of filters. The filters themselves are loaded only if a flag is given. */
import type { Flag } from '../../cli/command.js';

export const FILTER = 'Filter';

/** Every list has this flag. */
export const SEARCH: Flag = {
  name: 'search',
  value: 'TEXT',
  kind: 'text',
  notEmpty: true,
  group: FILTER,
  description: 'only items whose name contains TEXT; case and accents are ignored',
};

/** Flags for items with a term and activations. @param things their plural, such as `licences` */
export const termFlags = (things: string): readonly Flag[] => {
  const dates = { value: 'DATE', kind: 'date', note: 'yyyy-MM-dd, today, +30d, -2w', group: FILTER } as const;
  return [
    { name: 'expires-before', ...dates, description: `only ${things} that end before this day` },
    { name: 'expires-after', ...dates, description: `only ${things} that end after this day` },
    { name: 'expired', kind: 'switch', group: FILTER, description: `only ${things} that ended before today` },
    { name: 'unused', kind: 'switch', group: FILTER, description: `only ${things} without any activation` },
    { name: 'full', kind: 'switch', group: FILTER, description: `only ${things} without a free activation` },
  ];
};

/** For lists that refer to users by ID. */
export const WITH_NAMES: Flag = {
  name: 'with-names',
  kind: 'switch',
  description: 'show names beside IDs of users',
  note: 'default on a terminal',
};
