/** The storage interface of the OAuth endpoints. */

/** A registered application (service-api-v1.md, "Registration"). */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
  readonly callbackUrl: string;
  readonly suspended: boolean;
}

/** A user to choose from on the consent page. */
export interface Persona {
  readonly name: string;
  readonly userId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly organization: { readonly name: string; readonly type: string };
  /** One sentence on what this persona is for. */
  readonly about: string;
}

/** The authorization that a temporary code can be exchanged for. */
export interface CodeGrant {
  readonly clientId: string;
  readonly userId: string;
  /** The address that the code was sent to. */
  readonly redirectUri: string;
  readonly state: string | undefined;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

export interface OAuthRecords {
  client(id: string): OAuthClient | undefined;
  personas(): readonly Persona[];
  /** Stores only a digest of the code. */
  saveCode(code: string, grant: CodeGrant): void;
  /**
   * If `accept` returns true for the code's grant, removes the code and stores a digest of the token in one transaction.
   * @returns the grant, or undefined when the code is unknown or was not accepted
   */
  exchange(code: string, accept: (grant: CodeGrant) => boolean, token: string): CodeGrant | undefined;
}
