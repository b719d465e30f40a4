/** Reads JSON files that may be missing or damaged. */
import type { Check } from '../checks.js';
import { readRegularFile } from './regular-file.js';

/** @returns undefined if the file cannot be read, is not JSON, or does not pass the check */
export function readJsonFile<T>(path: string, maxBytes: number, check: Check<T>): T | undefined {
  try {
    const value: unknown = JSON.parse(readRegularFile(path, maxBytes));
    return check(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
