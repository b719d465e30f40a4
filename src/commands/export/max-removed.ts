/** Reads `--max-removed`. */

/** `10%` as a share, `15` as a number of items; undefined for anything else. */
export function maxRemovedOf(text: string): { readonly count: number } | { readonly share: number } | undefined {
  const [, amount, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text.trim()) ?? [];
  if (amount === undefined || (percent === '%' && Number(amount) > 100)) return undefined;
  if (percent === '%') return { share: Number(amount) / 100 };
  return amount.includes('.') ? undefined : { count: Number(amount) };
}
