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
  // No deadline passes between two looks at the rows.
  const patience = { RING_TIMEOUT_SECONDS: '36000', QUEUE_ABSENCE_SECONDS: '36000' };
  test = await startTestApp({ env: { ASAAS_WEBHOOK_TOKEN: GATEWAY_TOKEN, ...patience } });
  scene = await Scene.open(test);
});

afterAll(() => test.close());

/** Every route of the reference, as a row names it. */
async function documentedRoutes(): Promise<string[]> {
  const { paths } = (await test.api.get('/docs-json')).body;
  return Object.entries<Json>(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** What an answer to another tenant's owner tells of the first tenant. */
async function leaksIn({ body }: Answer): Promise<string[]> {
  const [theirs, own] = [
    await identifiersOf(test.db, scene.tenant.id),
    await identifiersOf(test.db, scene.other.id),
  ];
  const text = JSON.stringify(body);
  const isTold = (value: string) => text.includes(value.length === 36 ? value : JSON.stringify(value));
  return [...theirs].filter((value) => !own.has(value) && isTold(value));
}

/** Makes a row's request as this caller. @returns the status, and what is wrong beside it */
async function visit(route: string, row: Row, caller: Caller): Promise<{ status: number; wrong: string[] }> {
  const attempt = (await row.attempt?.(scene, caller)) ?? {};
  const actor = attempt.as ?? scene.member(caller);
  const isWrite = !route.startsWith('GET ');
  const before = await rowsDigest(test.db, scene.tenant.id);

  const answer = await send(test, route, attempt, actor);

  const { status } = answer;
  const wrong: string[] = [];
  if (row.statuses[0] !== 401) return { status, wrong };
  if (status >= 400 || !isWrite || caller === 'stranger') {
    const after = await rowsDigest(test.db, scene.tenant.id);
    const traces = row.audited && status < 400 ? ['audit_log', 'domain_events'] : [];
    const changed = Object.keys(before).filter(
      (table) => before[table] !== after[table] && !traces.includes(table),
    );
    wrong.push(...changed.map((table) => `${caller} changed ${table}`));
  }
  if (status < 400 && (row.audited ?? (isWrite && !row.unaudited))) {
    const rows = await auditedBy(test, answer);
    if (!rows.some(({ user_id }) => user_id === actor?.id)) wrong.push(`${caller} left no row in audit_log`);
  }
  if (caller === 'stranger') {
    const leaks = await leaksIn(answer);
    wrong.push(...leaks.map((leak) => `${caller} is told ${leak}`));
    if (Array.isArray(answer.body.data) && answer.body.data.length === 0) wrong.push('nothing to see');
  }
  return { status, wrong };
}

it('has a row for every route of the reference, and a route for every row', async () => {
  expect(Object.keys(MATRIX).sort()).toEqual((await documentedRoutes()).sort());
});

describe('no token, attendant, supervisor, manager, owner, another tenant’s owner', () => {
  it.each(Object.entries(MATRIX))('%s', async (route, row) => {
    const visits = [];
    for (const caller of CALLERS) visits.push(await visit(route, row, caller));
    expect(visits.map(({ status }) => status)).toEqual(row.statuses);
    expect(visits.flatMap(({ wrong }) => wrong)).toEqual([]);
  });
});

it('would notice what an answer tells of the first tenant', async () => {
  for (const path of ['/api/v1/users', '/api/v1/departments', '/api/v1/calls', '/api/v1/tenant']) {
    expect([path, await leaksIn(await scene.tenant.owner.api.get(path))]).not.toEqual([path, []]);
  }
});
