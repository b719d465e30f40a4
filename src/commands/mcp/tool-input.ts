/** Input of tools for a command line. */
import * as z from 'zod/v4';

const TEXT = z.string().max(20_000);
const VALUE = z.union([TEXT, z.number()]);

export const LINE = {
  command: z.string().max(100).describe('words of the command, such as "licenses list"'),
  arguments: z.array(TEXT).max(1000).optional().describe('arguments in order, such as ["code:welcome1"]'),
  flags: z
    .record(z.string(), z.union([VALUE, z.boolean(), z.array(VALUE).min(1).max(1000)]))
    .optional()
    .describe('flags by name without dashes, such as {"expires-before": "+60d", "limit": 50}'),
};
