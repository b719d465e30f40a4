/** The common parts of books and readers: response fields, files, editor addresses. */
import { FILE_PATH } from '../../contract/files.js';
import type { Language } from '../../contract/shared.js';
import type { HttpResponse } from '../../core/http.js';
import { findOwn, referenceIn } from '../access.js';
import type { Upload } from '../body.js';
import { badField, requireNamed } from '../error-answer.js';
import type { ItemCall } from '../handler-types.js';
import { newId, newToken, secretId } from '../identifiers.js';
import { blankIsNull } from '../import-overrides.js';
import { nameIn, valueAt, vocabularyOf } from '../names/vocabulary.js';
import type { ServiceContext, StoreContext } from '../service-context.js';
import type { EditorToken, Material, Organization, PageSettings, StoredFile } from '../store/records.js';

/** "It must be used within 1 minute." */
const EDITOR_LIFE_MS = 60_000;

/** The language of names after a write whose query gives none. The API document has no default. */
export const DEFAULT_LANGUAGE: Language = 'EN';

export const settingsOf = (given: Partial<PageSettings> = {}): PageSettings => ({
  indexPageNumber: given.indexPageNumber ?? null,
  pageNumberOffset: given.pageNumberOffset ?? null,
});

export const translatedSubject = ({ store }: StoreContext, id: string, language: Language) => ({
  id,
  translatedName: nameIn(valueAt(vocabularyOf(store).subjects, id), language),
});

/** @throws Refusal 400 for an unknown subject id */
export function requireSubject({ store }: ServiceContext, id: string | undefined, field: string): void {
  if (id !== undefined) requireNamed(valueAt(vocabularyOf(store).subjects, id), field, 'subject', id);
}

/** The API document's "storage path": a path relative to the base URL, from which the file can be downloaded. */
const storagePath = (fileId: string | null): string | null => (fileId === null ? null : `${FILE_PATH}${fileId}`);

export type MaterialContext = Pick<ServiceContext, 'store' | 'now'>;

/** The fields of a PDF uploaded now. No endpoint encrypts it, so this happens after a fixed time. */
export const unencrypted = ({ now, variants }: ServiceContext, pdfFileId: string | null) => ({
  pdfFileId,
  pdfEncrypted: false,
  ...(pdfFileId === null || variants.encryptionMs === null ? {} : { encryptedAt: now() + variants.encryptionMs }),
});

/** "Active is true only when it is enabled, has its uploads (cover and PDF) available and has an encrypted PDF ready." */
const isActive = ({ enabled, coverFileId, pdfFileId, pdfEncrypted, encryptedAt }: Material, now: number): boolean =>
  enabled &&
  coverFileId !== null &&
  pdfFileId !== null &&
  (pdfEncrypted || (encryptedAt !== undefined && encryptedAt <= now));

/** The fields that all responses with a book or reader share. */
export function materialAnswer(
  core: MaterialContext,
  material: Material,
  organizations: ReadonlyMap<string, Organization>,
  language: Language,
  type: { name: string; translatedName: string },
) {
  return {
    id: material.id,
    ean: blankIsNull(material.ean),
    title: blankIsNull(material.title),
    subject: translatedSubject(core, material.subjectId, language),
    organization: referenceIn(organizations, material.organizationId),
    coverUrl: storagePath(material.coverFileId),
    pdfUrl: storagePath(material.pdfFileId),
    type,
    active: isActive(material, core.now()),
  };
}

export function storeFile(
  { store, random }: ServiceContext,
  organizationId: string,
  fileType: StoredFile['fileType'],
  upload: Upload,
): StoredFile {
  const file = { id: newId(random), organizationId, fileType, ...upload };
  store.files.insert(file);
  return file;
}

/** Judges by the first bytes, not by name or media type. */
export function requirePdf(upload: Upload | undefined, field: string): void {
  if (upload !== undefined && upload.format !== 'pdf')
    throw badField(field, 'must be a PDF file: it does not begin with %PDF-');
}

export function requireImage(upload: Upload | undefined, field: string): void {
  if (upload !== undefined && upload.format !== 'jpeg' && upload.format !== 'png') {
    throw badField(field, 'must be a JPEG or PNG image, which its bytes are not');
  }
}

/** "`{url: string}`, an address at `{editor_url}` that carries a one-time token." */
export function editorAddress({ core, caller, params }: ItemCall, kind: EditorToken['kind']): { url: string } {
  const { store, random, now, baseUrl } = core;
  const { id: itemId } = findOwn<Material>(kind === 'book' ? store.books : store.readers, caller, kind, params.id);
  const token = newToken(random);
  for (const old of store.editorTokens.all({})) if (old.expiresAt <= now()) store.editorTokens.remove(old.id);
  store.editorTokens.insert({ id: secretId(token), kind, itemId, expiresAt: now() + EDITOR_LIFE_MS });
  return { url: `${baseUrl}/editor/${kind}s/${encodeURIComponent(itemId)}?token=${token}` };
}

async function page(status: number, title: string, text: string): Promise<HttpResponse> {
  const [{ escapeHtml }, { pageResponse }] = await Promise.all([
    import('../../core/html.js'),
    import('../oauth/pages.js'),
  ]);
  return pageResponse(status, { title, main: `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>` });
}

function redeem({ store, now }: ServiceContext, token: string) {
  const grant = store.editorTokens.get(secretId(token));
  if (grant === undefined) return undefined;
  store.editorTokens.remove(grant.id);
  const item = grant.kind === 'book' ? store.books.get(grant.itemId) : store.readers.get(grant.itemId);
  return grant.expiresAt <= now() || item === undefined ? undefined : { ...grant, title: item.title };
}

/** Answers `GET {editor_url}/…?token=…`. */
export function openEditor(core: ServiceContext, path: string, query: string): Promise<HttpResponse> {
  const token = new URLSearchParams(query).get('token') ?? '';
  const opened = core.store.write(() => redeem(core, token));
  if (opened === undefined || path !== `/editor/${opened.kind}s/${encodeURIComponent(opened.itemId)}`) {
    const reason = 'An address works once, within one minute. Request a new one and open it at once.';
    return page(403, 'This address no longer opens the editor', reason);
  }
  const { kind, itemId, title } = opened;
  return page(200, title, `The editor of the ${kind} ${itemId} would open here. The bundled service has none.`);
}
