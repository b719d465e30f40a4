/** Number of characters of a hash for display and input. */
export const SHORT_HASH = 8;
