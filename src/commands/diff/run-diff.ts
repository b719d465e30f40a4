/** Runs `edu diff`: prints differences as they are found, and tells by the exit code whether there were any. */
import { isSet } from '../../app/create-context.js';
import { isOn, textOf, type Values } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { problemsError } from '../../cli/parser.js';
import { EduError, usageError } from '../../core/errors.js';
import { diskError } from '../../core/fs/disk-errors.js';
import { EXPORTED, type Resource } from '../../export/collect/resources.js';
import type { Compared, Difference, Key } from '../../export/diff/diff.js';
import { type Paint, painter, wantsColor } from '../../output/color.js';
import { amount } from '../../output/printer.js';
import { counted } from '../../output/progress/meter.js';
import { excerpt } from '../../output/sanitize.js';
import { resourceNamed, resourceProblems, resourceWords } from '../export/index.js';
import { DIFFERENCE } from './index.js';

const SAME = 0;
const DIFFERENT = 1;

/** UTF-16 units of a value that are shown. */
const LONGEST = 160;

const shown = (value: unknown): string =>
  value === undefined ? 'nothing' : excerpt(JSON.stringify(value) ?? '', LONGEST);

const MARKS = { added: ['+', 'green'], removed: ['-', 'red'], changed: ['~', 'yellow'] } as const;

/** What an item is called besides its key, to recognise it by. */
function nameOf({ resource, before, after, key }: Difference): string {
  const item = after ?? before ?? {};
  const { natural } = EXPORTED[resource];
  const names = [natural === undefined ? undefined : item[natural], item.name ?? item.title ?? item.className];
  const texts = [...new Set(names)].filter((name) => typeof name === 'string' && name !== '' && name !== key);
  return texts.map((name) => ` ${excerpt(String(name), LONGEST)}`).join('');
}

function textFor(difference: Difference, paint: Paint): string {
  const { change, key, fields } = difference;
  const [mark, style] = MARKS[change];
  const head = `  ${paint(style, `${mark} ${excerpt(key, LONGEST)}`)}${nameOf(difference)}\n`;
  const lines = fields.map(
    ({ path, before, after }) =>
      `      ${excerpt(path, LONGEST)}: ${paint('red', shown(before))} → ${paint('green', shown(after))}\n`,
  );
  return head + lines.join('');
}

type Count = Record<Difference['change'], number>;

/** `3 added, 1 removed`; nothing when all are 0. */
const inWords = (count: Count): string =>
  (['added', 'removed', 'changed'] as const)
    .filter((change) => count[change] > 0)
    .map((change) => `${counted(count[change])} ${change}`)
    .join(', ');

type Comparison = AsyncIterable<Compared>;

/** At most so many differences of a comparison, and whether there were more. */
function cutTo(
  most: number,
  comparison: Comparison,
): { readonly comparison: Comparison; readonly wasCut: () => boolean } {
  let left = most;
  let wasCut = false;
  async function* beginning(differences: Compared['differences']): Compared['differences'] {
    for await (const some of differences) {
      wasCut = some.length > left;
      if (left > 0) yield some.slice(0, left);
      if (wasCut) return;
      left -= some.length;
    }
  }
  async function* all(): Comparison {
    for await (const compared of comparison) {
      if (compared.only !== undefined) {
        wasCut = left === 0;
        left--;
        if (!wasCut) yield compared;
      } else yield { ...compared, differences: beginning(compared.differences) };
      if (wasCut) return;
    }
  }
  return { comparison: all(), wasCut: () => wasCut };
}

/** Text for people. @returns whether there was any difference */
async function printText(given: Comparison, context: Context): Promise<boolean> {
  const { io, env, globals, quiet } = context;
  const most = typeof globals.limit === 'number' ? globals.limit : Number.POSITIVE_INFINITY;
  const { comparison, wasCut } = cutTo(most, given);
  const paint = painter(wantsColor(isOn(globals, 'no-color'), env, io.stdout.isTTY));
  const totals: Count = { added: 0, removed: 0, changed: 0 };
  let isDifferent = false;
  for await (const { resource, only, differences } of comparison) {
    if (only !== undefined) {
      isDifferent = true;
      if (!quiet) await io.stdout.write(`${paint('bold', resource)}: only in ${only}\n`);
      continue;
    }
    const count: Count = { added: 0, removed: 0, changed: 0 };
    for await (const some of differences) {
      if (inWords(count) === '') await heading(context, paint, resource, quiet);
      isDifferent = true;
      for (const { change } of some) {
        count[change]++;
        totals[change]++;
      }
      if (!quiet) await io.stdout.write(some.map((one) => textFor(one, paint)).join(''));
    }
  }
  // The totals would be those of a part.
  if (wasCut()) await context.warn(`cut by --limit after ${amount(most, 'differences')}; there are more`);
  else if (!quiet) await io.stdout.write(isDifferent ? `${inWords(totals) || 'Different.'}\n` : 'No differences.\n');
  return isDifferent;
}

async function heading(context: Context, paint: Paint, resource: Resource, quiet: boolean): Promise<void> {
  if (!quiet) await context.io.stdout.write(`${paint('bold', resource)}\n`);
}

/** Records for programs. @returns whether there was any difference */
async function printRecords(comparison: Comparison, context: Context): Promise<boolean> {
  const printer = await context.printer();
  await printer.check(DIFFERENCE);
  let isDifferent = false;
  async function* records(): AsyncGenerator<readonly unknown[]> {
    for await (const { resource, only, differences } of comparison) {
      if (only !== undefined) {
        isDifferent = true;
        const change = only === 'A' ? 'removed' : 'added';
        yield [{ resource, change, key: null, fields: [], before: null, after: null }];
      }
      for await (const some of differences) {
        isDifferent = true;
        yield some.map(({ resource: name, change, key, fields, before, after }) => ({
          resource: name,
          change,
          key,
          // JSON has no undefined: a side that is not there is null.
          fields: fields.map(({ path, before: then = null, after: now = null }) => ({
            path,
            before: then,
            after: now,
          })),
          before,
          after,
        }));
      }
    }
  }
  await printer.list(records(), { shape: DIFFERENCE, noun: 'differences' });
  return isDifferent;
}

/** Whether a format was asked for; else it is text for people, as of every diff. */
function wantsRecords({ globals, env }: Context): boolean {
  return (
    textOf(globals, 'output') !== undefined ||
    ['json', 'excel'].some((name) => isOn(globals, name)) ||
    ['query', 'fields', 'sort'].some((name) => textOf(globals, name) !== undefined) ||
    isSet(env.EDU_OUTPUT)
  );
}

/** Compares. @returns the exit code */
export async function runDiff(values: Values, context: Context): Promise<number> {
  const problems = resourceProblems(values);
  if (problems.length > 0) throw problemsError(problems, context.path);
  const [a, b] = [textOf(values, 'a'), textOf(values, 'b')];
  if (a === undefined || b === undefined) {
    throw usageError('Two exports are needed to compare.', 'Write it as: edu diff A B');
  }
  const { diff } = await import('../../export/diff/diff.js');
  const wanted = resourceWords(values).flatMap((word) => resourceNamed(word) ?? []);
  const comparison = diff(a, b, (textOf(values, 'key') ?? 'id') as Key, wanted, context.signal);
  try {
    const isDifferent = await (wantsRecords(context) ? printRecords : printText)(comparison, context);
    return isDifferent ? DIFFERENT : SAME;
  } catch (error) {
    // A full disk must not look like a difference.
    if (!(error instanceof Error)) throw error;
    const known = error instanceof EduError ? error : diskError(error);
    if (known?.exitCode !== DIFFERENT) throw error;
    throw new EduError('partial', known.message, { hint: known.hint, cause: error });
  }
}
