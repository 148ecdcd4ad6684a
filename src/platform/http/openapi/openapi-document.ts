import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { OpenApiRegistry } from './openapi-registry';
import { describeFailures, ERROR_SCHEMA, type Operation } from './openapi-failures';
import { describeRateLimit, RATE_LIMIT_COMPONENTS } from './openapi-rate-limits';

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete'] as const;

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

const DESCRIPTION = `Multi-tenant queue of video calls. Successful answers carry their payload under \`data\`, lists add \`meta\`;
every failure has the shape \`Error\`. \`x-rate-limit\` names the allowance that an operation draws on. The socket is described in
[/docs/asyncapi.yaml](/docs/asyncapi.yaml).`;

const TENANT_HEADER = {
  name: 'X-Tenant',
  in: 'header' as const,
  required: false,
  description: 'Slug, name or id of the tenant; another one than the token’s is refused with 403',
  schema: { type: 'string' as const, example: 'padaria-central' },
};

/** The OpenAPI document: what the decorators say, and what all operations have in common. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const additions = app.get(OpenApiRegistry, { strict: false }).all;
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Video call queue')
    .setDescription(DESCRIPTION)
    .setVersion('4.0')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'access_token of a login' },
      'access_token',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'websocket_token of a join' },
      'websocket_token',
    )
    .addTag('Signup', 'For companies')
    .addTag('Authentication', 'For staff: tokens')
    .addTag('Tenant', 'Settings of the company, and its logo')
    .addTag('Sessions', 'For staff: where one is logged in')
    .addTag('Multi-factor authentication', 'For staff: the second factor')
    .addTag('Users', 'The staff of a tenant')
    .addTag('Departments', 'Agents and their queues')
    .addTag('Access links', 'The way into a queue')
    .addTag('Customer', 'Without a login: join, wait, rate')
    .addTag('Calls', 'For staff: list, assign, start, complete; tags, files and notes of a call')
    .addTag('Recordings', 'Of calls: upload, resumable too, play, and what was said')
    .addTag('Customers', 'The people who call, as the company knows them')
    .addTag('Appointments', 'Of agents with customers, who come by a link')
    .addTag('Tags', 'Words that calls are sorted by, as a tree')
    .addTag('Webhooks', 'Addresses that the company is told at what happens, and what was told')
    .addTag('Analytics', 'What the calls of a period add up to')
    .addTag('Export', 'Whole lists as CSV')
    .addTag('Audit', 'Who did what')
    .addTag('Billing', 'The plan and what is used of it')
    .addTag('Payment gateway', 'Notifications that activate a plan')
    .addTag('Operations', 'For orchestrators')
    .addTag('Reference', 'Machine-readable contracts')
    .build();
  const document = SwaggerModule.createDocument(app, builder, {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
    extraModels: additions.flatMap(({ models }) => models),
  });
  const schemas = { ...document.components?.schemas, Error: ERROR_SCHEMA } as Schemas;
  document.components = { ...document.components, schemas, headers: RATE_LIMIT_COMPONENTS };
  for (const addition of additions) addition.describe(document);
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = path[method];
      if (!operation) continue;
      describeAccess(operation);
      describeIds(operation);
      describeBody(operation, schemas);
      describeFailures(operation);
      describeRateLimit(operation);
      describeSuccess(operation);
    }
  }
  requireAnswered(document, schemas);
  return document;
}

function describeAccess(operation: Operation): void {
  const role = (operation as { 'x-minimum-role'?: string })['x-minimum-role'];
  if (!role) return;
  operation.description = `Minimum role: ${role}.`;
  operation.parameters = [...(operation.parameters ?? []), TENANT_HEADER];
}

/** What IdParam demands of a path's ids. */
function describeIds({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    if ('$ref' in parameter || parameter.in !== 'path' || !/^(\w+_)?id$/.test(parameter.name)) continue;
    parameter.schema = { type: 'string', format: 'uuid' };
  }
}

/** A body in which nothing is required may be left out. */
function describeBody({ requestBody }: Operation, schemas: Schemas): void {
  if (!requestBody || '$ref' in requestBody) return;
  const schema = requestBody.content['application/json']?.schema;
  if (!schema || !('$ref' in schema)) return;
  const body = schemas[nameOf(schema.$ref)];
  if (body && !('$ref' in body) && !body.required?.length) requestBody.required = false;
}

function describeSuccess({ responses }: Operation): void {
  for (const [status, response] of Object.entries(responses)) {
    if (response && !('$ref' in response)) response.description ||= status === '204' ? 'Done' : 'Success';
  }
}

/**
 * Answers, and what is sent to webhooks, never leave a field out: what has no value is null. Fields of bodies may be
 * left out.
 */
function requireAnswered({ paths, webhooks }: OpenAPIObject, schemas: Schemas): void {
  const operations = Object.values(paths).flatMap((path) => METHODS.map((method) => path[method]));
  const taken = reachable(
    operations.map((operation) => operation?.requestBody),
    schemas,
  );
  const answered = reachable([...operations.map((operation) => operation?.responses), webhooks], schemas);
  for (const name of answered) {
    const schema = schemas[name];
    if (name === 'Error' || taken.has(name) || !schema || '$ref' in schema || !schema.properties) continue;
    schema.required = Object.keys(schema.properties);
  }
}

function reachable(value: unknown, schemas: Schemas, found = new Set<string>()): Set<string> {
  for (const [, ref = ''] of JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)) {
    const name = nameOf(ref);
    if (found.has(name)) continue;
    found.add(name);
    reachable(schemas[name] ?? {}, schemas, found);
  }
  return found;
}

const nameOf = (ref: string): string => ref.replace('#/components/schemas/', '');

/** Serves the interactive reference at /docs and the document at /docs-json. */
export function serveOpenApi(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'docs-json',
    swaggerOptions: { persistAuthorization: true },
    customSiteTitle: 'Video call queue API',
  });
}
