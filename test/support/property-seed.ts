/** Gives every property-based test the same inputs in each run, unless EDU_FUZZ_SEED chooses others (`npm run fuzz`). */
import fc from 'fast-check';

export const SEED = Number(process.env.EDU_FUZZ_SEED || 20260101);

fc.configureGlobal({ seed: SEED });
