/** The JSON Schemas of documents other than items: an export's manifest and record, receipts, error objects. */
import { type Check, schemaOf } from '../../core/checks.js';
import { isManifest } from '../../export/files/manifest.js';
import { isRunRecord } from '../../export/files/run-record.js';
import { DIALECT } from '../../export/files/schema.js';
import { isErrorDocument } from '../../output/error-document.js';
import { isReceiptHeader, isReceiptStep } from '../../plan/apply/receipt.js';

const DOCUMENTS: Readonly<
  Record<string, readonly [title: string, description: string, check: Pick<Check<unknown>, 'schema'>]>
> = {
  'export-manifest': ['ExportManifest', 'manifest.json of an export.', isManifest],
  'export-run': ['ExportRun', 'run.json of an export.', isRunRecord],
  receipt: [
    'ReceiptLine',
    'One line of the receipt that `edu apply` writes: first the header, then the steps.',
    { schema: { anyOf: [schemaOf(isReceiptHeader), schemaOf(isReceiptStep)] } },
  ],
  error: ['ErrorDocument', 'The error on stderr with JSON output.', isErrorDocument],
};

/** File names and contents. */
export const documentSchemas = (): readonly (readonly [file: string, text: string])[] =>
  Object.entries(DOCUMENTS).map(([name, [title, description, check]]) => {
    const document = { $schema: DIALECT, $id: `urn:edu:${name}:1`, title, description, ...schemaOf(check) };
    return [`${name}.schema.json`, `${JSON.stringify(document, null, 2)}\n`];
  });
