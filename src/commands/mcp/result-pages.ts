/** Divides results into pages that a language model can read, and keeps those that were not read yet. */
import { usageError } from '../../core/errors.js';

const MAX_ITEMS = 200;
const MAX_CHARACTERS = 40_000;
/** All results kept for later pages, in UTF-16 units. */
const MAX_KEPT = 64 * 1024 * 1024;

export interface ResultPage {
  /** JSON texts. */
  readonly items: readonly string[];
  /** Number of the first item, from 1. */
  readonly first: number;
  readonly total: number;
  readonly cursor: string | undefined;
}

/** A record that is longer than a page becomes several items, each with a part of its text. */
function partsOf(line: string): readonly string[] {
  if (line.length <= MAX_CHARACTERS) return [line];
  const size = MAX_CHARACTERS / 2;
  const count = Math.ceil(line.length / size);
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify({ part: index + 1, of: count, text: line.slice(index * size, (index + 1) * size) }),
  );
}

export type ResultPages = ReturnType<typeof createResultPages>;

export function createResultPages() {
  const kept = new Map<string, readonly string[]>();
  let size = 0;
  let made = 0;
  const lengthOf = (items: readonly string[]): number => items.reduce((sum, { length }) => sum + length, 0);

  function page(id: string, items: readonly string[], from: number): ResultPage {
    let to = from;
    let length = 0;
    while (to < items.length && to - from < MAX_ITEMS) {
      length += items[to]?.length ?? 0;
      if (length > MAX_CHARACTERS && to > from) break;
      to++;
    }
    const cursor = to < items.length ? `${id}.${to}` : undefined;
    return { items: items.slice(from, to), first: from + 1, total: items.length, cursor };
  }

  return {
    /** The first page of lines of JSON. */
    first(lines: string): ResultPage {
      const items = lines.split('\n').filter(Boolean).flatMap(partsOf);
      const id = `r${++made}`;
      const found = page(id, items, 0);
      if (found.cursor === undefined) return found;
      kept.set(id, items);
      size += lengthOf(items);
      for (const [oldest, dropped] of kept) {
        if (size <= MAX_KEPT || oldest === id) break;
        kept.delete(oldest);
        size -= lengthOf(dropped);
      }
      return found;
    },
    /** @throws EduError `usage` for a cursor that no page gave, or whose result is no longer kept */
    next(cursor: string): ResultPage {
      const [, id = '', at = ''] = /^(r\d+)\.(\d+)$/.exec(cursor) ?? [];
      const items = kept.get(id);
      if (items === undefined || Number(at) >= items.length)
        throw usageError('This cursor is not valid.', 'Read again without it.');
      return page(id, items, Number(at));
    },
  };
}
