import type { Answer, Json } from '../http/api';
import { expand, resolve } from '../http/json-schema';
import { book } from '../contexts/appointments';
import { type Member, someId, TestTenant } from '../builders';
import type { TestApp } from '../test-app';
import { createWebhook } from '../contexts/webhooks';

/** The gateway token with which the application has to be started. */
export const GATEWAY_TOKEN = 'agreed';

/** One operation of the OpenAPI document. */
export interface Operation {
  method: string;
  /** The path in the document, such as /api/v1/users/{id}. */
  path: string;
  /** Names of the path parameters. */
  pathParameters: string[];
  queryParameters: string[];
  /** Whether it has a validated JSON body. */
  hasBody: boolean;
  /** An example of its body; empty if it has none. */
  example: Json;
  isPublic: boolean;
}

/** Every documented operation of the API except for logging out. */
export async function operationsOf(test: TestApp): Promise<Operation[]> {
  return documentedOperations((await test.api.get('/docs-json')).body);
}

/** As `operationsOf`, of a document that has been read already. */
export function documentedOperations(document: Json): Operation[] {
  // Logging out would end the session of the test.
  return allOperations(document).filter(({ path }) => !path.endsWith('/logout'));
}

/** Every documented operation of the API, of a document that has been read already. */
export function allOperations(document: Json): Operation[] {
  const paths = Object.entries<Json>(document.paths).filter(([path]) => path.startsWith('/api/'));
  return paths.flatMap(([path, operations]) =>
    Object.entries<Json>(operations).map(([method, operation]) => {
      const parameters: Json[] = (operation.parameters ?? []).map((parameter: Json) =>
        expand(document, parameter),
      );
      const named = (place: string) =>
        parameters.filter((parameter) => parameter.in === place).map((parameter) => parameter.name);
      const content = operation.requestBody?.content?.['application/json'];
      return {
        method: method.toUpperCase(),
        path,
        pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''),
        queryParameters: named('query'),
        hasBody: content !== undefined,
        example: exampleOf(document, content?.schema),
        isPublic: operation['x-minimum-role'] === undefined,
      };
    }),
  );
}

/** An example body with every field of the schema. */
function exampleOf(document: Json, schema: Json): Json {
  if (!schema) return {};
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref) return exampleOf(document, resolve(document, schema.$ref));
  const choices = schema.anyOf ?? schema.allOf;
  if (choices) return exampleOf(document, choices.at(-1));
  if (schema.type !== 'object') return null;
  return Object.fromEntries(
    Object.entries<Json>(schema.properties ?? {}).map(([name, property]) => [
      name,
      exampleOf(document, property),
    ]),
  );
}

const KIB = 1024;

/** The documented size of the largest JSON body of an operation, in bytes. */
export function maxBodyBytes({ path, isPublic }: Operation): number {
  if (path.startsWith('/api/webhooks/')) return 1024 * KIB;
  if (path === '/api/v1/access-links/batch') return 256 * KIB;
  return isPublic || path.startsWith('/api/auth/') ? 16 * KIB : 128 * KIB;
}

/** The documented number of values of the largest JSON body of an operation. */
export function maxBodyValues(operation: Operation): number {
  if (operation.path === '/api/v1/access-links/batch') return 16_384;
  return Math.min(10_000, maxBodyBytes(operation) / 64);
}

/** Existing records of one tenant, by the kind of path that addresses them. */
export interface TenantRecords {
  owner: Member;
  user: string;
  department: string;
  link: string;
  token: string;
  call: string;
  /** Of the call. */
  websocket_token: string;
  customer: string;
  appointment: string;
  webhook: string;
}

/** Creates one record of each kind. */
export async function createRecords(tenant: TestTenant): Promise<TenantRecords> {
  const { department, link } = await tenant.queue();
  const { call_id, websocket_token } = await tenant.join(link);
  const user = await tenant.member('attendant', [department.id]);
  const customer = await tenant.owner.api.post('/api/v1/customers', { name: 'Walked Over' });
  const times = { starts_at: '2031-01-31T12:00:00.000Z', ends_at: '2031-01-31T12:30:00.000Z' };
  return {
    owner: tenant.owner,
    user: user.id,
    department: department.id,
    link: link.id,
    token: link.token,
    call: call_id,
    websocket_token,
    customer: customer.body.data.id,
    appointment: (await book(tenant, times)).id,
    webhook: (await createWebhook(tenant)).id,
  };
}

/** The path with the ids of existing records. */
export function pathWithIds({ path }: Operation, things: TenantRecords): string {
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    if (name === 'token') return things.token;
    if (name === 'gateway') return 'asaas';
    if (name === 'user_id' || path.startsWith('/api/v1/users')) return things.user;
    if (name === 'department_id' || path.startsWith('/api/v1/departments')) return things.department;
    if (path.startsWith('/api/v1/access-links')) return things.link;
    if (path.startsWith('/api/v1/customers')) return things.customer;
    if (path.startsWith('/api/v1/appointments')) return things.appointment;
    if (name === 'id' && path.startsWith('/api/v1/webhooks')) return things.webhook;
    return path.startsWith('/api/v1/call') ? things.call : someId();
  });
}

/** The path with the same text for every parameter. */
export const pathWithText = ({ path }: Operation, text: string): string => path.replace(/\{\w+\}/g, text);

/** Describes an invalid response: a server error, an error of another shape, or an unexpected status. */
function problemOf(method: string, answer: Answer, expected?: number[]): string | undefined {
  const { status, body, headers } = answer;
  if (status >= 500 || (expected && !expected.includes(status))) {
    return `${status}${expected ? ` instead of ${expected.join(' or ')}` : ''}: ${JSON.stringify(body)}`;
  }
  if (!headers.get('x-request-id')) return 'no X-Request-Id';
  // Responses to HEAD have no body (RFC 9110, 9.3.2).
  if (status < 400 || method === 'HEAD') return undefined;
  const { detail, code, fields, ...rest } = body?.errors ?? {};
  const hasShape =
    Object.keys(body).join() === 'errors' &&
    Object.keys(rest).length === 0 &&
    typeof detail === 'string' &&
    detail.length > 0 &&
    /^[a-z_]+$/.test(code) &&
    Object.values<Json>(fields ?? {}).every(
      (problems) => Array.isArray(problems) && problems.every((problem) => typeof problem === 'string'),
    );
  return hasShape ? undefined : `another shape: ${status} ${JSON.stringify(body)}`;
}

/** Whether the operation needs the token of the customer of a call. */
export const isOfCustomer = (path: string): boolean => /^\/api\/v1\/call\/(callback|files)\//.test(path);

/** Sends invalid requests to many routes and collects the problems of the responses. */
export class RouteWalk {
  readonly problems: string[] = [];
  sent = 0;

  /** @param customerToken for routes that need the token of a customer */
  constructor(
    private readonly test: TestApp,
    private readonly token: string,
    private readonly customerToken?: string,
  ) {}

  /** Sends one request and checks its response. @param what describes the request in the list of problems */
  async send(operation: Operation, path: string, what: string, body?: unknown, expected?: number[]) {
    const request = {
      body,
      headers: { 'asaas-access-token': GATEWAY_TOKEN },
      token: this.tokenFor(operation),
    };
    const problem = problemOf(
      operation.method,
      await this.test.api.send(operation.method, path, request),
      expected,
    );
    this.sent++;
    if (problem) this.problems.push(`${operation.method} ${operation.path} with ${what}: ${problem}`);
  }

  private tokenFor(operation: Operation): string | undefined {
    if (isOfCustomer(operation.path)) return this.customerToken;
    return operation.isPublic ? undefined : this.token;
  }

  /** Expects at least `minRequests` requests and no problems. */
  expectNoProblems(minRequests: number): void {
    expect(this.problems).toEqual([]);
    expect(this.sent).toBeGreaterThanOrEqual(minRequests);
  }
}
