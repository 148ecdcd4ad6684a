import type { Json } from './api';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Resolves a $ref of the document. @throws Error if its target does not exist */
export function resolve(document: Json, ref: string): Json {
  const found = ref
    .replace(/^#\//, '')
    .split('/')
    .reduce((node, key) => node?.[key.replaceAll('~1', '/')], document);
  if (found === undefined) throw new Error(`${ref} does not exist`);
  return '$ref' in found ? resolve(document, found.$ref) : found;
}

/** As resolve, for the schema of a record: one that consists of several (allOf) is one with all their fields. */
export function resolveRecord(document: Json, ref: string): Json {
  const found = resolve(document, ref);
  return found.allOf ? merged(document, found.allOf) : found;
}

/** Replaces a part of the document that has a $ref by its target, with the other keys of the part added. */
export function expand(document: Json, { $ref, ...part }: Json): Json {
  return $ref ? { ...resolve(document, $ref), ...part } : part;
}

/** All $refs of the document. */
export const refsIn = (document: Json): string[] =>
  [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref ?? '');

/**
 * Validates a value and returns every error with its location. Stricter than JSON Schema: a key that the schema does
 * not name is an error.
 */
export function schemaErrors(document: Json, schema: Json, value: Json, at = '$'): string[] {
  if (schema.$ref) return schemaErrors(document, resolve(document, schema.$ref), value, at);
  if (schema.allOf) return schemaErrors(document, merged(document, schema.allOf), value, at);
  const choices: Json[] | undefined = schema.oneOf ?? schema.anyOf;
  if (choices) {
    const alternatives = choices.map((one) => schemaErrors(document, one, value, at));
    return alternatives.some((found) => found.length === 0) ? [] : alternatives.flat();
  }
  const found = valueErrors(schema, value).map((fault) => `${at} ${fault}`);
  if (Array.isArray(value)) {
    if (schema.items)
      value.forEach((item, i) => found.push(...schemaErrors(document, schema.items, item, `${at}[${i}]`)));
  } else if (schema.properties && typeof value === 'object' && value !== null) {
    for (const key of schema.required ?? []) if (!(key in value)) found.push(`${at}.${key} is missing`);
    for (const [key, item] of Object.entries(value)) {
      const property = schema.properties[key];
      if (property) found.push(...schemaErrors(document, property, item, `${at}.${key}`));
      else found.push(`${at}.${key} is not documented`);
    }
  }
  return found;
}

function merged(document: Json, parts: Json[]): Json {
  const all = parts.map((part) => (part.$ref ? resolve(document, part.$ref) : part));
  return {
    type: 'object',
    required: all.flatMap((part) => part.required ?? []),
    properties: Object.assign({}, ...all.map((part) => part.properties)),
  };
}

function valueErrors(schema: Json, value: Json): string[] {
  const types: string[] = [schema.type ?? []].flat();
  const found: string[] = [];
  if (types.length > 0 && !types.some((type) => hasType(type, value)))
    found.push(`is not ${types.join(' or ')}: ${value}`);
  if ('const' in schema && value !== schema.const) found.push(`is not ${schema.const}`);
  if (value === null) return found;
  if (schema.enum && !schema.enum.includes(value)) found.push(`is not one of ${schema.enum}: ${value}`);
  if (value < schema.minimum || value > schema.maximum) found.push(`is out of range: ${value}`);
  if (schema.format === 'uuid' && !UUID.test(value)) found.push(`is not a UUID: ${value}`);
  if (schema.format === 'date-time' && !TIMESTAMP.test(value)) found.push(`is not a timestamp: ${value}`);
  return found;
}

function hasType(type: string, value: Json): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
