/** A queue of pages in a temporary file. The file is private and, where the system allows it, unlinked while in use. */
import { exactJson, parseJson } from '../../core/exact-json.js';
import { JsonText } from '../../core/json-text.js';

export interface PageSpill {
  /** Pages in the file that have not been read. */
  readonly waiting: number;
  add(items: readonly unknown[]): Promise<void>;
  take(): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

/** A line with the IDs of items that are `JsonText`, null for others, and a line for each item. */
function encodePage(items: readonly unknown[]): Buffer {
  const ids = items.map((item) => (item instanceof JsonText ? item.id : null));
  return Buffer.from([JSON.stringify(ids), ...items.map((item) => exactJson(item))].join('\n'));
}

function decodePage(bytes: Buffer): readonly unknown[] {
  const [ids = '', ...lines] = bytes.toString('utf8').split('\n');
  return (JSON.parse(ids) as readonly (string | null)[]).map((id, index) => {
    const line = lines[index] ?? '';
    return id === null ? parseJson(line) : new JsonText(id, line);
  });
}

/**
 * Creates the file.
 * @param folder the folder for temporary files; the system's if undefined
 * @throws the system's error if the file cannot be created
 */
export async function openPageSpill(folder: string | undefined): Promise<PageSpill> {
  const { open, unlink } = await import('node:fs/promises');
  const { join } = await import('node:path');
  const { randomUUID } = await import('node:crypto');
  const { tmpdir } = await import('node:os');
  const path = join(folder ?? tmpdir(), `edu-list-${randomUUID()}.tmp`);
  const file = await open(path, 'wx+', 0o600);
  // An unlinked file is removed even after kill -9. Windows does not allow this for an open file.
  const isUnlinked = await unlink(path).then(
    () => true,
    () => false,
  );
  /** Lengths of the waiting pages in bytes, in order. */
  const lengths: number[] = [];
  let first = 0;
  let readAt = 0;
  let writeAt = 0;
  const write = async (bytes: Buffer): Promise<void> => {
    for (let done = 0; done < bytes.length; ) {
      done += (await file.write(bytes, done, bytes.length - done, writeAt + done)).bytesWritten;
    }
  };
  const add = async (items: readonly unknown[]): Promise<void> => {
    const bytes = encodePage(items);
    await write(bytes);
    writeAt += bytes.length;
    lengths.push(bytes.length);
  };
  const take = async (): Promise<readonly unknown[]> => {
    const length = lengths[first] ?? 0;
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const { bytesRead } = await file.read(bytes, done, length - done, readAt + done);
      if (bytesRead === 0) throw new Error(`the temporary file ${path} ended early`);
      done += bytesRead;
    }
    readAt += length;
    first++;
    if (first === lengths.length) {
      // The file is reused from its beginning, so that it is never larger than the reader's lag.
      lengths.length = 0;
      first = 0;
      readAt = 0;
      writeAt = 0;
    }
    return decodePage(bytes);
  };
  // Serializes writer and reader, which share the positions above.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  };
  return {
    get waiting() {
      return lengths.length - first;
    },
    add: (items) => inTurn(() => add(items)),
    take: () => inTurn(take),
    close: () =>
      inTurn(async () => {
        await file.close();
        if (!isUnlinked) await unlink(path).catch(() => {});
      }),
  };
}
