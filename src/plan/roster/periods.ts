/** Compares the dates of rows with a day. */
import { dateReader } from '../../core/table/cell-forms.js';
import type { Findings } from './findings.js';
import type { FieldRow } from './table-rows.js';

/** `invalid` for a row with a problem, also another one. */
export type PeriodState = 'future' | 'current' | 'ended' | 'invalid';

/**
 * @param on yyyy-MM-dd
 * @param format of dates that are not ISO 8601
 * @param findings takes the problems of dates
 * @returns where the day stands to the period of a row, whose end date is inclusive
 */
export function periodsOn(on: string, format: string | undefined, findings: Findings) {
  const otherDay = format === undefined ? () => undefined : dateReader(format);
  function dayOf(text: string): string | undefined {
    const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)(?:$|[T ])/.exec(otherDay(text) ?? text) ?? [];
    const found = `${year}-${month}-${day}`;
    return year === undefined || Number.isNaN(Date.parse(found)) ? undefined : found;
  }
  return (row: FieldRow): PeriodState => {
    let state: PeriodState = row.isBad ? 'invalid' : 'current';
    for (const field of ['begin', 'end'] as const) {
      const text = row.get(field);
      if (text === undefined) continue;
      const day = dayOf(text);
      if (day === undefined) {
        findings.row(row.at, `${row.header(field)} is not a date: ${JSON.stringify(text)}`);
        state = 'invalid';
      } else if (state !== 'invalid' && (field === 'begin' ? day > on : day < on))
        state = field === 'begin' ? 'future' : 'ended';
    }
    return state;
  };
}
