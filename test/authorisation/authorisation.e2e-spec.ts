import type { DeadlineSweeper } from '../../src/calls/deadlines/deadline-sweeper';
import { WrapUpSweeper } from '../../src/routing/agents/wrap-up-sweeper';
import { OfferSweeper } from '../../src/routing/offers/offer-sweeper';
import type { Answer, Json } from '../support/http/api';
import { send } from '../support/authorisation/attempt';
import { auditedBy } from '../support/contexts/audit-rows';
import { MATRIX, type Row } from '../support/authorisation/matrix';
import { type Caller, CALLERS, Scene } from '../support/authorisation/scene';
import { GATEWAY_TOKEN } from '../support/authorisation/route-walk';
import { identifiersOf, rowsDigest } from '../support/authorisation/rows-digest';
import { startTestApp, type TestApp } from '../support/test-app';

let test: TestApp;
let scene: Scene;

beforeAll(async () => {
  // Long timeouts, so that no sweep changes rows between the two digests.
  const longTimeouts = { RING_TIMEOUT_SECONDS: '36000', QUEUE_ABSENCE_SECONDS: '36000' };
  test = await startTestApp({ env: { ASAAS_WEBHOOK_TOKEN: GATEWAY_TOKEN, ...longTimeouts } });
  for (const sweeper of [OfferSweeper, WrapUpSweeper])
    await test.get<DeadlineSweeper>(sweeper).onModuleDestroy();
  scene = await Scene.open(test);
});

afterAll(() => test.close());

/** Every route of the OpenAPI document, written like the keys of the matrix. */
async function documentedRoutes(): Promise<string[]> {
  const { paths } = (await test.api.get('/docs-json')).body;
  return Object.entries<Json>(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** The identifiers of the first tenant that a response to another tenant's owner contains. */
async function findLeaks({ body }: Answer): Promise<string[]> {
  const [firstTenantIds, otherTenantIds] = [
    await identifiersOf(test.db, scene.tenant.id),
    await identifiersOf(test.db, scene.other.id),
  ];
  const text = JSON.stringify(body);
  const isInBody = (value: string) => text.includes(value.length === 36 ? value : JSON.stringify(value));
  return [...firstTenantIds].filter((value) => !otherTenantIds.has(value) && isInBody(value));
}

/** Sends the request of a matrix row as this caller. @returns the status and all other problems */
async function requestAs(
  route: string,
  row: Row,
  caller: Caller,
): Promise<{ status: number; problems: string[] }> {
  const attempt = (await row.attempt?.(scene, caller)) ?? {};
  const actor = attempt.as ?? scene.member(caller);
  const isWrite = !route.startsWith('GET ');
  const before = await rowsDigest(test.db, scene.tenant.id);

  const answer = await send(test, route, attempt, actor);

  const { status } = answer;
  const problems: string[] = [];
  if (row.statuses[0] !== 401) return { status, problems };
  if (status >= 400 || !isWrite || caller === 'stranger') {
    const after = await rowsDigest(test.db, scene.tenant.id);
    const expectedChanges = row.audited && status < 400 ? ['audit_log', 'domain_events'] : [];
    const changed = Object.keys(before).filter(
      (table) => before[table] !== after[table] && !expectedChanges.includes(table),
    );
    problems.push(...changed.map((table) => `${caller} changed ${table}`));
  }
  if (status < 400 && (row.audited ?? (isWrite && !row.unaudited))) {
    const rows = await auditedBy(test, answer);
    if (!rows.some(({ user_id }) => user_id === actor?.id))
      problems.push(`${caller} left no row in audit_log`);
  }
  if (caller === 'stranger') {
    const leaks = await findLeaks(answer);
    problems.push(...leaks.map((leak) => `the response to ${caller} contains ${leak}`));
    if (Array.isArray(answer.body.data) && answer.body.data.length === 0) problems.push('the list is empty');
  }
  return { status, problems };
}

it('the matrix has exactly the routes of the OpenAPI document', async () => {
  expect(Object.keys(MATRIX).sort()).toEqual((await documentedRoutes()).sort());
});

describe('no token, attendant, supervisor, manager, owner, another tenant’s owner', () => {
  it.each(Object.entries(MATRIX))('%s', async (route, row) => {
    const results = [];
    for (const caller of CALLERS) results.push(await requestAs(route, row, caller));
    expect(results.map(({ status }) => status)).toEqual(row.statuses);
    expect(results.flatMap(({ problems }) => problems)).toEqual([]);
  });
});

it('the leak check finds identifiers of the first tenant in a response', async () => {
  for (const path of ['/api/v1/users', '/api/v1/departments', '/api/v1/calls', '/api/v1/tenant']) {
    expect([path, await findLeaks(await scene.tenant.owner.api.get(path))]).not.toEqual([path, []]);
  }
});
