/** The flags for reading a table from a file, the same for every command that reads one. */
import type { Reading } from '../core/table/rows.js';
import { type Flag, flag, isOn, numberOf, textOf, textsOf, type Values } from './command.js';

/** For a single table. */
export const READING_FLAGS: readonly Flag[] = [
  flag('--map HEADER=COLUMN', 'read the column HEADER of the file as COLUMN', { repeat: true, notEmpty: true }),
  flag('--ignore HEADER', 'ignore the column HEADER of the file', { repeat: true, notEmpty: true }),
  flag('--where HEADER=VALUE', 'read only rows with this cell, or without it: HEADER!=VALUE', {
    repeat: true,
    notEmpty: true,
  }),
  flag('--date-format FORMAT', 'format of dates in the file, such as dd.MM.yyyy (default yyyy-MM-dd)', {
    notEmpty: true,
  }),
  flag('--header-row N', 'line of the header (default: the first one that is not blank)', {
    kind: 'whole',
    minimum: 1,
  }),
  flag('--sheet NAME', 'sheet of the Excel workbook (default: the only one with cells)', { notEmpty: true }),
  flag('--encoding NAME', 'encoding of the file (default: detected, or UTF-8)', { notEmpty: true }),
  flag('--delimiter CHAR', 'CSV delimiter (default: detected)', { notEmpty: true }),
];

/** For commands that refuse columns with unknown names. */
export const IGNORE_UNKNOWN_FLAG: Flag = flag('--ignore-unknown', 'ignore columns with unknown names');

/** The options for reading a file; undefined if none are given. */
export function readingOf(values: Values): Reading | undefined {
  const given: Record<keyof Reading, unknown> = {
    map: textsOf(values, 'map'),
    ignore: textsOf(values, 'ignore'),
    ignoreUnknown: isOn(values, 'ignore-unknown') || undefined,
    where: textsOf(values, 'where'),
    dateFormat: textOf(values, 'date-format'),
    headerRow: numberOf(values, 'header-row'),
    sheet: textOf(values, 'sheet'),
    encoding: textOf(values, 'encoding'),
    delimiter: textOf(values, 'delimiter'),
  };
  const isGiven = (value: unknown): boolean => value !== undefined && !(Array.isArray(value) && value.length === 0);
  const reading = Object.fromEntries(Object.entries(given).filter(([, value]) => isGiven(value)));
  return Object.keys(reading).length === 0 ? undefined : (reading as Reading);
}
