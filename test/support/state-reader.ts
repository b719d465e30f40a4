/**
 * Prints the codes of a state's licences with a prefix, its file, and SQLite's check of it. Arguments: folder of the
 * state, prefix.
 */
import { loadSqlite } from '../../src/service/store/sqlite.js';
import { openStore } from '../../src/service/store/store.js';

async function main(): Promise<void> {
  const [directory = '', prefix = ''] = process.argv.slice(2);
  const store = await openStore({ directory });
  const all = store.read(() => store.licences.all({ creatorId: 'd1', type: 'Teacher' }));
  const codes = all.map(({ code }) => code ?? '').filter((code) => code.startsWith(prefix));
  const { file = '' } = store;
  store.close();
  const database = (await loadSqlite())(file);
  const [check] = database.prepare('PRAGMA integrity_check').all();
  database.close();
  process.stdout.write(JSON.stringify({ file, check: check?.integrity_check, codes }));
}

void main();
