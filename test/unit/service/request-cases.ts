import type { Call } from '../../support/bundled-service.js';

export const bearer = (header: string): Call => ({ as: null, headers: { authorization: header } });
export const licence = { name: 'L', type: 'Teacher', maximumActivations: 1 };
export const problems = (json: { fields?: readonly { field: string; message: string }[] }): string[] =>
  (json.fields ?? []).map(({ field, message }) => `${field} ${message}`);
