/** Reads switches from environment variables. */

/** Whether a variable is on: `0`, `false`, `no`, `off` and an empty value are off, as CI systems and people write them. */
export const isSet = (value: string | undefined): boolean =>
  value !== undefined && !/^(?:|0|false|no|off)$/i.test(value.trim());
