/** The baseline for bulk jobs: a bare undici pool that posts the same licences and stores nothing. */
import { Pool } from 'undici';

const [, , origin = '', rows = '0', concurrency = '1'] = process.argv;
const pool = new Pool(origin, { connections: Number(concurrency) });
let next = 0;

async function worker() {
  for (let row = next++; row < Number(rows); row = next++) {
    const body = JSON.stringify({
      name: 'Autumn',
      type: 'Teacher',
      maximumActivations: 1,
      code: `bare${process.pid}x${row}`,
    });
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: 'Bearer bench-token',
    };
    const answer = await pool.request({ method: 'POST', path: '/v1/licenses', headers, body });
    const { id } = await answer.body.json();
    if (typeof id !== 'string') throw new Error('no licence came back');
  }
}
await Promise.all(Array.from({ length: Number(concurrency) }, worker));
await pool.close();
