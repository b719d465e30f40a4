/** Formats days and times for responses (service-api-v1.md, "Resources and their fields"). All are UTC. */
import { dayOf } from '../core/day.js';

export { dayOf, isDay } from '../core/day.js';

const iso = (time: number): string => new Date(time).toISOString();

const DAY = 86_400_000;
/** Stands for "never": the last second that a year of four digits can express. */
const NEVER = Date.UTC(9999, 11, 31, 23, 59, 59);

/** `yyyy-MM-dd HH:mm:ss`, the format of licence activations. Null means never. */
export const spacedTime = (time: number | null): string =>
  iso(time ?? NEVER)
    .slice(0, 19)
    .replace('T', ' ');
/** `yyyy-MM-dd'T'HH:mm:ss.SSS`, the format of classes. */
export const classTime = (time: number): string => iso(time).slice(0, 23);
/** `yyyy-MM-dd'T'HH:mm:ssZZ` */
export const timestamp = (time: number): string => `${iso(time).slice(0, 19)}+00:00`;

export const dayBefore = (time: number): string => dayOf(time - DAY);
export const daysLater = (time: number, days: number): number => time + days * DAY;
/** The last second of a day. */
export const endOfDay = (day: string): number => Date.parse(`${day}T23:59:59Z`);
