/** The records of the bundled service. Times are milliseconds since the epoch, days are `yyyy-MM-dd` in UTC. */
import type { Language, OrganizationType } from '../../contract/shared.js';
import type { Subscription as ShownSubscription } from '../../contract/subscriptions.js';
import type { Answer } from '../../contract/vocabulary.js';

/** A type alias, because interfaces are not assignable to the index signatures of response types. */
export type Permission = { readonly resource: string; readonly operation: string };

interface Stored {
  readonly id: string;
}

export interface Imported extends Stored {
  /** Differences between the exported item and our response to it (`import-overrides.ts`). */
  readonly shown?: string;
}

/** A record that responses show as it is, and the organization that it belongs to. @typeParam F the shape of a response */
export type Owned<F> = Imported & Readonly<Answer<F>> & { readonly organizationId: string };

export interface Organization extends Imported {
  readonly type: OrganizationType;
  readonly name: string;
  /** The distributor that created it; null for a distributor. */
  readonly ownerId: string | null;
  readonly country: string | null;
  readonly city: string | null;
}

export interface Role extends Imported {
  readonly organizationId: string;
  readonly name: string;
  readonly permissions: readonly Permission[];
  /** Users have this role, but the export's list of roles does not contain it. */
  readonly unlisted?: true;
}

/** A user of an organization, or an end user, who belongs to none. */
export interface User extends Imported {
  readonly kind: 'user' | 'endUser';
  /** Unique, ignoring case, but in an import. Responses show an end user's only once `verified`. Null for an anonymized end user. */
  readonly email: string | null;
  readonly verified: boolean;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: Language;
  readonly avatarUrl: string | null;
  readonly organizationId: string | null;
  readonly creatorId: string;
  readonly roleIds: readonly string[];
  readonly anonymized: boolean;
  /** The account that made the export, if the export's list of users does not contain it. */
  readonly unlisted?: true;
  readonly shownAsAccount?: string;
}

export interface PageSettings {
  readonly indexPageNumber: number | null;
  readonly pageNumberOffset: number | null;
}

export interface Material extends Imported {
  readonly ean: string;
  readonly title: string;
  /** A key of the vocabulary's `subjects`. */
  readonly subjectId: string;
  readonly organizationId: string;
  readonly creatorId: string;
  readonly language: Language;
  readonly coverFileId: string | null;
  readonly pdfFileId: string | null;
  readonly enabled: boolean;
  readonly pdfEncrypted: boolean;
  readonly encryptedAt?: number;
  readonly settings: PageSettings;
}

export interface Book extends Material {
  /** Null only in an import. */
  readonly year: number | null;
  readonly level: string | null;
  readonly series: string | null;
  readonly secondSubjectId: string | null;
  /** A key of the vocabulary's `types`. */
  readonly type: string;
  readonly layoutType: 'SPREADS' | 'PAGES';
}

export interface Reader extends Material {
  /** Null only in an import. */
  readonly pdfDownloadable: boolean | null;
}

export interface StoredFile extends Stored {
  readonly organizationId: string;
  readonly fileType: 'Audio' | 'Document' | 'Image' | 'Video';
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  /** Detected from the first bytes. */
  readonly format: 'pdf' | 'jpeg' | 'png' | 'other';
  /** Name of the blob in `store.blobs`; several files may share one. */
  readonly blob: string;
}

export interface Expiration {
  readonly type: 'Days' | 'Date';
  readonly days: number | null;
  readonly date: string | null;
}

export interface Licence extends Imported {
  readonly name: string;
  /** Lowercase letters and digits, unique over all organizations. Null only in an import. */
  readonly code: string | null;
  readonly type: 'Books' | 'Teacher';
  readonly bookIds: readonly string[];
  /** Null only for Teacher licences. */
  readonly expiration: Expiration | null;
  readonly maximumActivations: number;
  /** Number of `Activation` records. Code that inserts activations updates it. */
  readonly numberOfActivations: number;
  /** The organization it belongs to, which may read it. */
  readonly ownerId: string;
  /** The organization that created it, which may list, change, cancel and delete it. */
  readonly creatorId: string;
  /** A key of the vocabulary's `categories`; null only in an import. */
  readonly categoryId: string | null;
  readonly cancelled: boolean;
  /** The service showed its activations to the organization that created it, although another one owns it. */
  readonly creatorReads?: true;
}

/** One for each licence and user; more only in an import. */
export interface Activation extends Imported {
  readonly licenceId: string;
  readonly userId: string;
  readonly createdAt: number;
  /** Null: never. */
  readonly expiresAt: number | null;
  /** The export names the user in the licence, but lists no such activation. */
  readonly unlisted?: true;
}

/** Code that inserts `SubscriptionUse` records updates `numberOfActivations`. */
export interface Subscription extends Owned<typeof ShownSubscription> {
  readonly creatorId: string;
}

export interface SubscriptionUse extends Stored {
  readonly subscriptionId: string;
  readonly userId: string;
  readonly createdAt: number;
}

export interface Class extends Imported {
  readonly name: string;
  readonly code: string;
  readonly subjectId: string;
  readonly schoolId: string;
  readonly createdAt: number;
  readonly deactivatedAt: number | null;
}

export interface ClassMember extends Stored {
  readonly classId: string;
  readonly userId: string;
}

export interface Modification extends Stored {
  readonly userId: string;
  readonly creatorId: string;
  readonly at: number;
  readonly day: string;
  readonly field: string;
  readonly oldValue: string | null;
  readonly newValue: string | null;
  readonly byUserId: string;
}

/** The last login of a user on one device type. Its id is `<userId>/<device>`. */
export interface Login extends Stored {
  readonly userId: string;
  readonly device: 'iPad' | 'web';
  readonly at: number;
}

/** Its id is the SHA-256 of the token, hex (`secretId`). */
export interface AccessToken extends Stored {
  readonly userId: string;
  /** Null for a persona's fixed token. */
  readonly clientId: string | null;
  readonly createdAt: number;
  /** Null: never. */
  readonly expiresAt: number | null;
}

export interface OAuthClient extends Stored {
  readonly secret: string;
  readonly name: string;
  readonly callbackUrl: string;
  readonly suspended: boolean;
}

/** A temporary code, removed when it is exchanged. Its id is the SHA-256 of the code, hex (`secretId`). */
export interface AuthorizationCode extends Stored {
  readonly clientId: string;
  readonly userId: string;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly expiresAt: number;
}

/** Opens the editor once. Its id is the SHA-256 of the token, hex (`secretId`). */
export interface EditorToken extends Stored {
  readonly kind: 'book' | 'reader';
  readonly itemId: string;
  readonly expiresAt: number;
}

/** An e-mail that the service sent: "the new user receives an e-mail containing a random password". */
export interface Email extends Stored {
  /** ISO 8601, by the service's clock. */
  readonly at: string;
  readonly to: string;
  readonly userId: string;
  readonly language: Language;
  readonly password: string;
}

/** A persona of `--as`. Its id is the persona's name. */
export interface PersonaRecord extends Stored {
  readonly userId: string;
  readonly about: string;
}
