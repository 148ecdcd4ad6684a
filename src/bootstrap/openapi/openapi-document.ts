import { gzipSync } from 'node:zlib';
import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { describeFailures, ERROR_SCHEMA, FAILURE_RESPONSES } from './openapi-failures';
import { operationsOf } from './openapi-operation';
import { describeRateLimit, RATE_LIMIT_COMPONENTS } from './openapi-rate-limits';
import { OpenApiRegistry } from '../../platform/http/openapi/openapi-registry';
import { describeAnswers, describeDefaults, type Schemas } from './openapi-schemas';
import { describeAccess, describeBody, describeIds, describeSuccess } from './operation-defaults';

const DESCRIPTION = `Multi-tenant queue of video calls. The events of the socket are described in
[/docs/asyncapi.yaml](/docs/asyncapi.yaml).

### Answers

- Success: the payload is under \`data\`; lists add \`meta\`.
- Failure: the shape \`Error\` from every layer. It names at most 20 invalid fields.
- \`x-rate-limit\` of an operation names its rate limit policy.

### Bodies

- Unknown fields are dropped, and so are those of the resource's own answer. With an access token a field that is nearly a known
  one is answered with 422 \`unknown_field\`: at most two edits away (one for names of at most four letters), or one name is the
  beginning of the other. Case, \`_\` and \`-\` do not matter.
- A JSON body has at most 16 KiB at public operations and logins, 256 KiB for a batch of access links, and 128 KiB elsewhere. It has
  at most one value for each 64 bytes of that; an object has at most 1000 keys, an array 1000 items.
- More than 256 KiB a second of bodies above 16 KiB from one address are answered with 429.

### Queries

- An unknown parameter of a list, an export, a report or the choice of a recording is answered with 400.
- A wrong method is answered with 405.`;

const TAGS = {
  Signup: 'Registration of companies',
  Authentication: 'Login, token refresh and password reset of staff',
  Tenant: 'Settings and logo of the company',
  Sessions: 'Devices and browsers that a staff member is logged in with',
  'Multi-factor authentication': 'The second factor of staff',
  Users: 'The staff of a tenant',
  Departments: 'Groups of agents with one queue each',
  Skills: 'What agents can do, and what calls through a link require',
  'Access links': 'Links through which customers join a queue',
  Customer: 'For customers, without a login: join, wait, rate',
  Calls: 'For staff: list, assign, start and complete calls; their tags, files and notes',
  Agents: 'The states of agents: available, paused, wrapping up, on a call',
  Offers: 'Waiting calls that the service offers to agents',
  Recordings: 'Recordings of calls: upload (also resumable), playback, transcript and summary',
  Customers: 'The customers of the company: details, history, duplicates, personal data',
  Appointments: 'Appointments of agents with customers, who join through a link',
  Tags: 'Labels of calls, in a tree',
  'Canned replies': 'Texts of the company for notes and chat messages',
  Webhooks: 'Addresses that are notified of events, and their deliveries',
  Analytics: 'Figures of the calls of a period',
  Export: 'Complete lists as CSV',
  Audit: 'Who changed what',
  Billing: 'The plan of the company and its usage',
  'Payment gateway': 'Payment notifications that activate a plan',
  Operations: 'Health checks',
  Reference: 'Machine-readable API descriptions',
};

/** The OpenAPI 3.1 document: the routes as their decorators describe them, and what all operations have in common. */
export function openApiDocument(app: INestApplication): OpenAPIObject {
  const extensions = app.get(OpenApiRegistry, { strict: false }).all;
  const document = SwaggerModule.createDocument(app, openApiBasis(), {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
    extraModels: extensions.flatMap(({ models }) => models),
  });
  const schemas = { ...document.components?.schemas, Error: ERROR_SCHEMA } as Schemas;
  document.components = {
    ...document.components,
    schemas,
    responses: FAILURE_RESPONSES,
    headers: RATE_LIMIT_COMPONENTS,
  };
  for (const extension of extensions) extension.describe(document);
  for (const operation of operationsOf(document.paths)) {
    describeAccess(operation);
    describeIds(operation);
    describeBody(operation, schemas);
    describeFailures(operation);
    describeRateLimit(operation);
    describeSuccess(operation);
  }
  describeAnswers(document, schemas);
  describeDefaults(document, schemas);
  return document;
}

function openApiBasis(): Omit<OpenAPIObject, 'paths'> {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Video call queue')
    .setDescription(DESCRIPTION)
    .setVersion('4.0')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    // The host by which the document was opened: a service can have several names.
    .addServer('/')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'access_token of a login' },
      'access_token',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'websocket_token of a join' },
      'websocket_token',
    );
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  return builder.build();
}

/** The addresses at which tools look for the document. */
const ADDRESSES = ['/openapi.json', '/docs/openapi.json', '/docs-json'];

/** Serves the interactive reference at /docs, and the document beside it, compressed for clients that take it so. */
export function serveOpenApi(app: INestApplication): void {
  let document: OpenAPIObject | undefined;
  const getDocument = () => (document ??= openApiDocument(app));
  SwaggerModule.setup('docs', app, getDocument, {
    raw: ['yaml'],
    swaggerOptions: { persistAuthorization: true, filter: true },
    customSiteTitle: 'Video call queue API',
  });
  let json: EncodedJson | undefined;
  const send = (request: Request, response: Response): void => {
    json ??= encode(getDocument());
    const isCompressed = request.acceptsEncodings('gzip') !== false;
    response.vary('Accept-Encoding');
    if (isCompressed) response.set('Content-Encoding', 'gzip');
    response.type('json').send(isCompressed ? json.gzip : json.plain);
  };
  for (const address of ADDRESSES) app.getHttpAdapter().get(address, send);
}

interface EncodedJson {
  plain: Buffer;
  gzip: Buffer;
}

function encode(document: OpenAPIObject): EncodedJson {
  const plain = Buffer.from(JSON.stringify(document));
  return { plain, gzip: gzipSync(plain) };
}
