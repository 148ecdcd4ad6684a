import { DEMO_PASSWORD, DemoSeeder } from '../../src/demo/demo-seeder';
import { WaitLearner } from '../../src/calls/queue/learning/wait-learner';
import { pendingOffer } from '../support/contexts/offers';
import { Api, type Json } from '../support/http/api';
import { closingSockets } from '../support/sockets/connect-sockets';
import { until } from '../support/until';
import { startTestApp, type TestApp } from '../support/test-app';

let test: TestApp;
let token: string;
let api: Api;
const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await startTestApp();
  await test.get(DemoSeeder).seed();
  const answer = await test.api.post('/api/auth/login', {
    tenant: 'demo',
    email: 'attendant@demo.example',
    password: DEMO_PASSWORD,
  });
  token = answer.body.access_token;
  api = test.api.as(token);
});

afterAll(() => test.close());

const queryOne = async (text: string): Promise<Json> => (await test.db.query(text)).rows[0];

async function supervisor(): Promise<Api> {
  const email = 'supervisor@demo.example';
  const answer = await test.api.post('/api/auth/login', { tenant: 'demo', email, password: DEMO_PASSWORD });
  return test.api.as(answer.body.access_token);
}

describe('the demo tenant', () => {
  it('is created once', async () => {
    await test.get(DemoSeeder).seed();
    expect(await queryOne('SELECT count(*)::int AS tenants FROM tenants')).toEqual({ tenants: 1 });
  });

  it('has a link that leads to the department whose agents pick calls', async () => {
    const { link } = await test.get(DemoSeeder).seed();
    const answer = await test.api.get(`/api/v1/call/${link.split('/').at(-1)}/validate`);
    expect(answer.body.data).toMatchObject({ department_name: 'Suporte Técnico' });
  });

  it('offers the calls of a department to its agents by skills', async () => {
    await connect(token);
    const links: Json[] = (await api.get('/api/v1/access-links')).body.data;
    const link = links.find(({ label }) => label === 'Inglês, Vendas (demo)');
    expect(link).toMatchObject({ priority: 3, skills: [{ min_level: 2 }] });
    const joined = await test.api.post(`/api/v1/call/${link?.token}/join`, { name: 'Eva' });
    const offer = await pendingOffer({ api });
    expect(offer).toMatchObject({ call_id: joined.body.data.call_id, status: 'pending' });
    const accepted = await api.post(`/api/v1/offers/${offer.id}/accept`);
    expect(accepted.body.data).toMatchObject({ status: 'active' });
  });

  it('has a department with opening hours, whose next closing is planned', async () => {
    const links: Json[] = (await api.get('/api/v1/access-links')).body.data;
    const link = links.find(({ label }) => label === 'Vistorias (demo)');
    const { body } = await test.api.get(`/api/v1/call/${link?.token}/validate`);
    const { open, opens_at, closes_at } = body.data;
    expect([typeof opens_at, typeof closes_at]).toEqual([open ? 'object' : 'string', 'string']);
    await until(async () => {
      const row = await queryOne(`SELECT closing_at FROM departments WHERE name = 'Vistorias'`);
      return row.closing_at !== null && row.closing_at > test.clock.now();
    });
  });

  it('has a department that overflows, and past calls that did, in the list and in the overview', async () => {
    const as = await supervisor();
    const { id: target } = await queryOne(`SELECT id FROM departments WHERE name = 'Suporte Técnico'`);
    const settings = await queryOne(
      `SELECT id, overflow_after, overflow_department_id FROM departments WHERE name = 'Vendas'`,
    );
    expect(settings).toMatchObject({ overflow_after: expect.any(Number), overflow_department_id: target });
    const { body } = await as.get(`/api/v1/calls?department_id=${settings.id}&page_size=100`);
    const overflowed = (body.data as Json[]).filter(({ overflowed_at }) => overflowed_at !== null);
    expect(overflowed.length).toBeGreaterThan(2);
    for (const call of overflowed) {
      expect(call.overflow_department_id).toBe(target);
      expect(call.wait_time).toBeGreaterThan(settings.overflow_after);
    }
    expect((await as.get('/api/v1/analytics/overview')).body.data.overflowed).toBeGreaterThan(2);
  });

  it('has a customer who asked to be called back, and past ones in the overview', async () => {
    const as = await supervisor();
    const { body } = await as.get('/api/v1/calls?status=queued');
    const waiting = (body.data as Json[]).filter(({ callback }) => callback !== null);
    expect(waiting).toMatchObject([
      { department_name: 'Vistorias', callback: { status: 'requested', invited_until: null } },
    ]);
    const { callbacks } = (await as.get('/api/v1/analytics/overview')).body.data;
    expect(callbacks.returned).toBeGreaterThan(0);
    expect(callbacks.expired).toBeGreaterThan(0);
    expect(callbacks.requested).toBeGreaterThan(callbacks.returned + callbacks.expired);
  });

  it('has a part for each past call that was started, and an accepted offer if it was offered', async () => {
    const counts = await queryOne(`SELECT count(*)::int AS started, count(p.id)::int AS with_part,
        count(*) FILTER (WHERE d.routing = 'automatic')::int AS from_line, count(o.id)::int AS accepted
      FROM calls c JOIN departments d ON d.id = c.department_id
        LEFT JOIN call_parts p ON p.call_id = c.id AND p.user_id = c.user_id AND p.ended_at = c.ended_at
        LEFT JOIN offers o ON o.call_id = c.id AND o.user_id = c.user_id AND o.status = 'accepted'
          AND o.ended_at = c.started_at AND o.offered_at BETWEEN c.inserted_at AND c.started_at
      WHERE c.status = 'completed'`);
    expect(counts.started).toBeGreaterThan(50);
    expect(counts.with_part).toBe(counts.started);
    expect(counts.from_line).toBeGreaterThan(20);
    expect(counts.accepted).toBe(counts.from_line);
    const others = await queryOne(`SELECT count(*) FILTER (WHERE o.status = 'declined')::int AS declined,
        count(*) FILTER (WHERE o.status = 'expired')::int AS expired,
        bool_and(o.user_id <> c.user_id AND o.ended_at < c.started_at) AS are_earlier
      FROM offers o JOIN calls c ON c.id = o.call_id WHERE o.status IN ('declined', 'expired')`);
    expect(others).toEqual({
      declined: expect.any(Number),
      expired: expect.any(Number),
      are_earlier: true,
    });
    expect(others.declined).toBeGreaterThan(0);
    expect(others.expired).toBeGreaterThan(0);
  });

  it('has learned ranges of waits from the past calls, and the report has figures of them', async () => {
    await test.get(WaitLearner).run();
    const links: Json[] = (await api.get('/api/v1/access-links')).body.data;
    for (const label of ['Suporte Técnico (demo)', 'Vendas (demo)']) {
      const link = links.find((one) => one.label === label);
      const { body } = await test.api.get(`/api/v1/call/${link?.token}/validate`);
      expect(body.data).toMatchObject({ estimated_wait_range: { low: expect.any(Number) } });
    }
    const report = await (await supervisor()).get('/api/v1/analytics/estimates');
    const past = report.body.data.filter(({ name }: Json) => name !== 'Vistorias');
    expect(past.map(({ calls, coverage }: Json) => [calls > 100, coverage > 0.5])).toEqual([
      [true, true],
      [true, true],
    ]);
  });
});
