/** docs/openapi.json, and validators for its schemas. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { getOrSet } from '../../src/core/maps.js';

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape is walked
export type Node = any;

export const openapi: Node = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8'));
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(openapi, 'openapi');

const compiled = new Map<string, ValidateFunction>();

type Path = readonly (string | number)[];

/** The schema at this place of the document, as a function that checks a value. */
export function validator(...path: Path): ValidateFunction {
  const pointer = path.map((part) => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1')));
  return getOrSet(compiled, pointer.join('/'), () => ajv.compile({ $ref: `openapi#/${pointer.join('/')}` }));
}

const at = (path: Path): Node => path.reduce((found: Node, name) => found?.[name], openapi);

/** The place that a place with a reference refers to. */
export function resolved(...path: Path): Path {
  const reference = at(path)?.$ref;
  return reference === undefined ? path : resolved(...reference.slice(2).split('/'));
}

/** The node at a place, with its reference resolved. */
export const nodeAt = (...path: Path): Node => at(resolved(...path));
