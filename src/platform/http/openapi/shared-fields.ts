import type { OpenAPIObject } from '@nestjs/swagger';
import { reachable, type Schemas } from './openapi-schemas';

/** A base with fewer fields is not worth a reference. */
const MIN_FIELDS = 10;

interface RecordSchema {
  properties: Record<string, object>;
  required?: string[];
}

interface NamedRecord {
  name: string;
  schema: RecordSchema;
}

/**
 * Payloads of webhooks that have all fields of another payload refer to it (`allOf`), and name only their own fields. Schemas
 * of the operations stay complete: only those can exclude other fields.
 */
export function shareFields(document: OpenAPIObject): OpenAPIObject {
  const schemas: Schemas = document.components?.schemas ?? {};
  const inOperations = reachable(document.paths, schemas);
  const payloads = [...reachable(document.webhooks, schemas)]
    .filter((name) => !inOperations.has(name))
    .flatMap((name) => recordOf(name, schemas[name]))
    .sort((one, other) => sizeOf(one) - sizeOf(other));
  const bases: NamedRecord[] = [];
  for (const payload of payloads) {
    const base = bases.find((candidate) => includesFields(payload, candidate));
    if (base) schemas[payload.name] = extensionOf(payload, base);
    else if (sizeOf(payload) >= MIN_FIELDS) bases.push(payload);
  }
  return document;
}

const sizeOf = ({ schema }: NamedRecord): number => Object.keys(schema.properties).length;

function recordOf(name: string, schema: Schemas[string] | undefined): NamedRecord[] {
  return schema && 'properties' in schema ? [{ name, schema: schema as unknown as RecordSchema }] : [];
}

const includesFields = ({ schema: { properties } }: NamedRecord, base: NamedRecord): boolean =>
  Object.entries(base.schema.properties).every(
    ([field, definition]) => JSON.stringify(properties[field]) === JSON.stringify(definition),
  );

function extensionOf({ schema }: NamedRecord, base: NamedRecord): Schemas[string] {
  const own = Object.entries(schema.properties).filter(([field]) => !(field in base.schema.properties));
  const required = (schema.required ?? []).filter((field) => !base.schema.required?.includes(field));
  const fields = { type: 'object' as const, properties: Object.fromEntries(own), required };
  return { allOf: [{ $ref: `#/components/schemas/${base.name}` }, fields] };
}
