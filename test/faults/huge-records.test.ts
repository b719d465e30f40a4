/** Records that never end in data files of exports, and tables that are far larger than their file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFile } from '../../src/core/table/open-table.js';
import { countCompressed } from '../support/compressed-data-file.js';
import { temporaryFolder } from '../support/run.js';
import { workbookOf } from '../support/workbook.js';

test('a compressed data file without line breaks is refused at the limit of a line', async () => {
  await expect(countCompressed(Buffer.alloc(66 * 1024 * 1024, 'x'), 'ndjson', 1)).rejects.toThrow(
    /^Cannot read .*books\.ndjson\.gz: a line has more than 67108864 bytes\./,
  );
});

test('a compressed data file whose quote is never closed is refused at the limit of a record', async () => {
  const content = Buffer.concat([Buffer.from('id\n"'), Buffer.alloc(66 * 1024 * 1024, `${'x'.repeat(1023)}\n`)]);
  await expect(countCompressed(content, 'csv', 1)).rejects.toThrow('a record has more than 67108864 characters');
});

test('a workbook of a few kilobytes is refused at the limit of cells', async () => {
  const last = { xml: '<c r="XFD1"><v>1</v></c>' };
  const rows = [['Name'], ...Array.from({ length: 3052 }, () => [last])];
  const file = join(temporaryFolder(), 'list.xlsx');
  writeFileSync(file, workbookOf({ sheets: [{ name: 'A', rows }] }));
  const { batches } = await openFile(file, { name: 'list.xlsx' });
  const all = (async () => {
    for await (const _ of batches);
  })();
  await expect(all).rejects.toMatchObject({
    kind: 'usage',
    message: expect.stringContaining('it has more than 50000000 cells up to line 3053'),
  });
});
