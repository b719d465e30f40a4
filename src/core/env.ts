/** Reads switches from environment variables. */

/** Whether a variable is on: CI systems use `0`, `false` and an empty value for off. */
export const isSet = (value: string | undefined): boolean =>
  value !== undefined && value !== '' && value !== '0' && value.toLowerCase() !== 'false';
