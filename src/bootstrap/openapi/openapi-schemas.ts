import type { OpenAPIObject } from '@nestjs/swagger';
import { schemaName } from '../../platform/http/openapi/openapi-registry';
import { operationsOf } from './openapi-operation';

export type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type Schema = Exclude<Schemas[string], { $ref: string }>;

/** Limits that the service checks in requests only. */
const INPUT_LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'] as const;

/**
 * Responses and webhook payloads contain every field, null where there is no value. They have no limits: stored data may
 * be longer than what requests may contain at present.
 */
export function describeAnswers({ paths, webhooks }: OpenAPIObject, schemas: Schemas): void {
  const operations = operationsOf(paths);
  const accepted = reachable(
    operations.map(({ requestBody }) => requestBody),
    schemas,
  );
  const answered = reachable([...operations.map(({ responses }) => responses), webhooks], schemas);
  for (const name of answered) {
    const schema = schemas[name];
    if (name === 'Error' || accepted.has(name) || !isRecord(schema)) continue;
    schema.required = Object.keys(schema.properties);
    for (const property of Object.values(schema.properties)) removeLimits(property as Schema);
  }
}

/**
 * Moves the defaults of request bodies into the descriptions: generated clients require fields that have a default. A
 * field that an update leaves out keeps its value, so updates have no defaults.
 */
export function describeDefaults({ paths }: OpenAPIObject, schemas: Schemas): void {
  const items = Object.values(paths);
  for (const property of fieldsOf(
    items.map(({ put, patch }) => [put?.requestBody, patch?.requestBody]),
    schemas,
  )) {
    delete property.default;
  }
  for (const property of fieldsOf(
    operationsOf(paths).map(({ requestBody }) => requestBody),
    schemas,
  )) {
    if (property.default === undefined) continue;
    const sentence = `Default: ${String(property.default)}`;
    property.description = property.description ? `${property.description}. ${sentence}` : sentence;
    delete property.default;
  }
}

/** The fields of all schemas that a part of the document refers to. */
function fieldsOf(part: unknown, schemas: Schemas): Schema[] {
  const records = [...reachable(part, schemas)].map((name) => schemas[name]).filter(isRecord);
  return records.flatMap(({ properties }) => Object.values(properties) as Schema[]);
}

function removeLimits(schema: Schema): void {
  for (const limit of INPUT_LIMITS) delete schema[limit];
  if (schema.items) removeLimits(schema.items as Schema);
}

function isRecord(
  schema: Schemas[string] | undefined,
): schema is Schema & Required<Pick<Schema, 'properties'>> {
  return schema !== undefined && 'properties' in schema;
}

/** The names of the schemas that a part of the document refers to, directly or through other schemas. */
export function reachable(value: unknown, schemas: Schemas, found = new Set<string>()): Set<string> {
  for (const [, ref = ''] of JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)) {
    const name = schemaName(ref);
    if (found.has(name)) continue;
    found.add(name);
    reachable(schemas[name] ?? {}, schemas, found);
  }
  return found;
}
