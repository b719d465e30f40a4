/** Reports the end of a list on stderr: its length, whether it was cut, and what was searched. */
import { plural, singular } from '../core/plural.js';
import { painter } from './color.js';
import { noteText } from './error-report.js';
import type { Output } from './print-rows.js';
import { forPeople } from './sanitize.js';
import type { Cut } from './select/pipeline.js';
import { DEFAULT_WIDTH, wrap } from './width.js';

/** `1 licence`, `2 licences`. @param noun in the plural */
export const amount = (count: number, noun: string): string => plural(count, singular(noun), noun);

interface End {
  /** Number of printed rows. */
  readonly count: number;
  readonly cut: Cut;
  /** Number of columns that did not fit. */
  readonly omitted: number;
  /** The plural of the items. */
  readonly noun: string;
  readonly scope: string | undefined;
}

/** Reports on stderr that the list was cut, or what was searched if it is empty; below a table, also its length. */
export async function reportEnd(
  { count, cut, omitted, noun, scope }: End,
  { settings, traits, io }: Output,
): Promise<void> {
  const rows = amount(count, settings.query !== undefined ? 'rows' : forPeople(noun));
  if (cut !== false) {
    const more = `cut by --limit after ${rows}; there ${cut === 'perhaps' ? 'may be' : 'are'} more`;
    await io.stderr.write(noteText(more, settings.color && io.stderr.isTTY, io.stderr.columns));
  }
  if (settings.quiet) return;
  const where = scope === undefined ? '' : ` ${forPeople(scope)}`;
  if (traits.people === true && io.stdout.isTTY) {
    const columns = omitted === 0 ? '' : `${amount(omitted, 'columns')} not shown (--wide)`;
    const facts = [cut === false || where !== '' ? `${rows}${where}` : '', columns].filter(Boolean).join(' · ');
    const lines = facts === '' ? [] : wrap(facts, io.stdout.columns ?? DEFAULT_WIDTH);
    for (const line of lines) await io.stderr.write(`${painter(settings.color)('dim', line)}\n`);
  } else if (count === 0 && where !== '') {
    await io.stderr.write(noteText(`${rows}${where}`, settings.color && io.stderr.isTTY, io.stderr.columns));
  }
}
