/** Tells why a book or reader is not active (service-api-v1.md, "States and transitions"). */
import { getPath } from '../../core/json.js';
import { either } from '../../core/plural.js';

const isMissing = (item: unknown, field: string): boolean => (getPath(item, field) ?? '') === '';

/** @param noun the item in messages @returns undefined for an active item */
export const whyInactive =
  (noun: string) =>
  (item: unknown): string | undefined => {
    if (getPath(item, 'active') !== false) return undefined;
    const missing = [...(isMissing(item, 'coverUrl') ? ['cover'] : []), ...(isMissing(item, 'pdfUrl') ? ['PDF'] : [])];
    const why =
      missing.length > 0
        ? `has no ${either(missing)}`
        : 'has a cover and a PDF, but it is not ready: the PDF is still being prepared, or the item is disabled';
    return `The ${noun} is not active: it ${why}.`;
  };
