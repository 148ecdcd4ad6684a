import type { Json } from './api';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** What a $ref of the document points to; throws for one that leads nowhere. */
export function resolve(document: Json, ref: string): Json {
  const found = ref
    .replace(/^#\//, '')
    .split('/')
    .reduce((node, key) => node?.[key.replaceAll('~1', '/')], document);
  if (found === undefined) throw new Error(`${ref} leads nowhere`);
  return '$ref' in found ? resolve(document, found.$ref) : found;
}

/** A part of the document, or the component that it refers to with the keys beside the $ref. */
export function expand(document: Json, { $ref, ...part }: Json): Json {
  return $ref ? { ...resolve(document, $ref), ...part } : part;
}

/** Every $ref of the document. */
export const refsIn = (document: Json): string[] =>
  [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref ?? '');

/**
 * What is wrong with a value by its schema, each fault with its place. Stricter than JSON Schema: a key
 * that the schema does not name is a fault, too.
 */
export function faults(document: Json, schema: Json, value: Json, at = '$'): string[] {
  if (schema.$ref) return faults(document, resolve(document, schema.$ref), value, at);
  if (schema.allOf) return faults(document, merged(document, schema.allOf), value, at);
  const choices: Json[] | undefined = schema.oneOf ?? schema.anyOf;
  if (choices) {
    const tries = choices.map((one) => faults(document, one, value, at));
    return tries.some((found) => found.length === 0) ? [] : tries.flat();
  }
  const found = ownFaults(schema, value).map((fault) => `${at} ${fault}`);
  if (Array.isArray(value)) {
    if (schema.items)
      value.forEach((item, i) => found.push(...faults(document, schema.items, item, `${at}[${i}]`)));
  } else if (schema.properties && typeof value === 'object' && value !== null) {
    for (const key of schema.required ?? []) if (!(key in value)) found.push(`${at}.${key} is missing`);
    for (const [key, item] of Object.entries(value)) {
      const property = schema.properties[key];
      if (property) found.push(...faults(document, property, item, `${at}.${key}`));
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

function ownFaults(schema: Json, value: Json): string[] {
  const kinds: string[] = [schema.type ?? []].flat();
  const found: string[] = [];
  if (kinds.length > 0 && !kinds.some((kind) => isOf(kind, value)))
    found.push(`is no ${kinds.join(' or ')}: ${value}`);
  if ('const' in schema && value !== schema.const) found.push(`is not ${schema.const}`);
  if (value === null) return found;
  if (schema.enum && !schema.enum.includes(value)) found.push(`is none of ${schema.enum}: ${value}`);
  if (value < schema.minimum || value > schema.maximum) found.push(`is out of range: ${value}`);
  if (schema.format === 'uuid' && !UUID.test(value)) found.push(`is no uuid: ${value}`);
  if (schema.format === 'date-time' && !MOMENT.test(value)) found.push(`is no moment: ${value}`);
  return found;
}

function isOf(kind: string, value: Json): boolean {
  if (kind === 'null') return value === null;
  if (kind === 'array') return Array.isArray(value);
  if (kind === 'integer') return Number.isInteger(value);
  if (kind === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === kind;
}
