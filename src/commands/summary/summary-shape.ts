/** The groups of a licence summary, and their fields. */
import { number, shape, text } from '../../contract/vocabulary.js';

export const GROUPINGS = ['book', 'organization', 'type', 'category'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export const SUMMARY = shape(
  'LicenceSummary',
  'the licences of a group',
  {
    id: text('ID of the book or organization; the type or category itself', { nullable: true }),
    name: text('title or name', { nullable: true }),
    licences: number('licences'),
    seats: number('activations that they allow'),
    activated: number('activations that were used'),
    full: number('licences with no seat left'),
    unused: number('licences without any activation'),
    expiring: number('licences that end within the time of --expiring'),
  },
  {
    columns: [
      { title: 'ID', from: 'id', rank: 0 },
      { title: 'Name', from: 'name', rank: 1, minWidth: 14 },
      { title: 'Use', from: ['activated', 'seats'], as: 'bar', rank: 2 },
      { title: 'Seats', from: 'seats', rank: 4 },
      { title: 'Activated', from: 'activated', rank: 3 },
      { title: 'Licences', from: 'licences', rank: 5 },
      { title: 'Full', from: 'full', rank: 3 },
      { title: 'Unused', from: 'unused', rank: 3 },
      { title: 'Expiring', from: 'expiring', rank: 2 },
    ],
  },
);
