/** Zip archives for tests (PKWARE APPNOTE 6.3): deflated entries, with their sizes before or after the data. */
import { crc32, deflateRawSync } from 'node:zlib';

export type Content = string | Uint8Array;

interface Options {
  /** Sizes follow the data, as in streamed archives. */
  readonly streamed?: boolean;
}

function record(signature: number, fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer {
  const all = [[signature, 4] as const, ...fields];
  const buffer = Buffer.alloc(all.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of all) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}

/** The bytes of an archive with these files. */
export function zipOf(files: Readonly<Record<string, Content>>, { streamed = false }: Options = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  const flags = 0x800 | (streamed ? 8 : 0);
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content as Uint8Array);
    const packed = deflateRawSync(bytes);
    const path = Buffer.from(name);
    const facts = [
      [crc32(bytes), 4],
      [packed.length, 4],
      [bytes.length, 4],
    ] as const;
    const shown = streamed ? facts.map(([, size]) => [0, size] as const) : facts;
    const common = [
      [20, 2],
      [flags, 2],
      [8, 2],
      [0, 4],
    ] as const;
    const head = record(0x04034b50, [...common, ...shown, [path.length, 2], [0, 2]]);
    const tail = streamed ? record(0x08074b50, facts) : Buffer.alloc(0);
    parts.push(head, path, packed, tail);
    const rest = [
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [offset, 4],
    ] as const;
    directory.push(record(0x02014b50, [[20, 2], ...common, ...facts, [path.length, 2], ...rest]), path);
    offset += head.length + path.length + packed.length + tail.length;
  }
  const list = Buffer.concat(directory);
  const count = Object.keys(files).length;
  const end = record(0x06054b50, [
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [list.length, 4],
    [offset, 4],
    [0, 2],
  ]);
  return Buffer.concat([...parts, list, end]);
}
