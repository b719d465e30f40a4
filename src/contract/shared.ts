/** Fields of several resources: languages, organizations, dates (service-api-v1.md, "General rules" and "Limits"). */
import { boolean, choice, date, integer, object, text } from './vocabulary.js';

/** Languages of subject and type names, in the order of the API document. */
export const LANGUAGES = ['DE', 'EN', 'ES', 'FR', 'IT', 'NL', 'PT', 'RU'] as const;
export type Language = (typeof LANGUAGES)[number];

export const ORGANIZATION_TYPES = ['School', 'Publisher', 'Distributor'] as const;
export type OrganizationType = (typeof ORGANIZATION_TYPES)[number];

export interface OrganizationReference {
  readonly id: string;
  readonly type: OrganizationType;
}

/** A licence code ("Licences"): lowercase letters and digits. */
export const LICENCE_CODE = /^[a-z0-9]+$/;

interface TextFormat {
  readonly pattern: RegExp;
  /** For messages: "must be …". */
  readonly called: string;
}

/** What the service accepts as text, by the `format` of a field. */
export const TEXT_FORMATS: Readonly<Record<string, TextFormat>> = {
  code: { pattern: LICENCE_CODE, called: 'lowercase letters and digits' },
  // Any text around one @, because only sending a message can prove an address, but for the invisible characters that
  // come along when one is copied.
  email: { pattern: /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u, called: 'an e-mail address' },
  'ISO 3166-1 alpha-2': { pattern: /^[A-Z]{2}$/, called: 'the two letters of ISO 3166-1, such as DE' },
};

/** "must be …" if a text is not of this format. */
export function textProblem(format: string | undefined, text: string): string | undefined {
  const form = TEXT_FORMATS[format ?? ''];
  return form === undefined || form.pattern.test(text) ? undefined : `must be ${form.called}`;
}

/** Maximum length of a publisher's, school's or person's name in characters ("Limits"). */
export const MAX_NAME_LENGTH = 50;

/** Maximum size of a PDF for `POST readers` ("Limits": 150 MB). The document leaves open whether a MB has 1024² bytes. */
export const MAX_PDF_BYTES = 150 * 1024 * 1024;

/** Items to request per page: the maximum of `GET licenses`, and the highest value that is known to be accepted. */
export const PAGE_SIZE = 100;

/** Query `language`: the language of the names in the response, not of the content. */
export const namesLanguage = choice(LANGUAGES, 'language of subject and type names', { required: true });

/** The same for writes, where the API document does not call the parameter required. */
export const answerLanguage = choice(LANGUAGES, 'language of subject and type names');

export const organizationReference = object(
  {
    id: text('organization ID', { refersTo: 'organization' }),
    type: choice(ORGANIZATION_TYPES, "the organization's type"),
  },
  'the organization that it belongs to',
);

/** Query of lists that belong to an organization. */
export const organizationQuery = {
  organization: text('organization ID', { required: true, refersTo: 'organization' }),
  type: choice(ORGANIZATION_TYPES, "the organization's type", { required: true }),
} as const;

/** Body `organization`, optional: the caller's own by default. */
export const optionalOrganization = object(
  {
    id: text("organization ID; the caller's own if left out", { refersTo: 'organization' }),
    type: choice(ORGANIZATION_TYPES, "the organization's type"),
  },
  "the organization to create it for; the caller's own if left out",
);

/** Body `organization`, required. */
export const requiredOrganization = object(
  {
    id: text('organization ID', { required: true, refersTo: 'organization' }),
    type: choice(ORGANIZATION_TYPES, "the organization's type", { required: true }),
  },
  'the organization that the user belongs to',
  { required: true },
);

export const pageSettings = object(
  {
    pageNumberOffset: integer('page on which page numbering starts', { nullable: true }),
    indexPageNumber: integer('page on which the index starts', { nullable: true }),
  },
  'page numbering',
);

export const translatedSubject = object(
  {
    id: text('subject ID', { refersTo: 'subject' }),
    translatedName: text('name in the requested language', { nullable: true }),
  },
  'subject',
);

const translatedType = object(
  { name: text('type name'), translatedName: text('name in the requested language') },
  'type',
);

/** What books and readers show after their title. */
export const publicationFields = {
  subject: translatedSubject,
  organization: organizationReference,
  coverUrl: text('storage path of the cover', { nullable: true }),
  pdfUrl: text('storage path of the PDF', { nullable: true }),
  type: translatedType,
  active: boolean('enabled, uploads available and encrypted PDF ready'),
} as const;

export const roleReference = object({ id: text('role ID', { refersTo: 'role' }), name: text('role name') }, 'role');

export const permission = object(
  {
    resource: text('what may be acted on, such as Book'),
    operation: text('what may be done, such as Create'),
  },
  'permission',
);

/** Query `dateToCheck`. Which time zone "yesterday" is in is not documented. */
export const dateToCheck = date('the day to look at; yesterday if left out');

/** The fields that identify a person, in every shape that has them. */
const PERSONAL = ['firstName', 'lastName', 'email', 'avatar', 'avatarUrl'] as const;
export type PersonalField = (typeof PERSONAL)[number];
export const isPersonal = (name: string): name is PersonalField => PERSONAL.some((one) => one === name);

/** Names that `edu` adds to a user ID; null for a user whom the caller may not read. */
export const personNames = {
  firstName: text('first name', { nullable: true }),
  lastName: text('last name', { nullable: true }),
  email: text('e-mail address', { nullable: true }),
} as const;

/** A user or end user in the answers of end users, of licences by ID and code, and of the assign endpoints. */
export const namedUser = {
  id: text('user ID'),
  email: text('e-mail address; null until verified', { nullable: true }),
  firstName: text('first name'),
  lastName: text('last name'),
} as const;
export const endUserFields = { ...namedUser, language: choice(LANGUAGES, 'language', { open: true }) } as const;
export const assignedUser = object(endUserFields, 'the user');

export const editorAddress = object(
  { url: text('one-time address of the editor, valid for one minute') },
  'editor address',
);
