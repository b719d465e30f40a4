/** Checks items against the JSON Schema of their resource: the keywords that `schema.ts` writes. */
import { isObject } from '../../core/json.js';

type Schema = Readonly<Record<string, unknown>>;

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The first mismatch: the end of "the item does not match: …". @param at path of the value in messages */
export function mismatch(value: unknown, schema: Schema, at = ''): string | undefined {
  const { type, required, properties, items, pattern } = schema;
  const types = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (types.length > 0 && !types.includes(typeOf(value))) {
    return `${at || 'it'} is ${typeOf(value)}, not ${types.join(' or ')}`;
  }
  if (typeof pattern === 'string' && typeof value === 'string' && !new RegExp(pattern).test(value)) {
    return `${at || 'it'} does not match ${pattern}`;
  }
  const below = at === '' ? '' : `${at}.`;
  if (isObject(value)) {
    const missing = Array.isArray(required) ? required.find((name) => !Object.hasOwn(value, name)) : undefined;
    if (missing !== undefined) return `${below}${missing} is missing`;
    for (const [name, part] of Object.entries(isObject(properties) ? properties : {})) {
      const found = Object.hasOwn(value, name) ? mismatch(value[name], part as Schema, `${below}${name}`) : undefined;
      if (found !== undefined) return found;
    }
  } else if (Array.isArray(value) && isObject(items)) {
    for (const [index, element] of value.entries()) {
      const found = mismatch(element, items, `${at}[${index}]`);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
