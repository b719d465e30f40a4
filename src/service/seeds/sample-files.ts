/** The bytes of sample books and readers: one small PDF and one small PNG, shared by all. */
/** A PDF of one page with one line of text. Viewers require the offsets in its cross-reference table to be right. */
function samplePdf(): Uint8Array {
  const text = 'BT /F1 24 Tf 72 720 Td (A sample page) Tj ET';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return Buffer.from(`${body}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`);
}

export const SAMPLE_PDF = samplePdf();

export const SAMPLE_COVER = { filename: 'cover.png', contentType: 'image/png', format: 'png' } as const;

/** A blue rectangle of 60 by 80 pixels. */
export const SAMPLE_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAADwAAABQAQMAAAB/BIQQAAAAA1BMVEUdX9F/c64gAAAAD0lEQVR42mNgGAWjYPgAAALQAAHi1040AAAAAElFTkSuQmCC',
  'base64',
);
