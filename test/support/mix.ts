/** Gives the bundled service the mix of variants in EDU_TEST_MIX, unless a test selects variants. */
import { vi } from 'vitest';
import { strangeVariants } from '../../src/service/serve/parse-variants.js';

vi.mock('../../src/service/variants.js', async (original) => ({
  ...(await original<typeof import('../../src/service/variants.js')>()),
  defaultVariants: () => strangeVariants(Number(process.env.EDU_TEST_MIX)),
}));
