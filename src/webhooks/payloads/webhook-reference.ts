import { Injectable, type OnModuleInit } from '@nestjs/common';
import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { OpenApiRegistry, schemaName } from '../../platform/http/openapi/openapi-registry';
import { WEBHOOK_CATALOGUE } from './webhook-catalogue';
import type { PayloadType } from './webhook-event-types';

const ENTRIES = Object.entries(WEBHOOK_CATALOGUE) as [PayloadType, (typeof WEBHOOK_CATALOGUE)[PayloadType]][];

const DESCRIPTION =
  'The body is signed (Standard Webhooks 1.0.0). Each delivery arrives at least once, in no guaranteed order.';

const header = (name: string, description: string, example: string | number) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: typeof example === 'number' ? ('integer' as const) : ('string' as const) },
  example,
});

const HEADERS = [
  header(
    'webhook-id',
    'The id of the delivery, the same for all attempts',
    '0d8b6a4e-2c19-4a53-8b6e-7f0a3f5e9c11',
  ),
  header(
    'webhook-timestamp',
    'The time of this attempt, in seconds since 1970-01-01T00:00:00Z',
    1_769_860_800,
  ),
  header(
    'webhook-signature',
    'HMAC-SHA256 of `id.timestamp.body` with the secret, as base64 after `v1,`. While several secrets are valid, one ' +
      'signature for each, separated by spaces',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const RESPONSES = {
  '2XX': { description: 'Received' },
  '410': { description: 'Gone: no further deliveries are wanted, so the webhook is disabled' },
  default: {
    description: 'Failed, as without a response: retried after about 5 s, 5 min, 30 min, 2 h, 5 h and 10 h',
  },
};

/** Documents the events and payloads of webhooks in the OpenAPI document. */
@Injectable()
export class WebhookReference implements OnModuleInit {
  constructor(private readonly additions: OpenApiRegistry) {}

  onModuleInit(): void {
    const models = ENTRIES.map(([, { data }]) => data);
    this.additions.register({ models: [...new Set(models)], describe: describeWebhooks });
  }
}

function describeWebhooks(document: OpenAPIObject): void {
  document.webhooks = Object.fromEntries(
    ENTRIES.map(([type]) => [type, { post: operationOf(type, document) }]),
  );
}

function operationOf(type: PayloadType, document: OpenAPIObject) {
  const { summary, data } = WEBHOOK_CATALOGUE[type];
  const properties = {
    type: { type: 'string', enum: [type] },
    timestamp: { type: 'string', format: 'date-time', description: 'When the event occurred' },
    data: { $ref: getSchemaPath(data) },
  };
  const schema = { type: 'object', required: Object.keys(properties), properties };
  return {
    operationId: `Webhook_${type.replace('.', '_')}`,
    tags: ['Webhooks'],
    summary,
    description: DESCRIPTION,
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: exampleOf(type, document) } },
    },
    responses: RESPONSES,
    security: [],
  };
}

/** The example is built from the examples of the fields. */
function exampleOf(type: PayloadType, document: OpenAPIObject): object {
  const { data, example, timestamp = '2026-01-31T12:00:00.000Z' } = WEBHOOK_CATALOGUE[type];
  return { type, timestamp, data: exampleOfSchema(data.name, document, example) };
}

type Fields = Record<string, unknown>;

/** @param changes fields that differ; objects among them are merged with the example of their own class */
function exampleOfSchema(name: string, document: OpenAPIObject, changes: Fields = {}): Fields {
  const schema = document.components?.schemas?.[name];
  const properties = schema && 'properties' in schema ? (schema.properties ?? {}) : {};
  const fields = Object.entries(properties).map(([field, property]) => {
    const nested = 'allOf' in property ? property.allOf?.[0] : undefined;
    if (nested && '$ref' in nested) {
      return [field, exampleOfSchema(schemaName(nested.$ref), document, changes[field] as Fields)];
    }
    const example: unknown = 'example' in property ? property.example : undefined;
    return [field, field in changes ? changes[field] : example];
  });
  return Object.fromEntries(fields) as Fields;
}
