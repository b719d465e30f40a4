/** Detects file formats by their first bytes, regardless of names and media types. */

const PDF = Buffer.from('%PDF-');
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** Number of bytes that `formatOf` needs. */
export const MAX_SIGNATURE_BYTES = 8;

export function formatOf(head: Buffer): 'pdf' | 'jpeg' | 'png' | 'other' {
  const starts = (signature: Buffer): boolean => head.subarray(0, signature.length).equals(signature);
  if (starts(PDF)) return 'pdf';
  if (starts(PNG)) return 'png';
  return starts(JPEG) ? 'jpeg' : 'other';
}

/** Returns true if a PDF header follows other bytes, which is allowed (ISO 32000, annex H: within the first 1024). */
export const containsPdfHeader = (head: Buffer): boolean => head.includes(PDF);
