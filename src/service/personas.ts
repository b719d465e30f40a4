/** The personas of the sample data (`--as`). */

/** The first one is the default. */
export const PERSONAS = ['distributor', 'publisher', 'school', 'viewer'] as const;
export type PersonaName = (typeof PERSONAS)[number];

/** The access token of a persona: fixed and well known, because sample data needs no secret. Seeds store it. */
export const personaToken = (name: PersonaName): string => `edu-offline-${name}`;
