/** The flags of filters of licences. */
import { type Flag, flag, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { FILTER, termFlags } from '../kinds/define.js';
import type { ListFilter } from '../kinds/spec.js';

const BOOK: Flag = flag('--book ID', 'only licences that open one of these books', {
  many: true,
  refersTo: 'book',
  group: FILTER,
});

const ORGANIZATION: Flag = flag('--organization ID', 'only licences of this organization, such as a school', {
  refersTo: 'organization',
  group: FILTER,
});

const USER: Flag = flag('--user USER', 'only licences that this user has activated, by ID, e-mail address or name', {
  refersTo: 'user',
  group: FILTER,
});

/** Filters for the licences of one book. */
export const FILTERS_OF_BOOK: readonly Flag[] = [ORGANIZATION, USER, ...termFlags('licences')];
export const LICENCE_FILTERS: readonly Flag[] = [BOOK, ...FILTERS_OF_BOOK];
/** Filters for summaries. */
export const SUMMARY_FILTERS: readonly Flag[] = [BOOK, ORGANIZATION, ...termFlags('licences')];

export const FILTER_DETAILS =
  'Filters combine; before and after exclude the day. A licence whose term starts with its activation has no end date: ' +
  'filters by date leave it out, with a warning on stderr.';

/** Loads the filters only if a flag is given. */
export const licenceFilter = async (values: Values, context: Context): Promise<ListFilter | undefined> =>
  LICENCE_FILTERS.some(({ name }) => values[name] !== undefined)
    ? (await import('./license-filters.js')).licenceFilter(values, context)
    : undefined;
