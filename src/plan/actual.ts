/** The state of the service as far as a plan needs it. */
import type { Language, OrganizationType } from '../contract/shared.js';

export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface ActualOrganization extends Named {
  readonly type: OrganizationType;
  /** Set for a school. */
  readonly country?: string;
  readonly city?: string;
  /** Undefined if they were not read. */
  readonly roles?: readonly Named[] | undefined;
}

export interface OrganizationRef {
  readonly id: string;
  readonly type: OrganizationType;
}

export interface ActualUser {
  readonly id: string;
  readonly email: string | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly language: string;
  readonly organization: OrganizationRef;
  readonly roles: readonly Named[];
}

/** An active class. */
export interface ActualClass {
  readonly id: string;
  readonly name: string;
  readonly subjectId: string;
  /** Blank if the class was read by ID, because that response has no school. */
  readonly schoolId: string;
  readonly users: readonly string[];
}

export interface ActualExpiration {
  readonly type: string;
  readonly days: number | null;
  readonly date: string | null;
}

export interface ActualBookOfLicense {
  readonly id: string;
  readonly ean: string;
}

export interface ActualLicense {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly type: string;
  readonly books: readonly ActualBookOfLicense[];
  readonly expiration: ActualExpiration | null;
  readonly maximumActivations: number;
  readonly numberOfActivations: number;
  readonly organization: OrganizationRef;
  readonly licenseCategory: string | null;
  /** IDs of users who hold it, from `endUsers` and, where they were read, from its activations. */
  readonly holders: readonly string[];
}

/** A book or reader. */
export interface ActualPublication {
  readonly id: string;
  readonly ean: string;
  readonly title: string;
  readonly subjectId: string;
  readonly typeName: string;
  readonly organization: OrganizationRef;
  /** Undefined if the list does not contain them. */
  readonly settings: { readonly indexPageNumber: number | null; readonly pageNumberOffset: number | null } | undefined;
  /** Set for a book. */
  readonly year?: number;
  readonly level?: string | null;
  readonly series?: string | null;
  /** Set for a reader. */
  readonly pdfDownloadable?: boolean;
}

export interface Actual {
  /** The caller's organization. */
  readonly own: OrganizationRef;
  /** The caller's organization and those that it owns. */
  readonly organizations: readonly ActualOrganization[];
  /** Language of names, and default language of new users. */
  readonly language: Language;
  readonly subjects: readonly Named[];
  /** Users of the organizations that were read. */
  readonly users: readonly ActualUser[];
  /** IDs of people who were looked up individually, by lower-case e-mail address; undefined for an unknown address. */
  readonly elsewhere: ReadonlyMap<string, string | undefined>;
  readonly classes: readonly ActualClass[];
  /** Schools whose classes cannot be listed, with the service's reason. */
  readonly hiddenSchools: ReadonlyMap<string, string>;
  readonly licenses: readonly ActualLicense[];
  readonly books: readonly ActualPublication[];
  readonly readers: readonly ActualPublication[];
}
