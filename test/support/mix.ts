/** Gives the bundled service the mix of variants that EDU_TEST_MIX names, unless a test chooses variants. */
import { vi } from 'vitest';
import { strangeVariants } from '../../src/service/serve/parse-variants.js';

vi.mock('../../src/service/variants.js', async (original) => ({
  ...(await original<typeof import('../../src/service/variants.js')>()),
  defaultVariants: () => strangeVariants(Number(process.env.EDU_TEST_MIX)),
}));
