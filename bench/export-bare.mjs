/**
 * The baseline for exports: undici follows the cursors, each page is parsed, each licence written as a line. If the
 * service returns licences unsorted, all are kept in memory and sorted, so that both files are the same.
 */
import { open, rename } from 'node:fs/promises';
import { Pool } from 'undici';

const [, , baseUrl = '', path = '', order = 'sorted'] = process.argv;
const pool = new Pool(baseUrl, { connections: 1 });
const file = await open(`${path}.partial`, 'w');
const MAX_TEXT = 256 * 1024;
/** @type {[id: string, line: string][]} */
const kept = [];
let text = '';

async function flush() {
  const full = text;
  text = '';
  await file.write(full);
}

let cursor = null;
do {
  const query = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const { body } = await pool.request({ method: 'GET', path: `/v1/licenses?type=BOOKS&limit=100${query}` });
  const page = JSON.parse(await body.text());
  for (const licence of page.licenses) {
    const line = `${JSON.stringify(licence)}\n`;
    if (order === 'sorted') text += line;
    else kept.push([licence.id, line]);
  }
  if (text.length > MAX_TEXT) await flush();
  cursor = page.paging.nextCursor;
} while (cursor !== null);
kept.sort(([a], [b]) => (a < b ? -1 : 1));
for (const [, line] of kept) {
  text += line;
  if (text.length > MAX_TEXT) await flush();
}
await flush();
await file.sync();
await file.close();
await rename(`${path}.partial`, path);
await pool.close();
