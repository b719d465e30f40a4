/** Gives the bundled service the mix of variants in EDU_TEST_MIX (mix-runner.ts), unless a test selects variants. */
import { vi } from 'vitest';
import { strangeVariants } from '../../src/service/serve/parse-variants.js';

vi.mock('../../src/service/variants.js', async (original) => {
  const variants = await original<typeof import('../../src/service/variants.js')>();
  // A mix begins with the defaults.
  let isMixing = false;
  const mixed = () => {
    isMixing = true;
    const mix = strangeVariants(Number(process.env.EDU_TEST_MIX));
    isMixing = false;
    return mix;
  };
  return { ...variants, defaultVariants: () => (isMixing ? variants.defaultVariants() : mixed()) };
});
