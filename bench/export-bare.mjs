/** The least that an export can be: undici follows the cursors, each page is parsed, each licence written as a line. */
import { open, rename } from 'node:fs/promises';
import { Pool } from 'undici';

const [, , baseUrl = '', path = ''] = process.argv;
const pool = new Pool(baseUrl, { connections: 1 });
const file = await open(`${path}.partial`, 'w');
let text = '';
let cursor = null;
do {
  const query = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const { body } = await pool.request({ method: 'GET', path: `/v1/licenses?type=BOOKS&limit=100${query}` });
  const page = JSON.parse(await body.text());
  for (const licence of page.licenses) text += `${JSON.stringify(licence)}\n`;
  if (text.length > 256 * 1024) {
    await file.write(text);
    text = '';
  }
  cursor = page.paging.nextCursor;
} while (cursor !== null);
await file.write(text);
await file.sync();
await file.close();
await rename(`${path}.partial`, path);
await pool.close();
