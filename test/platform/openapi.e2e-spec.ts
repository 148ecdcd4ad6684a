import { openApiDocument } from '../../src/bootstrap/openapi/openapi-document';
import type { Json } from '../support/http/api';
import { expand, refsIn, resolve } from '../support/http/json-schema';
import { readDocument, writeDocument } from '../support/http/openapi-file';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const committed = readDocument();
const ERROR = '#/components/schemas/Error';

const operations: [name: string, operation: Json, method: string, path: string][] = Object.entries<Json>(
  committed.paths,
).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]): [string, Json, string, string] => [
    `${method.toUpperCase()} ${path}`,
    operation,
    method,
    path,
  ]),
);

const responsesOf = (operation: Json): [status: string, response: Json][] =>
  Object.entries<Json>(operation.responses).map(([status, response]) => [
    status,
    expand(committed, response),
  ]);

const parametersOf = (operation: Json): Json[] =>
  (operation.parameters ?? []).map((parameter: Json) => expand(committed, parameter));

const webhooks: Json[] = Object.values<Json>(committed.webhooks).map(({ post }) => post);

const schemeOf = (operation: Json): string | undefined => Object.keys(operation.security?.[0] ?? {})[0];

describe('openapi.json', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await sharedTestApp();
  });

  afterAll(() => test.close());

  it('equals the document that the application generates (npm run docs:openapi updates it)', async () => {
    const document: Json = openApiDocument(test.app);
    if (process.env.WRITE_DOCUMENTS) writeDocument(document);
    else expect(committed).toEqual(document);
    const served = await test.api.get('/docs-json');
    expect(served.body).toEqual(document);
  });

  it('is an OpenAPI 3 document of version 4.0 without dangling references', () => {
    expect(committed.openapi).toMatch(/^3\.1\.\d$/);
    expect(committed.info).toMatchObject({ title: 'Video call queue', version: '4.0' });
    expect(refsIn(committed).length).toBeGreaterThan(100);
    for (const ref of refsIn(committed)) expect(resolve(committed, ref)).toBeDefined();
    const ids = operations.map(([, operation]) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has at most 5,000 bytes per operation and webhook', () => {
    const count = operations.length + Object.keys(committed.webhooks).length;
    expect(JSON.stringify(committed).length / count).toBeLessThanOrEqual(5_000);
  });

  it('leads to the host by which it was opened, whatever its name', () => {
    expect(committed.servers).toEqual([{ url: '/' }]);
  });

  it.each(['/openapi.json', '/docs/openapi.json', '/docs-json'])('is at %s, compressed', async (path) => {
    for (const [encoding, sent] of [
      ['gzip', 'gzip'],
      ['br, gzip;q=0.5', 'gzip'],
      ['identity', null],
      ['gzip;q=0', null],
    ]) {
      const headers = { 'accept-encoding': encoding ?? '', host: 'another.example' };
      const response = await fetch(test.url + path, { headers });
      expect(response.headers.get('content-encoding')).toBe(sent);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(response.headers.get('vary')).toContain('Accept-Encoding');
      expect(await response.json()).toEqual(committed);
    }
    const head = await fetch(test.url + path, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
    expect(Number(head.headers.get('content-length'))).toBeLessThan(JSON.stringify(committed).length / 5);
  });

  it('is shown by a page with a filter, which asks the host by which it was opened', async () => {
    const page = await (await fetch(`${test.url}/docs`)).text();
    const script = await (await fetch(`${test.url}/docs/swagger-ui-init.js`)).text();
    expect(page).not.toContain('localhost');
    expect(script).toMatch(/"filter": true/);
    expect(script).toMatch(/"servers": \[\s*\{\s*"url": "\/"/);
    expect(script).not.toContain(test.url);
  });

  it('marks operations that need no token', () => {
    const open = operations.filter(([, { security }]) => security.length === 0);
    expect(open.map(([, operation]) => operation['x-minimum-role'])).toEqual(open.map(() => undefined));
    expect(open.length).toBeGreaterThan(15);
    expect(webhooks.map(({ security }) => security)).toEqual(webhooks.map(() => []));
  });

  it('sets no length or range limits in responses', () => {
    const sent = [...operations.map(([, { responses }]) => responses), committed.webhooks];
    expect(JSON.stringify(withComponents(sent)).match(/"(max|min)(Length|Items|imum)":/g)).toBeNull();
  });

  // Generated clients require fields that have a default.
  it('has no defaults in request bodies', () => {
    const bodies = operations.map(([, { requestBody }]) => requestBody ?? {});
    expect(JSON.stringify(withComponents(bodies))).not.toContain('"default":');
  });

  it('declares page numbers and counts as integers', () => {
    const numbers = operations
      .flatMap(([, operation]) => parametersOf(operation))
      .filter(({ name }) => name === 'page' || name === 'page_size');
    expect(numbers.length).toBeGreaterThan(10);
    expect(numbers.map(({ schema }) => schema.type)).toEqual(numbers.map(() => 'integer'));
    const meta = Object.values<Json>(committed.components.schemas.PageMeta.properties);
    expect(meta.map(({ type }) => type)).toEqual(meta.map(() => 'integer'));
  });

  it('allows a body with and without the wrapper of its resource', () => {
    const { schema } = committed.paths['/api/v1/tags'].post.requestBody.content['application/json'];
    const flat = { $ref: '#/components/schemas/CreateTagDto' };
    expect(schema).toEqual({
      anyOf: [{ type: 'object', required: ['tag'], properties: { tag: flat } }, flat],
    });
    expect(JSON.stringify(committed)).not.toContain('"oneOf"');
  });

  it('describes exactly the tags that operations use', () => {
    const used = new Set(operations.flatMap(([, operation]) => operation.tags));
    const declared = committed.tags.map(({ name }: Json) => name);
    expect(declared.toSorted()).toEqual([...used].toSorted());
    for (const { description } of committed.tags) expect(description).toMatch(/\S/);
  });

  it('uses both authentication schemes', () => {
    const schemes = operations.map(([, operation]) => schemeOf(operation));
    expect(schemes).toEqual(expect.arrayContaining(['access_token', 'websocket_token', undefined]));
    expect(Object.keys(committed.components.securitySchemes).toSorted()).toEqual([
      'access_token',
      'websocket_token',
    ]);
  });

  it('requires only properties that exist', () => {
    for (const [name, schema] of Object.entries<Json>(committed.components.schemas)) {
      const unknown = (schema.required ?? []).filter((key: string) => !(key in schema.properties));
      expect([name, unknown]).toEqual([name, []]);
    }
  });

  describe.each(operations)('%s', (_name, operation, method, path) => {
    it('has a summary, a tag and one success response', () => {
      expect(operation.summary).toEqual(expect.any(String));
      expect(operation.tags).toHaveLength(1);
      // A partial response (206) has the same content as the complete one.
      const successes = responsesOf(operation).filter(([status]) => status < '300' && status !== '206');
      expect(successes).toHaveLength(1);
      const [status, response] = successes[0] ?? ['', {}];
      expect(response.description).not.toBe('');
      // The tus protocol transfers its data in headers.
      const hasNoBody = status === '204' || path.includes('/recording/tus');
      expect(Object.keys(response.content ?? {}).length > 0).toBe(!hasNoBody);
    });

    it('documents the schema and an example of every error response', () => {
      const isLimited = operation['x-rate-limit'] !== 'none';
      expect('429' in operation.responses).toBe(isLimited);
      expect(operation.responses).toHaveProperty('500');
      for (const [status, response] of responsesOf(operation)) {
        if (status < '400') continue;
        const { schema, example } = response.content['application/json'];
        expect([status, schema.$ref]).toEqual([status, ERROR]);
        expect(example.errors.detail).toMatch(/\.$/);
        expect(example.errors.code).toMatch(/^[a-z_]+$/);
      }
    });

    it('declares its parameters', () => {
      const inPath = parametersOf(operation).filter((parameter: Json) => parameter.in === 'path');
      const named = inPath.map((parameter: Json) => `{${parameter.name}}`).toSorted();
      expect(named).toEqual((path.match(/\{\w+\}/g) ?? []).toSorted());
      for (const parameter of parametersOf(operation)) expect(parameter.schema).toBeDefined();
    });

    it('has an example for every field of its body', () => {
      const body = operation.requestBody?.content['application/json'];
      const schemas = body?.example || !body ? [] : [body.schema];
      expect(schemas.flatMap((schema) => withoutExample(schema))).toEqual([]);
    });

    it('requires a token exactly if it declares a security scheme', async () => {
      const address = path.replaceAll(/\{\w*id\}/g, '3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11');
      const answer = await test.api.send(method.toUpperCase(), address.replaceAll(/[{}]/g, ''));
      const scheme = schemeOf(operation);
      expect([scheme, answer.status === 401]).toEqual([scheme, scheme !== undefined]);
      if (scheme) expect(operation.responses).toHaveProperty('401');
      // The plan of the company limits what customers can send; without a token they rate from their own address only.
      const others = ['/api/auth/login', '/api/v1/call/files/{call_id}', '/api/v1/call/evaluate/{call_id}'];
      expect('403' in operation.responses).toBe(scheme === 'access_token' || others.includes(path));
      expect(operation.responses).toHaveProperty(String(answer.status));
    });
  });
});

/** Parts of the document, and the components that they refer to. */
const withComponents = (parts: Json[]): Json[] => [...parts, ...componentsOf(parts)];

/** The components that a part of the document refers to, directly or indirectly. */
function componentsOf(part: Json, found = new Map<string, Json>()): Json[] {
  for (const ref of refsIn(part)) {
    if (found.has(ref)) continue;
    found.set(ref, resolve(committed, ref));
    componentsOf(found.get(ref), found);
  }
  return [...found.values()];
}

function withoutExample(schema: Json, at = 'body'): string[] {
  if (schema.example === undefined && schema.$ref) return withoutExample(resolve(committed, schema.$ref), at);
  if (schema.example !== undefined || schema.type === 'null') return [];
  if (schema.anyOf || schema.allOf) {
    return (schema.anyOf ?? schema.allOf).flatMap((one: Json) => withoutExample(one, at));
  }
  if (schema.properties) {
    return Object.entries<Json>(schema.properties).flatMap(([key, property]) =>
      withoutExample(property, `${at}.${key}`),
    );
  }
  return [at];
}
