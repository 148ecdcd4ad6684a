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

interface Outcome {
  caller: Caller;
  status: number;
  problems: string[];
}

/** The callers whose requests must change nothing of the tenant: those who are refused, and the other tenant's owner. */
const isForeign = (row: Row, caller: Caller): boolean =>
  caller === 'stranger' || (row.statuses[CALLERS.indexOf(caller)] ?? 0) >= 400;

/** Sends the request of a matrix row as the callers whom it must not let change anything, and compares the rows once for all. */
async function requestInVain(route: string, row: Row): Promise<Outcome[]> {
  const requests = [];
  for (const caller of CALLERS.filter((each) => isForeign(row, each)))
    requests.push({ caller, attempt: (await row.attempt?.(scene, caller)) ?? {} });
  const before = await rowsDigest(test.db, scene.tenant.id);
  const outcomes = [];
  for (const { caller, attempt } of requests) {
    const answer = await send(test, route, attempt, attempt.as ?? scene.member(caller));
    const problems = [];
    if (caller === 'stranger' && row.statuses[0] === 401) {
      const leaks = await findLeaks(answer);
      problems.push(...leaks.map((leak) => `the response to ${caller} contains ${leak}`));
      if (Array.isArray(answer.body.data) && answer.body.data.length === 0)
        problems.push('the list is empty');
    }
    outcomes.push({ caller, status: answer.status, problems });
  }
  if (row.statuses[0] === 401) {
    const changed = changesBetween(before, await rowsDigest(test.db, scene.tenant.id));
    outcomes[0]?.problems.push(...changed.map((table) => `who is refused, or a stranger, changed ${table}`));
  }
  return outcomes;
}

/** Sends the request of a matrix row as a caller who may send it: reads change nothing, and writes are audited. */
async function requestAs(route: string, row: Row, caller: Caller): Promise<Outcome> {
  const attempt = (await row.attempt?.(scene, caller)) ?? {};
  const actor = attempt.as ?? scene.member(caller);
  const isRead = route.startsWith('GET ') && row.statuses[0] === 401;
  const before = isRead ? await rowsDigest(test.db, scene.tenant.id) : {};
  const answer = await send(test, route, attempt, actor);
  const { status } = answer;
  const problems: string[] = [];
  if (isRead) {
    const expected = row.audited ? ['audit_log', 'domain_events'] : [];
    const changed = changesBetween(before, await rowsDigest(test.db, scene.tenant.id));
    problems.push(
      ...changed.filter((table) => !expected.includes(table)).map((table) => `${caller} changed ${table}`),
    );
  }
  if (row.statuses[0] === 401 && status < 400 && (row.audited ?? (!isRead && !row.unaudited))) {
    const rows = await auditedBy(test, answer);
    if (!rows.some(({ user_id }) => user_id === actor?.id))
      problems.push(`${caller} left no row in audit_log`);
  }
  return { caller, status, problems };
}

const changesBetween = (before: Record<string, string>, after: Record<string, string>): string[] =>
  Object.keys(before).filter((table) => before[table] !== after[table]);

it('the matrix has exactly the routes of the OpenAPI document', async () => {
  expect(Object.keys(MATRIX).sort()).toEqual((await documentedRoutes()).sort());
});

describe('no token, attendant, supervisor, manager, owner, another tenant’s owner', () => {
  it.each(Object.entries(MATRIX))('%s', async (route, row) => {
    const results = await requestInVain(route, row);
    for (const caller of CALLERS.filter((each) => !isForeign(row, each)))
      results.push(await requestAs(route, row, caller));
    const statuses = CALLERS.map((each) => results.find(({ caller }) => caller === each)?.status);
    expect(statuses).toEqual(row.statuses);
    expect(results.flatMap(({ problems }) => problems)).toEqual([]);
  });
});

it('the leak check finds identifiers of the first tenant in a response', async () => {
  for (const path of ['/api/v1/users', '/api/v1/departments', '/api/v1/calls', '/api/v1/tenant']) {
    expect([path, await findLeaks(await scene.tenant.owner.api.get(path))]).not.toEqual([path, []]);
  }
});
