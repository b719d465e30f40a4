/**
 * Opens the offline state as `edu --offline` does, creating it if needed, and prints the number of licences and users
 * and the creation time of the first persona's token. Argument: folder of the state.
 */
import { randomBytes } from 'node:crypto';
import { openOfflineService, openState } from '../../src/service/state.js';

async function main(): Promise<void> {
  const [directory = ''] = process.argv.slice(2);
  const baseUrl = 'http://offline.invalid';
  const service = await openOfflineService({ directory, clock: Date.now, random: randomBytes, baseUrl });
  const headers = { authorization: 'Bearer edu-offline-distributor' };
  const account = await service.handle({ method: 'GET', url: `${baseUrl}/v1/account`, headers });
  service.close();
  const store = await openState(directory, 'demo', Date.now());
  const found = store.read(() => ({
    licences: store.licences.count({}),
    users: store.users.count({}),
    made: store.accessTokens.all({})[0]?.createdAt,
  }));
  store.close();
  process.stdout.write(JSON.stringify({ status: account.status, ...found }));
}

void main();
