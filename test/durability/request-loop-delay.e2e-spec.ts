import {
  allOperations,
  createRecords,
  documentedOperations,
  GATEWAY_TOKEN,
  isOfCustomer,
  maxBodyBytes,
  maxBodyValues,
  type Operation,
  pathWithIds,
  type TenantRecords,
} from '../support/authorisation/route-walk';
import { login, TestTenant } from '../support/builders';
import { createSkill } from '../support/contexts/skills';
import { oneTo } from '../support/database/rows';
import { heavyBodies, heavyQueries } from '../support/fuzz/heavy-bodies';
import { heavyForms, heavyUploadHeaders, heavyUploads } from '../support/fuzz/heavy-forms';
import { readDocument } from '../support/http/openapi-file';
import { ensureBuilt } from '../support/service/built-service';
import { DataDir } from '../support/service/data-dir';
import { expectMeasuredDelays, loopDelayOf, MAX_LOOP_DELAY_MS } from '../support/service/loop-delay';
import { ServiceProcess, stopServices } from '../support/service/service-process';
import { startTestApp, type TestApp } from '../support/test-app';

const JWT_SECRET = 'signs the tokens of both applications';
const NO_LIMIT = '1000000';

/** A request within the limits of its operation. */
interface HeavyRequest {
  what: string;
  path: string;
  body?: string;
  headers?: Record<string, string>;
  /** The number of values that the operation accepts, if the body is parsed for having no more. */
  maxValues?: number;
}

const operations = documentedOperations(readDocument());
const name = ({ method, path }: Operation) => `${method} ${path}`;
const withBody = operations.filter(({ hasBody }) => hasBody);

let dataDir: DataDir;
let test: TestApp;
let tenant: TestTenant;
let own: TenantRecords;
let service: ServiceProcess;

beforeAll(async () => {
  await ensureBuilt();
  dataDir = new DataDir();
  test = await startTestApp({ env: { JWT_SECRET } });
  tenant = await TestTenant.register(test);
  own = await createRecords(tenant);
  service = await ServiceProcess.start(
    {
      DATABASE_URL: test.databaseUrl,
      DATA_DIR: dataDir.path,
      JWT_SECRET,
      SEED_DEMO: 'false',
      LOG_LEVEL: 'error',
      ASAAS_WEBHOOK_TOKEN: GATEWAY_TOKEN,
      AUTH_RATE_LIMIT: NO_LIMIT,
      AUTH_ADDRESS_RATE_LIMIT: NO_LIMIT,
      PUBLIC_RATE_LIMIT: NO_LIMIT,
      PAGE_RATE_LIMIT: NO_LIMIT,
      API_RATE_LIMIT: NO_LIMIT,
    },
    { measuresLoopDelay: true },
  );
}, 120_000);

afterAll(async () => {
  await stopServices();
  await test.close();
  dataDir.remove();
});

type Sender = Pick<Operation, 'method' | 'isPublic'>;

const tooManyValues = (max: number) => `must not have more than ${max} values`;

/** @returns the status of the response */
async function send(
  { method, isPublic }: Sender,
  { path, body, headers, maxValues }: HeavyRequest,
  token = own.owner.token,
): Promise<number> {
  const request = { body, headers: { 'asaas-access-token': GATEWAY_TOKEN, ...headers } };
  const ofCustomer = isOfCustomer(path) ? { token: own.websocket_token } : {};
  const answer = await service.api.send(method, path, { ...request, ...(isPublic ? ofCustomer : { token }) });
  expect(answer.status).toBeLessThan(500);
  // A request without the token that it needs is refused before its body is validated; these have it in their body.
  const hasTokenInBody = path.startsWith('/api/auth/') || path === '/api/v1/call/resume';
  if (body && !hasTokenInBody) expect(answer.status).not.toBe(401);
  if (maxValues) expect(answer.body.errors?.fields?.body).not.toEqual([tooManyValues(maxValues)]);
  return answer.status;
}

const bodyRequests = (operation: Operation, path: string): HeavyRequest[] =>
  [...heavyBodies(operation.example, maxBodyBytes(operation), maxBodyValues(operation))].map(
    ({ json, ...rest }) => ({
      ...rest,
      path,
      body: json,
    }),
  );

/** Measures the requests together, and each of them only if one of them blocks the loop for too long. */
async function expectShortDelays<Request extends HeavyRequest>(
  operation: Sender,
  requests: Request[],
  sendOne: (request: Request) => Promise<unknown> = (request) => send(operation, request),
): Promise<void> {
  const sendAll = async () => {
    for (const request of requests) await sendOne(request);
  };
  if ((await loopDelayOf(service, sendAll, 1)) <= MAX_LOOP_DELAY_MS) return;
  const slow: string[] = [];
  for (const request of requests) {
    const delay = await loopDelayOf(service, () => sendOne(request));
    if (delay > MAX_LOOP_DELAY_MS) slow.push(`${request.what}: ${Math.round(delay)} ms`);
  }
  expect(slow).toEqual([]);
}

/** The problems that the service finds in a body with a list of `count` numbers, by field. */
async function problemsOf(count: number): Promise<[string, string[]][]> {
  const body = { unknown: Array.from({ length: count }, () => 0) };
  const answer = await service.api.post('/api/auth/refresh', body);
  return Object.entries(answer.body.errors.fields);
}

describe('the event loop is not blocked', () => {
  it('and a delay is measured', async () => {
    expect(withBody.length).toBeGreaterThan(30);
    await expectMeasuredDelays(service);
  });

  it('and only bodies with more values than the operation accepts are not parsed', async () => {
    // The object and its first value count, too.
    expect((await problemsOf(255)).map(([field]) => field)).toEqual(['refresh_token']);
    expect(await problemsOf(256)).toEqual([['body', [tooManyValues(256)]]]);
  });

  it.each(withBody.map((operation) => [name(operation), operation] as const))(
    'by any body of %s',
    async (_name, operation) => {
      const path = pathWithIds(operation, own);
      const requests = bodyRequests(operation, path);
      expect(requests.every(({ body }) => Buffer.byteLength(body ?? '') <= maxBodyBytes(operation))).toBe(
        true,
      );
      await expectShortDelays(operation, requests);
    },
    180_000,
  );

  it.each(
    operations
      .filter(({ method }) => method === 'GET')
      .map((operation) => [name(operation), operation] as const),
  )(
    'by any query of %s',
    async (_name, operation) => {
      const path = pathWithIds(operation, own);
      const requests = heavyQueries(operation.queryParameters).map(({ what, query }) => ({
        what,
        path: `${path}?${query}`,
      }));
      await expectShortDelays(operation, requests);
    },
    180_000,
  );

  it('by a batch of 500 links with all fields', async () => {
    const operation = withBody.find(({ path }) => path === '/api/v1/access-links/batch');
    if (!operation) throw new Error('not documented');
    const skills = await Promise.all(oneTo(20).map(() => createSkill(tenant)));
    const withSkills = (count: number) => ({
      department_id: own.department,
      customer_id: own.customer,
      max_uses: 1,
      expires_at: '2099-01-31T12:00:00.000Z',
      priority: 1,
      skills: skills.slice(0, count).map((skill_id) => ({ skill_id, min_level: 1 })),
    });
    const invalid = { label: 7, priority: 'x', skills: oneTo(20).map(() => ({})) };
    const batches: [what: string, count: number, link: object][] = [
      ['invalid links with as many skills as are parsed', 350, invalid],
      ['links with long labels', 500, { ...withSkills(0), label: 'é'.repeat(150) }],
      ['links with some skills each', 500, { ...withSkills(4), label: 'Letter' }],
      ['links with all skills', 160, withSkills(20)],
    ];
    const requests = batches.map(([what, count, link]) => ({
      what,
      path: operation.path,
      body: JSON.stringify({ links: Array.from({ length: count }, () => link) }),
      maxValues: maxBodyValues(operation),
      status: link === invalid ? 422 : 201,
    }));
    await expectShortDelays(operation, requests, async (request) =>
      expect(await send(operation, request)).toBe(request.status),
    );
  }, 180_000);

  it('by any body of a logout', async () => {
    const operation = allOperations(readDocument()).find(({ path }) => path === '/api/auth/logout');
    if (!operation) throw new Error('not documented');
    const requests = bodyRequests(operation, operation.path);
    let session = await login(test, tenant.slug, tenant.owner.email);
    await expectShortDelays(operation, requests, async (request) => {
      const status = await send(operation, request, session.token);
      // A body that is valid ends the session.
      if (status === 204) session = await login(test, tenant.slug, tenant.owner.email);
    });
  }, 180_000);

  it.each([
    ['a file', () => `/api/v1/calls/${own.call}/files`],
    ['a recording', () => `/api/v1/calls/${own.call}/recording/upload`],
    ['a logo', () => '/api/v1/tenant/logo'],
  ])(
    'by any form with %s',
    async (_name, pathOf) => {
      const path = pathOf();
      const requests = heavyUploads().map(({ what, type, body }) => ({
        what,
        path,
        body,
        headers: { 'content-type': type },
      }));
      await expectShortDelays({ method: 'POST', isPublic: false }, requests);
    },
    180_000,
  );

  it.each([
    ['/reset-password', 'token'],
    ['/confirm-email', 'token'],
  ])(
    'by any form of %s',
    async (path, field) => {
      const requests = heavyForms(field).map(({ what, type, body }) => ({
        what,
        path,
        body,
        headers: { 'content-type': type },
      }));
      await expectShortDelays({ method: 'POST', isPublic: true }, requests);
    },
    180_000,
  );

  it('by the headers of a resumable upload', async () => {
    const path = `/api/v1/calls/${own.call}/recording/tus`;
    const requests = heavyUploadHeaders().map((request) => ({ ...request, path }));
    await expectShortDelays({ method: 'POST', isPublic: false }, requests);
  }, 180_000);
});
