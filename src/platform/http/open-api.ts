import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const ERROR_SCHEMA = {
  type: 'object',
  required: ['errors'],
  properties: {
    errors: {
      type: 'object',
      required: ['detail', 'code'],
      properties: {
        detail: { type: 'string', description: 'A sentence for people.' },
        code: { type: 'string', description: 'A word for programs.' },
        fields: {
          type: 'object',
          description: 'Only on validation errors: what is wrong, by field.',
          additionalProperties: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
};

interface Failure {
  description: string;
  code: string;
  detail: string;
}

const FAILURES: Record<string, Failure> = {
  400: { description: 'Malformed request', code: 'bad_request', detail: 'Bad parameter: id must be a UUID.' },
  401: { description: 'Not authenticated', code: 'unauthenticated', detail: 'Authentication is required.' },
  403: { description: 'Not allowed', code: 'forbidden', detail: 'This needs the role supervisor.' },
  404: { description: 'Not found', code: 'not_found', detail: 'Call not found.' },
  413: {
    description: 'Body too large',
    code: 'payload_too_large',
    detail: 'The request body is larger than this endpoint takes.',
  },
  422: {
    description: 'Invalid data or state',
    code: 'validation_failed',
    detail: 'Some fields are not valid.',
  },
  429: {
    description: 'Too many requests; Retry-After tells the seconds to wait',
    code: 'rate_limited',
    detail: 'Too many requests. Try again in 12 seconds.',
  },
  500: { description: 'Our fault', code: 'internal_error', detail: 'Something went wrong on our side.' },
  503: {
    description: 'Shutting down; Retry-After tells the seconds to wait',
    code: 'unavailable',
    detail: 'The service is restarting. Try again in a moment.',
  },
};

/** The OpenAPI document: what the decorators say, and the failures that every route shares. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Video call queue')
    .setDescription('Multi-tenant queue of video calls. The socket is described in docs/realtime.md.')
    .setVersion('4.0')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'access_token of a login' },
      'access_token',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'websocket_token of a join' },
      'websocket_token',
    )
    .build();
  const document = SwaggerModule.createDocument(app, builder, {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, Error: ERROR_SCHEMA },
  };
  for (const path of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = path[method];
      if (operation) describeFailures(operation);
    }
  }
  return document;
}

/** Adds the failures that follow from what the operation is, and gives each failure its shape. */
function describeFailures(operation: Operation): void {
  const statuses = new Set(['429', '500']);
  const parameters = (operation.parameters ?? []) as { in?: string }[];
  if (operation.security?.length) statuses.add('401').add('403');
  if (parameters.some((parameter) => parameter.in === 'path')) statuses.add('400').add('404');
  if (parameters.some((parameter) => parameter.in === 'query')) statuses.add('400');
  if (operation.requestBody) statuses.add('400').add('413').add('422');
  for (const status of statuses) operation.responses[status] ??= { description: '' };
  for (const [status, response] of Object.entries(operation.responses)) {
    const failure = FAILURES[status];
    if (!failure || !response || '$ref' in response) continue;
    const { code, detail } = failure;
    response.description ||= failure.description;
    response.content = {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: { errors: { detail, code } },
      },
    };
  }
}

/** Serves the interactive reference at /docs and the document at /docs-json. */
export function serveOpenApi(app: INestApplication): void {
  SwaggerModule.setup('docs', app, () => openApiDocument(app), {
    jsonDocumentUrl: 'docs-json',
    swaggerOptions: { persistAuthorization: true },
    customSiteTitle: 'Video call queue API',
  });
}
