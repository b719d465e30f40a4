/** The flags of filters; the filters are loaded when one is given. */
import type { Flag } from '../../cli/command.js';

export const FILTER = 'Filter';

/** On every list. */
export const SEARCH: Flag = {
  name: 'search',
  value: 'TEXT',
  kind: 'text',
  notEmpty: true,
  group: FILTER,
  description: 'only items whose name contains TEXT; case and accents are ignored',
};

/** The flags of what has a term and activations. @param things what they are called: `licences` */
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

/** On lists of users by ID. */
export const WITH_NAMES: Flag = {
  name: 'with-names',
  kind: 'switch',
  description: 'show names beside IDs of users',
  note: 'default on a terminal',
};
