/** The program's version, inserted by the build; read from package.json when run from source. */
import { readFileSync } from 'node:fs';

declare const EDU_VERSION: string | undefined;

/** Such as `0.1.0`. */
export function version(): string {
  if (typeof EDU_VERSION === 'string') return EDU_VERSION;
  const description: unknown = JSON.parse(readFileSync('package.json', 'utf8'));
  if (typeof description === 'object' && description !== null && 'version' in description)
    return String(description.version);
  return 'unknown';
}
