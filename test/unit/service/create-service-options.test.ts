/** Invalid options of `createService` and of its methods are refused with an error that names them. */
import { expect, test } from 'vitest';
import { createService, type ServiceOptions } from '../../../src/service/index.js';

test.each([
  [{ sead: 'demo' }, 'there is no option "sead"'],
  [{ seed: 'demoo' }, 'seed "demoo" cannot be used'],
  [{ seed: './nowhere' }, 'cannot load ./nowhere: there is no such file or folder'],
  [{ seed: 3 }, 'seed 3 cannot be used'],
  [{ baseUrl: 'service.test' }, 'baseUrl "service.test" cannot be used'],
  [{ callbackUrl: '/back' }, 'callback URL "/back" cannot be used'],
  [{ latency: 'soon' }, 'latency "soon" cannot be used'],
  [{ faults: ['explode'] }, '"explode" is not a valid action'],
  [{ now: 'tomorrow' }, 'now "tomorrow" cannot be used'],
  [{ randomSeed: 1.5 }, 'random seed 1.5 cannot be used'],
  [{ variants: { createdStatus: 202 } }, '202 is not a value of createdStatus: expected 200, 201'],
  [{ variants: { color: 'red' } }, 'there is no variant "color"'],
  [{ strange: 'very' }, 'strange "very" cannot be used'],
  [{ clients: [{ id: 'a', callbackUrl: 'b' }] }, 'callback URL "b" cannot be used'],
  [{ clients: 'a=b' }, 'clients "a=b" cannot be used'],
  [{ faults: '503' }, 'faults "503" cannot be used'],
  [{ clock: 5 }, 'clock 5 cannot be used'],
  [{ random: 5 }, 'random 5 cannot be used'],
  [{ random: () => new Uint8Array(), randomSeed: 1 }, 'random and randomSeed cannot be given together'],
  [{ directory: '' }, 'directory "" cannot be used'],
  [null, 'the value null cannot be used'],
])('refuses the options %j', async (options, message) => {
  await expect(createService(options as ServiceOptions)).rejects.toThrow(message);
});

test('refuses invalid options of listen() and invalid expectations', async () => {
  const service = await createService();
  await expect(service.listen({ port: 70_000 })).rejects.toThrow('port 70000 cannot be used');
  await expect(service.listen({ prot: 1 } as object)).rejects.toThrow('there is no option "prot"');
  await service.fetch('/v1/account');
  expect(() => service.verify()).toThrow('expectation [] cannot be used');
  expect(() => service.verify({})).toThrow('expectation {} cannot be used');
  expect(() => service.verify({ paht: '/v1/account' } as object)).toThrow('cannot be used');
  expect(() => service.verify('GET 4033')).toThrow('expectation "GET 4033" cannot be used');
  service.verify('GET /v1/account 403');
  await service.close();
});

test('the message of an error contains its remedy', async () => {
  await expect(createService({ seed: 'tiny' })).rejects.toThrow(
    /^seed "tiny" cannot be used\. Choose from demo, empty/,
  );
});
