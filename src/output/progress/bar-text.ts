/** The text of a bar: how much of the work is done, how fast, and how long the rest takes. */
import { forPeople } from '../sanitize.js';
import { cut, widthOf } from '../width.js';
import { counted, durationText, type Meter, sized } from './meter.js';

export type Unit = 'items' | 'bytes';

export interface Work {
  readonly label: string;
  readonly total: number;
  readonly unit: Unit;
  readonly note?: string;
}

const MAX_BAR = 24;
const MIN_BAR = 6;

const share = ({ total }: Work, done: number): number => (total === 0 ? 1 : Math.min(1, done / total));

function facts(work: Work, { done, rate }: Meter): readonly string[] {
  const amount = work.unit === 'bytes' ? sized : counted;
  const left = rate === undefined || done >= work.total ? [] : [`${durationText((work.total - done) / rate)} left`];
  const speed = rate === undefined ? [] : [`${work.unit === 'bytes' || rate >= 10 ? amount(rate) : rate.toFixed(1)}/s`];
  const note = work.note === undefined ? [] : [work.note];
  return [`${amount(done)} of ${amount(work.total)}`, ...speed, ...left, ...note];
}

/** `Creating licences ██████░░░░░░ 25% · 250 of 1,000 · 120/s · 7 s left`, at most `columns` cells wide. */
export function barLine(work: Work, meter: Meter, columns: number): string {
  const label = forPeople(work.label);
  const part = share(work, meter.done);
  const words = [`${Math.floor(part * 100)}%`, ...facts(work, meter)].join(' · ');
  const room = Math.min(MAX_BAR, columns - widthOf(label) - widthOf(words) - 2);
  const full = Math.floor(part * room);
  const bar = room < MIN_BAR ? [] : ['█'.repeat(full) + '░'.repeat(room - full)];
  return cut([label, ...bar, words].join(' '), columns);
}

/** `Creating licences: 25%, 250 of 1,000, 120/s, 7 s left`. */
export function logLine(work: Work, meter: Meter): string {
  const words = [`${Math.floor(share(work, meter.done) * 100)}%`, ...facts(work, meter)].join(', ');
  return `${forPeople(work.label)}: ${words}`;
}
