/** The personas of the seeds (`--as`) and their access tokens. */

/** The first one is the default. */
export const PERSONAS = ['distributor', 'publisher', 'school', 'viewer'] as const;
export type PersonaName = (typeof PERSONAS)[number];

/** Fixed and public, because sample data needs no secret. Seeds store it. */
export const personaToken = (name: PersonaName): string => `edu-offline-${name}`;
