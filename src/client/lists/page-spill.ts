/** A queue of pages in a temporary file. The file is private and, where the system allows it, unlinked while in use. */
import { exactJson, parseJson } from '../../core/exact-json.js';
import { JsonText } from '../../core/json-text.js';

export type PageSpill = Awaited<ReturnType<typeof openPageSpill>>;

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
export async function openPageSpill(folder: string | undefined) {
  const { open, unlink } = await import('node:fs/promises');
  const { join } = await import('node:path');
  const { randomUUID } = await import('node:crypto');
  const { tmpdir } = await import('node:os');
  const path = join(folder ?? tmpdir(), `edu-list-${randomUUID()}.tmp`);
  const file = await open(path, 'ax+', 0o600);
  // An unlinked file is removed even after kill -9. Windows does not allow this for an open file.
  const isUnlinked = await unlink(path).then(
    () => true,
    () => false,
  );
  /** Lengths of the waiting pages in bytes, in order. */
  const lengths: number[] = [];
  let readAt = 0;
  // Serializes writer and reader, which share the file.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  };
  return {
    /** Pages in the file that have not been read. */
    get waiting(): number {
      return lengths.length;
    },
    add: (items: readonly unknown[]) =>
      inTurn(async () => {
        const bytes = encodePage(items);
        await file.appendFile(bytes).catch(async (error: unknown) => {
          // A full disk may have taken a part.
          await file.truncate(lengths.reduce((sum, length) => sum + length, readAt));
          throw error;
        });
        lengths.push(bytes.length);
      }),
    take: () =>
      inTurn(async () => {
        const bytes = Buffer.alloc(lengths[0] ?? 0);
        for (let done = 0; done < bytes.length; ) {
          const { bytesRead } = await file.read(bytes, done, bytes.length - done, readAt + done);
          if (bytesRead === 0) throw new Error(`the temporary file ${path} ended early`);
          done += bytesRead;
        }
        lengths.shift();
        readAt += bytes.length;
        if (lengths.length === 0) {
          // The file is reused from its beginning, so that it is never larger than the reader's lag.
          await file.truncate();
          readAt = 0;
        }
        return decodePage(bytes);
      }),
    close: () =>
      inTurn(async () => {
        await file.close();
        if (!isUnlinked) await unlink(path).catch(() => {});
      }),
  };
}
