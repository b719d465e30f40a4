/** A process that runs the quick tests of one vitest again and again, with the sources that it is told. */
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfigFromFile } from 'vite';
import { BaseSequencer, createVitest } from 'vitest/node';
import { AREAS, modulesOf } from './areas.mjs';
import { noting, planted } from './mutants.mjs';

/**
 * @typedef {{ files: string[], module?: string, mutant?: import('./mutants.mjs').Mutant }} Task
 * @typedef {{ failed: string[], passed: { file: string, ms: number }[] }} Result
 */

const root = fileURLToPath(new URL('../..', import.meta.url));
const isCoverage = process.env.EDU_MUTATION_COVERAGE !== undefined;
const noted = new Set(isCoverage ? AREAS.flatMap((area) => modulesOf(root, area)) : []);
/** @type {Task | undefined} */
let task;

/** Runs files in the order of the task: the quickest first. */
class GivenOrder extends BaseSequencer {
  /** @override @type {BaseSequencer['sort']} */
  async sort(files) {
    return files;
  }
}

const loaded = await loadConfigFromFile({ command: 'serve', mode: 'test' }, join(root, 'test/vitest.config.ts'));
/** @type {import('vitest/config').ViteUserConfig} */
const config = loaded?.config ?? {};
const { projects = [], ...shared } = config.test ?? {};
const [quick] = /** @type {{ test: import('vitest/node').InlineConfig }[]} */ (projects);
const vitest = await createVitest(
  'test',
  {
    ...shared,
    ...quick?.test,
    config: false,
    watch: false,
    reporters: [{}],
    bail: isCoverage ? 0 : 1,
    maxWorkers: 1,
    // On a busy machine, a slow test is no fault.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: GivenOrder },
    setupFiles: [
      ...[shared.setupFiles ?? []].flat(),
      ...(isCoverage ? [fileURLToPath(new URL('setup.mjs', import.meta.url))] : []),
    ],
  },
  {
    plugins: [
      {
        name: 'mutation',
        enforce: 'pre',
        transform(code, id) {
          // Another instance of a module has a query.
          const [path = ''] = id.split('?', 1);
          const name = relative(join(root, 'src'), path).split(sep).join('/');
          if (noted.has(name)) return { code: noting(code, name), map: null };
          if (task?.mutant === undefined || task.module !== name) return null;
          return { code: planted(readFileSync(path, 'utf8'), task.mutant), map: null };
        },
      },
    ],
  },
);
await vitest.standalone();

process.on('message', async (/** @type {Task} */ given) => {
  const before = task?.module;
  task = given;
  for (const module of [before, given.module])
    if (module !== undefined) vitest.invalidateFile(join(root, 'src', module));
  const specifications = given.files.flatMap((file) => vitest.getModuleSpecifications(join(root, file)));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  /** @type {Result} */
  const result = { failed: unhandledErrors.length > 0 ? ['an error outside of tests'] : [], passed: [] };
  for (const module of testModules) {
    const file = relative(root, module.moduleId).split(sep).join('/');
    // Those of former tasks are in the result, too.
    if (!given.files.includes(file)) continue;
    if (module.state() === 'failed') result.failed.push(file);
    else result.passed.push({ file, ms: module.diagnostic().duration + module.diagnostic().collectDuration });
  }
  process.send?.(result);
});
const all = await vitest.globTestSpecifications();
process.send?.({ ready: all.map(({ moduleId }) => relative(root, moduleId).split(sep).join('/')) });
