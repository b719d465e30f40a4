/** The storage interface of the authorization pages. */

/** A registered application (service-api-v1.md, "Registration"). */
export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly secret: string;
  readonly callbackUrl: string;
  readonly suspended: boolean;
}

/** A user that may be chosen on the consent page. */
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

/** What a temporary code stands for. */
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
  /** Keeps what a code stands for, in a way that does not tell the code. */
  saveCode(code: string, grant: CodeGrant): void;
  /**
   * Exchanges a code for a token, both or neither: when `accept` says yes to what the code stands for, the code is
   * spent and the token remembered, in a way that does not tell it.
   * @returns what the code stood for, or undefined when there is none or it was not accepted
   */
  exchange(code: string, accept: (grant: CodeGrant) => boolean, token: string): CodeGrant | undefined;
}
