/** Text of any code points. */
import fc from 'fast-check';

/** The unit `binary` of fast-check has the same ones, and prepares them in every process for a second. */
export const anyCodePoint = fc.integer({ min: 0, max: 0x10ffff }).map((code) => String.fromCodePoint(code));

export const anyText = (maxLength?: number) =>
  fc.string({ unit: anyCodePoint, ...(maxLength !== undefined && { maxLength }) });
