/**
 * The records of the bundled service. Times are milliseconds since the epoch, except days (`yyyy-MM-dd`, UTC). Every
 * record has an `id`.
 */
import type { Language, OrganizationType } from '../../contract/shared.js';

export interface Permission {
  /** What may be acted on, such as `Book`. */
  readonly resource: string;
  /** What may be done, such as `Create`. */
  readonly operation: string;
}

export interface Organization {
  readonly id: string;
  readonly type: OrganizationType;
  readonly name: string;
  /** The distributor that created it; null for a distributor. */
  readonly ownerId: string | null;
  /** Schools only: ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly city: string | null;
  /** Where an export showed it otherwise than our answers do: see `shown.ts`. */
  readonly shown?: string;
}

export interface Role {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Users have it, and an export listed no such role. */
  readonly unlisted?: true;
  /** Where an export showed it otherwise than our answers do: see `shown.ts`. */
  readonly shown?: string;
}

/** A person: a user of an organization, or an end user (who belongs to none). */
export interface User {
  readonly id: string;
  readonly kind: 'user' | 'endUser';
  /** Unique over all people, letter case aside. An end user's is shown only once `verified`. Null after anonymizing an end user. */
  readonly email: string | null;
  /** True for users; for end users once they have confirmed their address. */
  readonly verified: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language;
  readonly avatarUrl: string | null;
  /** Null for end users. */
  readonly organizationId: string | null;
  /** The organization whose user created this person. */
  readonly creatorId: string;
  readonly roleIds: readonly string[];
  readonly anonymized: boolean;
  /** The account that made an export which listed no such user. */
  readonly unlisted?: true;
  /** Where an export showed it otherwise than our answers do: see `shown.ts`. */
  readonly shown?: string;
  /** The same for this user's account. */
  readonly shownAsAccount?: string;
}

export interface PageSettings {
  readonly indexPageNumber: number | null;
  readonly pageNumberOffset: number | null;
}

/** What books and readers have in common. */
export interface Material {
  readonly id: string;
  readonly ean: string;
  readonly title: string;
  /** A key of the vocabulary's `subjects`. */
  readonly subjectId: string;
  readonly organizationId: string;
  /** The organization whose user created it. */
  readonly creatorId: string;
  readonly language: Language;
  /** Ids of stored files. */
  readonly coverFileId: string | null;
  readonly pdfFileId: string | null;
  readonly enabled: boolean;
  /** An encrypted PDF is ready. */
  readonly pdfEncrypted: boolean;
  /** When the encrypted PDF is ready, where it was not from the start. */
  readonly encryptedAt?: number;
  readonly settings: PageSettings;
  /** Where an export showed it otherwise than our answers do: see `shown.ts`. */
  readonly shown?: string;
}

export interface Book extends Material {
  /** Null where an export had none. */
  readonly year: number | null;
  readonly level: string | null;
  readonly series: string | null;
  readonly secondSubjectId: string | null;
  /** An export showed the second subject in its list. */
  readonly listsSecondSubject?: true;
  /** A key of the vocabulary's `types`. */
  readonly type: string;
  readonly layoutType: 'SPREADS' | 'PAGES';
}

export interface Reader extends Material {
  /** Null where an export did not say. */
  readonly pdfDownloadable: boolean | null;
  /** An export showed the settings in its list. */
  readonly listsSettings?: true;
}

export interface StoredFile {
  readonly id: string;
  readonly organizationId: string;
  readonly fileType: 'Audio' | 'Document' | 'Image' | 'Video';
  readonly filename: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  /** What the first bytes say it is. */
  readonly format: 'pdf' | 'jpeg' | 'png' | 'other';
  /** Name of its bytes in `store.blobs`; several files may share one. */
  readonly blob: string;
}

export interface Expiration {
  readonly type: 'Days' | 'Date';
  readonly days: number | null;
  readonly date: string | null;
}

export interface Licence {
  readonly id: string;
  readonly name: string;
  /** Lowercase letters and digits, unique over all organizations. Null where an export had none. */
  readonly code: string | null;
  readonly type: 'Books' | 'Teacher';
  readonly bookIds: readonly string[];
  /** Null only for Teacher licences. */
  readonly expiration: Expiration | null;
  readonly maximumActivations: number;
  /** Number of `Activation` records. Code that inserts activations updates it. */
  readonly numberOfActivations: number;
  /** The organization it belongs to: reads it. */
  readonly ownerId: string;
  /** The organization whose user created it: lists, changes, cancels, deletes it. */
  readonly creatorId: string;
  /** A key of the vocabulary's `categories`; null where an export said nothing. */
  readonly categoryId: string | null;
  readonly cancelled: boolean;
  /** An export showed its activations to the organization that created it and does not own it. */
  readonly creatorReads?: true;
  /** Where an export showed it otherwise than our answers do: see `shown.ts`. */
  readonly shown?: string;
}

/** One for each licence and user; only an export may have shown more. */
export interface Activation {
  readonly id: string;
  readonly licenceId: string;
  readonly userId: string;
  readonly createdAt: number;
  /** Null: never. */
  readonly expiresAt: number | null;
  /** An export named the user as a holder of the licence, and listed no such activation. */
  readonly unlisted?: true;
  /** Where an export showed it otherwise than our answers do: see `shown.ts`. */
  readonly shown?: string;
}

export interface Subscription {
  readonly id: string;
  readonly code: string;
  readonly maximumActivations: number;
  /** Number of `SubscriptionUse` records. Code that inserts them updates it. */
  readonly numberOfActivations: number;
  /** Last day. */
  readonly expirationDate: string;
  readonly organizationId: string;
  readonly creatorId: string;
  /** Where an export showed it otherwise than our answers do: see `shown.ts`. */
  readonly shown?: string;
}

/** At most one for each subscription and user. */
export interface SubscriptionUse {
  readonly id: string;
  readonly subscriptionId: string;
  readonly userId: string;
  readonly createdAt: number;
}

export interface Class {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly subjectId: string;
  readonly schoolId: string;
  readonly createdAt: number;
  readonly deactivatedAt: number | null;
  /** Where an export showed it otherwise than our answers do: see `shown.ts`. */
  readonly shown?: string;
}

/** At most one for each class and user. */
export interface ClassMember {
  readonly id: string;
  readonly classId: string;
  readonly userId: string;
}

/** One changed field of a user. */
export interface Modification {
  readonly id: string;
  readonly userId: string;
  /** The organization that created the user. */
  readonly creatorId: string;
  readonly at: number;
  /** The day of `at`, UTC. */
  readonly day: string;
  readonly field: string;
  readonly oldValue: string | null;
  readonly newValue: string | null;
  /** The user who did it. */
  readonly byUserId: string;
}

/** The last login of a user on one kind of device. Its id is `<userId>/<device>`. */
export interface Login {
  readonly id: string;
  readonly userId: string;
  readonly device: 'iPad' | 'web';
  readonly at: number;
}

/** Its id is the SHA-256 of the token, hex (`secretId`). */
export interface AccessToken {
  readonly id: string;
  readonly userId: string;
  /** Null for a persona's fixed token. */
  readonly clientId: string | null;
  readonly createdAt: number;
  /** Null: never. */
  readonly expiresAt: number | null;
}

/** A registered application. */
export interface OAuthClient {
  readonly id: string;
  readonly secret: string;
  readonly name: string;
  readonly callbackUrl: string;
  readonly suspended: boolean;
}

/** A temporary code, removed when it is exchanged. Its id is the SHA-256 of the code, hex (`secretId`). */
export interface AuthorizationCode {
  readonly id: string;
  readonly clientId: string;
  readonly userId: string;
  /** The address that the code was sent to. */
  readonly redirectUri: string;
  readonly state: string | null;
  readonly expiresAt: number;
}

/** A right to open the editor once. Its id is the SHA-256 of the token, hex (`secretId`). */
export interface EditorToken {
  readonly id: string;
  readonly kind: 'book' | 'reader';
  readonly itemId: string;
  readonly userId: string;
  readonly language: Language;
  readonly expiresAt: number;
}

/** Who `--as` can be. The record's id is the persona's name. */
export interface PersonaRecord {
  readonly id: string;
  readonly userId: string;
  /** One sentence on what this persona is for. */
  readonly about: string;
}
