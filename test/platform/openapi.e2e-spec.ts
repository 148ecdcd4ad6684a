import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../../src/platform/http/openapi/openapi-document';
import type { Json } from '../support/http/api';
import { refsIn, resolve } from '../support/http/json-schema';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const FILE = join(__dirname, '..', '..', 'openapi.json');
const NOTHING = { paths: { '/': { get: {} } } };
const committed: Json = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : NOTHING;
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

const schemeOf = (operation: Json): string | undefined => Object.keys(operation.security?.[0] ?? {})[0];

describe('openapi.json', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await sharedTestApp();
  });

  afterAll(() => test.close());

  it('is what the application says of itself (npm run docs:openapi writes it)', async () => {
    const document: Json = JSON.parse(JSON.stringify(openApiDocument(test.app)));
    if (process.env.WRITE_DOCUMENTS) writeFileSync(FILE, `${JSON.stringify(document, null, 2)}\n`);
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

  it('says of every group of operations what it is, and of no other', () => {
    const used = new Set(operations.flatMap(([, operation]) => operation.tags));
    const declared = committed.tags.map(({ name }: Json) => name);
    expect(declared.toSorted()).toEqual([...used].toSorted());
    for (const { description } of committed.tags) expect(description).toMatch(/\S/);
  });

  it('uses both kinds of authentication', () => {
    const schemes = operations.map(([, operation]) => schemeOf(operation));
    expect(schemes).toEqual(expect.arrayContaining(['access_token', 'websocket_token', undefined]));
    expect(Object.keys(committed.components.securitySchemes).toSorted()).toEqual([
      'access_token',
      'websocket_token',
    ]);
  });

  it('names only properties that exist among the required ones', () => {
    for (const [name, schema] of Object.entries<Json>(committed.components.schemas)) {
      const unknown = (schema.required ?? []).filter((key: string) => !(key in schema.properties));
      expect([name, unknown]).toEqual([name, []]);
    }
  });

  describe.each(operations)('%s', (_name, operation, method, path) => {
    it('has a summary, a tag and one kind of success', () => {
      expect(operation.summary).toEqual(expect.any(String));
      expect(operation.tags).toHaveLength(1);
      // A part of something (206) is of the same kind as all of it.
      const successes = Object.entries<Json>(operation.responses).filter(
        ([status]) => status < '300' && status !== '206',
      );
      expect(successes).toHaveLength(1);
      const [status, response] = successes[0] ?? ['', {}];
      expect(response.description).not.toBe('');
      // The tus protocol says all it has to say in headers.
      const isBare = status === '204' || path.includes('/recording/tus');
      expect(Object.keys(response.content ?? {})).toHaveLength(isBare ? 0 : 1);
    });

    it('shows the shape and an example of every failure', () => {
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['429', '500']));
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        if (status < '400') continue;
        const { schema, example } = response.content['application/json'];
        expect([status, schema.$ref]).toEqual([status, ERROR]);
        expect(example.errors.detail).toMatch(/\.$/);
        expect(example.errors.code).toMatch(/^[a-z_]+$/);
      }
    });

    it('declares its parameters', () => {
      const inPath = (operation.parameters ?? []).filter((parameter: Json) => parameter.in === 'path');
      const named = inPath.map((parameter: Json) => `{${parameter.name}}`).toSorted();
      expect(named).toEqual((path.match(/\{\w+\}/g) ?? []).toSorted());
      for (const parameter of operation.parameters ?? []) expect(parameter.schema).toBeDefined();
    });

    it('gives an example of every field of its body', () => {
      const body = operation.requestBody?.content['application/json'];
      const schemas = body?.example || !body ? [] : [body.schema];
      expect(schemas.flatMap((schema) => withoutExample(schema))).toEqual([]);
    });

    it('asks for a token exactly if it says so', async () => {
      const address = path.replaceAll(/\{\w*id\}/g, '3f0c2a52-6a53-4d43-9a8e-6f2a2d1a9e11');
      const answer = await test.api.send(method.toUpperCase(), address.replaceAll(/[{}]/g, ''));
      const scheme = schemeOf(operation);
      expect([scheme, answer.status === 401]).toEqual([scheme, scheme !== undefined]);
      if (scheme) expect(operation.responses).toHaveProperty('401');
      expect('403' in operation.responses).toBe(scheme === 'access_token' || path === '/api/auth/login');
      expect(operation.responses).toHaveProperty(String(answer.status));
    });
  });
});

function withoutExample(schema: Json, at = 'body'): string[] {
  if (schema.$ref) return withoutExample(resolve(committed, schema.$ref), at);
  if (schema.oneOf || schema.allOf) {
    return (schema.oneOf ?? schema.allOf).flatMap((one: Json) => withoutExample(one, at));
  }
  if (schema.properties) {
    return Object.entries<Json>(schema.properties).flatMap(([key, property]) =>
      withoutExample(property, `${at}.${key}`),
    );
  }
  return schema.example === undefined ? [at] : [];
}
