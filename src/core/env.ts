/** Environment variables. */

/** True when a variable switches something on: CI systems write `0`, `false` and nothing for off. */
export const isSet = (value: string | undefined): boolean =>
  value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false';
