import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countCompressed } from '../../../support/compressed-data-file.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'edu-data-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

describe('a compressed data file', () => {
  it('of one long line is copied a constant number of times', async () => {
    const line = Buffer.from(`{"id":"${'x'.repeat(8_000_000)}"}`);
    const concat = vi.spyOn(Buffer, 'concat');
    expect(await countCompressed(folder, line, 'ndjson', 1)).toBe(1);
    const copied = concat.mock.calls.flatMap(([buffers]) => buffers.map(({ length }) => length));
    expect(copied.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(3 * line.length);
  });
});
