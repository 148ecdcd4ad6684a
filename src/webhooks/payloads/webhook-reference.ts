import { Injectable, type OnModuleInit } from '@nestjs/common';
import { getSchemaPath, type OpenAPIObject } from '@nestjs/swagger';
import { OpenApiRegistry } from '../../platform/http/openapi/openapi-registry';
import { WEBHOOK_CATALOGUE } from './webhook-catalogue';
import type { PayloadType } from './webhook-events';

const ENTRIES = Object.entries(WEBHOOK_CATALOGUE) as [PayloadType, (typeof WEBHOOK_CATALOGUE)[PayloadType]][];

const DESCRIPTION =
  'The body is signed (Standard Webhooks 1.0.0). Deliveries are made at least once and may overtake each other.';

const header = (name: string, description: string, example: string | number) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema: { type: typeof example === 'number' ? ('integer' as const) : ('string' as const) },
  example,
});

const HEADERS = [
  header('webhook-id', 'The same over all tries of a delivery', '0d8b6a4e-2c19-4a53-8b6e-7f0a3f5e9c11'),
  header('webhook-timestamp', 'When this try was made, seconds since 1970', 1_769_860_800),
  header(
    'webhook-signature',
    'HMAC-SHA256 over `id.timestamp.body` with the secret, base64, after `v1,`; while several secrets are good, one of ' +
      'each, with a space between them',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

const RESPONSES = {
  '2XX': { description: 'Taken' },
  '410': { description: 'No more is wanted: the webhook is switched off' },
  default: {
    description: 'Not taken, as is no answer: tried again after about 5 s, 5 min, 30 min, 2 h, 5 h and 10 h',
  },
};

/** Tells the OpenAPI document what is sent to webhooks. */
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
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened' },
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

/** Made of the examples of its fields. */
function exampleOf(type: PayloadType, { components }: OpenAPIObject): object {
  const { data, example, timestamp = '2026-01-31T12:00:00.000Z' } = WEBHOOK_CATALOGUE[type];
  const schema = components?.schemas?.[data.name];
  const properties = schema && 'properties' in schema ? (schema.properties ?? {}) : {};
  const fields = Object.entries(properties).map(([name, property]) => [
    name,
    'example' in property ? property.example : undefined,
  ]);
  return { type, timestamp, data: { ...Object.fromEntries(fields), ...example } };
}
