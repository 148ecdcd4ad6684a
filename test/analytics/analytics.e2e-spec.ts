import { DateTime } from 'luxon';
import { Client } from 'pg';
import { Timezones } from '../../src/tenancy/timezones';
import type { Json } from '../support/http/api';
import { expectStatus, type Member, TestTenant } from '../support/builders';
import { closingSockets } from '../support/sockets/connect-sockets';
import { setMaxUnanswered } from '../support/contexts/ring-timeouts';
import { sweep } from '../support/contexts/sweep';
import { startTestApp, type TestApp } from '../support/test-app';
import { until } from '../support/until';

const PATHS = ['overview', 'estimates', 'hourly', 'agents', 'trends'];

const get = async (member: Member, path: string): Promise<Json> => {
  const answer = await member.api.get(`/api/v1/analytics/${path}`);
  expectStatus(answer, 200);
  return answer.body;
};

/** @returns when the last refresh began, which may be an earlier one during the pause after it */
const requestRefresh = async (member: Member): Promise<string> => {
  const answer = await member.api.post('/api/v1/analytics/refresh-views');
  expectStatus(answer, 200);
  return answer.body.data.refreshed_at;
};

/** Refreshes the views, after the pause that follows an earlier refresh. @returns when the refresh began */
const refresh = (member: Member): Promise<string> => {
  const start = Date.now();
  return until(async () => {
    const refreshedAt = await requestRefresh(member);
    return Date.parse(refreshedAt) >= start && refreshedAt;
  });
};

const shiftDays = (at: string, days: number) =>
  new Date(Date.parse(at) + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

/** Of days that have ended, for which the views can answer. */
const PAST = `date_to=${new Date(Date.now() - 3 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)}`;

const transitionCall = async (member: Member, call: Json, action: string, body?: unknown) =>
  expectStatus(await member.api.post(`/api/v1/calls/${call.call_id}/${action}`, body), 200);

describe('analytics', () => {
  let test: TestApp;
  /** A second connection, to observe locks that the first one holds. */
  let observer: Client;
  const { connect } = closingSockets(() => test.url);

  beforeAll(async () => {
    test = await startTestApp();
    observer = new Client({ connectionString: test.databaseUrl });
    await observer.connect();
  });

  afterEach(() => test.clock.reset());

  afterAll(async () => {
    await observer.end();
    await test.close();
  });

  it('reports the calls, agents and ratings of one morning', async () => {
    const tenant = await TestTenant.register(test);
    const { department, link } = await tenant.queue({ max_wait_time: 120 });
    await setMaxUnanswered(test, department.id, 1);
    const agent = await tenant.member('attendant', [department.id]);
    // The waits and durations are exact only if requests take no time.
    test.clock.stop();
    await connect(agent.token);
    test.clock.advance(100);

    const rated = await tenant.join(link);
    test.clock.advance(10);
    await transitionCall(agent, rated, 'assign');
    await transitionCall(agent, rated, 'start');
    test.clock.advance(300);
    await transitionCall(agent, rated, 'complete');
    const evaluation = { rating: 4 };
    expectStatus(await test.api.post(`/api/v1/call/evaluate/${rated.call_id}`, evaluation), 200);

    const slow = await tenant.join(link);
    const missed = await tenant.join(link);
    test.clock.advance(40);
    await transitionCall(agent, slow, 'assign');
    await transitionCall(agent, slow, 'start');
    await transitionCall(agent, missed, 'assign');
    test.clock.advance(61);
    await sweep(test);
    await tenant.join(link);
    test.clock.advance(121);
    await sweep(test);
    await tenant.join(link);

    const { data, meta } = await get(tenant.owner, 'overview');
    expect(data).toMatchObject({
      total_calls: 5,
      queued_calls: 1,
      assigned_calls: 0,
      active_calls: 1,
      completed_calls: 1,
      missed_calls: 1,
      cancelled_calls: 0,
      abandoned_calls: 1,
      answered_calls: 2,
      average_wait_time: 25,
      average_duration: 300,
      // One of two calls was answered in time, and the abandoned call had waited longer than the service level.
      service_level: 0.3333,
      abandonment_rate: 0.2,
      average_rating: 4,
      ratings: { 1: 0, 2: 0, 3: 0, 4: 1, 5: 0 },
      online_agents: 1,
      previous: { total_calls: 0, service_level: null },
    });
    expect(data.longest_wait_time).toBeGreaterThanOrEqual(120);
    expect(data.current_longest_wait).toBeLessThan(10);
    expect(meta).toMatchObject({ timezone: 'America/Sao_Paulo', service_level_seconds: 20 });

    const [row] = (await get(tenant.owner, `agents?user_id=${agent.id}`)).data;
    expect(row).toMatchObject({ user_id: agent.id, user_name: agent.name, answered: 2, missed: 1 });
    // The agent was connected for about 632 s, 300 s and 182 s of it in calls; the missed call does not count.
    expect(row.online_time / 632).toBeCloseTo(1, 1);
    expect(row.occupancy).toBeCloseTo((300 + 182) / 632, 1);
    const generous = await get(tenant.owner, 'overview?service_level_seconds=60');
    expect(generous.data.service_level).toBeCloseTo(2 / 3, 3);
  });

  it('returns a row for every hour, day and agent, even without calls', async () => {
    const tenant = await TestTenant.register(test);
    const idleAgent = await tenant.member();
    const hours = (await get(tenant.owner, 'hourly')).data;
    expect(hours).toHaveLength(168);
    expect(hours[0]).toMatchObject({ weekday: 1, hour: 0, total_calls: 0, average_calls: 0 });
    expect(hours[167]).toMatchObject({ weekday: 7, hour: 23 });
    expect((await get(tenant.owner, 'trends')).data).toHaveLength(30);
    const agents = (await get(tenant.owner, 'agents')).data;
    expect(agents.map(({ user_id }: Json) => user_id).sort()).toEqual([idleAgent.id, tenant.owner.id].sort());
    expect(agents[0]).toMatchObject({ answered: 0, online_time: 0, occupancy: null, average_duration: null });
  });

  it('reports the calls of deactivated agents but does not count them as online', async () => {
    const tenant = await TestTenant.register(test);
    const { department, link } = await tenant.queue();
    const [formerAgent, idleAgent] = [
      await tenant.member('attendant', [department.id]),
      await tenant.member('attendant', [department.id]),
    ];
    test.clock.stop();
    const socket = await connect(formerAgent.token);
    const call = await tenant.join(link);
    test.clock.advance(60);
    await transitionCall(formerAgent, call, 'assign');
    await transitionCall(formerAgent, call, 'start');
    test.clock.advance(30);
    await transitionCall(formerAgent, call, 'complete');
    const waiting = await tenant.join(link);
    test.clock.advance(45);
    await tenant.join(link);
    for (const { id } of [formerAgent, idleAgent]) {
      expectStatus(await tenant.owner.api.put(`/api/v1/users/${id}`, { active: false }), 200);
    }
    await test.db.query(
      `UPDATE calls SET user_id = $2, status = 'active', absent_since = NULL WHERE id = $1`,
      [waiting.call_id, formerAgent.id],
    );
    expect((await get(tenant.owner, 'overview')).data.online_agents).toBe(0);
    await test.db.query(`UPDATE calls SET status = 'queued' WHERE id = $1`, [waiting.call_id]);
    const { current_longest_wait } = (await get(tenant.owner, 'overview')).data;
    expect(current_longest_wait).toBe(45);
    const shown = async (query: string) =>
      (await get(tenant.owner, `agents${query}`)).data.map(({ user_id }: Json) => user_id).sort();
    expect(await shown('')).toEqual([tenant.owner.id, formerAgent.id].sort());
    expect(await shown(`?department_id=${department.id}`)).toEqual([formerAgent.id]);
    expect(await shown('?date_from=2020-01-01&date_to=2020-01-31')).toEqual([tenant.owner.id]);
    socket.close();
  });

  it('reports no online time for future days', async () => {
    const tenant = await TestTenant.register(test);
    const socket = await connect(tenant.owner.token);
    await socket.send('set_presence', { presence: 'online' });
    await until(async () => (await get(tenant.owner, 'overview')).data.online_agents === 1);
    const [row] = (await get(tenant.owner, 'agents?date_from=2099-01-01&date_to=2099-01-02')).data;
    expect(row).toMatchObject({ online_time: 0, occupancy: null });
    socket.close();
  });

  it('treats an empty parameter as missing', async () => {
    const { owner } = await TestTenant.register(test);
    const { meta } = await get(owner, 'overview?service_level_seconds=&timezone=');
    expect(meta).toMatchObject({ service_level_seconds: 20, timezone: 'America/Sao_Paulo' });
    const daily = await get(owner, 'trends');
    expect((await get(owner, 'trends?interval=')).data).toEqual(daily.data);
  });

  it.each(['0x10', '1e1', '-1', '86401', '1.5'])('rejects service_level_seconds=%s', async (value) => {
    const { owner } = await TestTenant.register(test);
    const { status, body } = await owner.api.get(`/api/v1/analytics/overview?service_level_seconds=${value}`);
    expect([status, Object.keys(body.errors.fields)]).toEqual([400, ['service_level_seconds']]);
  });

  it('answers from the views once they contain the tenant, and from the calls when the views do not fit the query', async () => {
    const tenant = await TestTenant.register(test);
    const { link } = await tenant.queue();
    const countCalls = async (query = '') => {
      const { data, meta } = await get(tenant.owner, `trends?interval=month&${PAST}${query}`);
      return [data.reduce((sum: number, row: Json) => sum + row.total_calls, 0), meta.refreshed_at];
    };
    const joinEarlier = async () => {
      const { call_id } = await tenant.join(link);
      await test.db.query(`UPDATE calls SET inserted_at = inserted_at - interval '4 days' WHERE id = $1`, [
        call_id,
      ]);
    };
    await joinEarlier();
    expect(await countCalls()).toEqual([1, null]);
    const refreshed = await refresh(tenant.owner);
    expect(await countCalls()).toEqual([1, refreshed]);
    await joinEarlier();
    expect(await countCalls()).toEqual([1, refreshed]);
    expect((await get(tenant.owner, `overview?${PAST}`)).data.total_calls).toBe(2);
    expect(await countCalls('&timezone=Asia/Kolkata')).toEqual([2, null]);
    expect(await countCalls('&service_level_seconds=30')).toEqual([2, null]);
    expect(await countCalls('&timezone=america/sao_paulo&service_level_seconds=20')).toEqual([1, refreshed]);
    expectStatus(await tenant.owner.api.put('/api/v1/tenant', { service_level_seconds: 30 }), 200);
    expect(await countCalls()).toEqual([2, null]);
    const again = await refresh(tenant.owner);
    expect(Date.parse(again)).toBeGreaterThan(Date.parse(refreshed));
    expect(await countCalls()).toEqual([2, again]);
  });

  /** The local time of the only call, from the calls and then from the views. */
  async function localTimesOf(at: string, timezone: string): Promise<Json[]> {
    const tenant = await TestTenant.register(test);
    expectStatus(await tenant.owner.api.put('/api/v1/tenant', { timezone }), 200);
    const { call_id } = await tenant.join((await tenant.queue()).link);
    await test.db.query('UPDATE calls SET inserted_at = $2 WHERE id = $1', [call_id, at]);
    const range = `date_from=${shiftDays(at, -3)}&date_to=${shiftDays(at, 3)}`;
    const found = async () => {
      const [hourly, daily] = [
        await get(tenant.owner, `hourly?${range}`),
        await get(tenant.owner, `trends?${range}`),
      ];
      const [hours, days] = [hourly.data, daily.data].map((rows) =>
        rows.filter((row: Json) => row.total_calls > 0),
      );
      const time = { day: days[0].period, weekday: hours[0].weekday, hour: hours[0].hour };
      return [time, days.length, hours.length, daily.meta.timezone, daily.meta.refreshed_at !== null];
    };
    const counted = await found();
    await refresh(tenant.owner);
    return [counted, await found()];
  }

  describe('days and hours', () => {
    it.each([
      // Zones that PostgreSQL takes for abbreviations, without summer time.
      ['CET', '2025-07-01T22:30:00Z', { day: '2025-07-02', weekday: 3, hour: 0 }],
      ['MET', '2025-07-01T22:30:00Z', { day: '2025-07-02', weekday: 3, hour: 0 }],
      ['EET', '2025-07-01T21:30:00Z', { day: '2025-07-02', weekday: 3, hour: 0 }],
      ['wet', '2025-07-01T23:30:00Z', { day: '2025-07-02', weekday: 3, hour: 0 }],
      ['CET', '2025-01-15T22:30:00Z', { day: '2025-01-15', weekday: 3, hour: 23 }],
      // Ramadan, and the days beside it.
      ['Africa/Casablanca', '2025-02-22T23:30:00Z', { day: '2025-02-23', weekday: 7, hour: 0 }],
      ['Africa/Casablanca', '2025-03-10T23:30:00Z', { day: '2025-03-10', weekday: 1, hour: 23 }],
      // The first and the second time that it is half past midnight.
      ['America/Havana', '2025-11-02T04:30:00Z', { day: '2025-11-02', weekday: 7, hour: 0 }],
      ['America/Havana', '2025-11-02T05:30:00Z', { day: '2025-11-02', weekday: 7, hour: 0 }],
    ])('of a company in %s at %s are %j, as in Node', async (timezone, at, expected) => {
      const node = DateTime.fromISO(at, { zone: timezone });
      expect(expected).toEqual({ day: node.toISODate(), weekday: node.weekday, hour: node.hour });
      expect(await localTimesOf(at, timezone)).toEqual([
        [expected, 1, 1, timezone, false],
        [expected, 1, 1, timezone, true],
      ]);
    });

    it('follow a newer version of the time zones after a start', async () => {
      const [timezone, at] = ['America/Edmonton', '2025-07-01T06:30:00Z'];
      const expected = { day: '2025-07-01', weekday: 2, hour: 0 };
      expect((await localTimesOf(at, timezone))[1]).toEqual([expected, 1, 1, timezone, true]);
      // As an older version, in which Edmonton never had summer time.
      await test.db.query(
        `UPDATE timezone_offsets SET version = '1999a', starts = '{-infinity}', offsets = '{-25200}', local_ends = '{}'
         WHERE name = lower($1)`,
        [timezone],
      );
      const before = { day: '2025-06-30', weekday: 1, hour: 23 };
      expect((await localTimesOf(at, timezone))[1]).toEqual([before, 1, 1, timezone, true]);
      await test.get(Timezones).onApplicationBootstrap();
      expect(await localTimesOf(at, timezone)).toEqual([
        [expected, 1, 1, timezone, false],
        [expected, 1, 1, timezone, true],
      ]);
    });
  });

  it('answers for a period that goes on from the calls, so that all its reports are of one moment', async () => {
    const tenant = await TestTenant.register(test);
    const { link } = await tenant.queue();
    await tenant.join(link);
    await refresh(tenant.owner);
    await tenant.join(link);
    for (const path of ['overview', 'trends', 'hourly', 'agents']) {
      expect((await get(tenant.owner, path)).meta.refreshed_at).toBeNull();
    }
    const { data } = await get(tenant.owner, 'trends?interval=month');
    expect(data.reduce((sum: number, row: Json) => sum + row.total_calls, 0)).toBe(2);
  });

  it('shows a tenant nothing of another tenant', async () => {
    const [one, other] = [await TestTenant.register(test), await TestTenant.register(test)];
    const { department, link } = await one.queue();
    const call = await one.join(link);
    await transitionCall(one.owner, call, 'assign');
    await refresh(one.owner);
    const foreign = `department_id=${department.id}`;
    for (const query of ['', `?${foreign}`, `?user_id=${one.owner.id}`]) {
      expect((await get(other.owner, `overview${query}`)).data).toMatchObject({
        total_calls: 0,
        online_agents: 0,
        current_longest_wait: null,
      });
      for (const path of ['hourly', 'trends']) {
        const { data } = await get(other.owner, path + query);
        expect(data.filter((row: Json) => row.total_calls > 0)).toEqual([]);
      }
      const agents = (await get(other.owner, `agents${query}`)).data;
      expect(agents.filter(({ user_id }: Json) => user_id !== other.owner.id)).toEqual([]);
    }
    const own = (await get(one.owner, `agents?${foreign}`)).data;
    expect(own.map(({ user_id }: Json) => user_id)).toEqual([one.owner.id]);
  });

  it.each([
    ['free', [200, 200, 403, 403, 403]],
    ['basic', [200, 200, 403, 403, 403]],
    ['advanced', [200, 200, 200, 200, 200]],
  ] as const)('returns only the reports that the plan %s includes', async (plan, expected) => {
    const { owner } = await TestTenant.register(test, plan);
    const answers = await Promise.all(PATHS.map((path) => owner.api.get(`/api/v1/analytics/${path}`)));
    expect(answers.map(({ status }) => status)).toEqual(expected);
    for (const { status, body } of answers) {
      if (status === 403) expect(body.errors.code).toBe('feature_not_in_plan');
    }
  });

  it.each([
    ['timezone=Nowhere/City', 'timezone'],
    ['timezone=%2B03:00', 'timezone'],
    ['timezone=FOO3', 'timezone'],
    ['date_from=yesterday', 'date_from'],
    ['date_from=2026-01-02&date_to=2026-01-01', 'date_to'],
    ['date_from=1990-01-01', 'date_from'],
    ['date_to=0001-01-01', 'date_to'],
    ['interval=year', 'interval'],
    ['service_level_seconds=-1', 'service_level_seconds'],
    ['service_level_seconds=soon', 'service_level_seconds'],
    ['department_id=sales', 'department_id'],
    ['user_id=me', 'user_id'],
  ])('rejects %s with 400', async (query, field) => {
    const { owner } = await TestTenant.register(test);
    const answer = await owner.api.get(`/api/v1/analytics/trends?${query}`);
    expect([answer.status, Object.keys(answer.body.errors.fields)]).toEqual([400, [field]]);
  });

  describe('a refresh of the views', () => {
    it('is scheduled every 15 minutes', async () => {
      const { rows } = await test.db.query(
        `SELECT cron FROM pgboss.schedule WHERE name = 'analytics.refresh-views'`,
      );
      expect(rows).toEqual([{ cron: '*/15 * * * *' }]);
    });

    it('is ignored when it is older than an hour', async () => {
      const tenant = await TestTenant.register(test);
      await refresh(tenant.owner);
      expect((await get(tenant.owner, `trends?${PAST}`)).meta.refreshed_at).not.toBeNull();
      await test.db.query(`
        CREATE OR REPLACE VIEW view_states WITH (security_barrier) AS
          SELECT tenant_id, timezone, service_level_seconds, refreshed_at - interval '61 minutes' AS refreshed_at
          FROM analytics.view_states`);
      expect((await get(tenant.owner, `trends?${PAST}`)).meta.refreshed_at).toBeNull();
      await test.db.query(`
        CREATE OR REPLACE VIEW view_states WITH (security_barrier) AS
          SELECT tenant_id, timezone, service_level_seconds, refreshed_at FROM analytics.view_states`);
    });

    it('skips a tenant whose time zone the server does not know and refreshes all others', async () => {
      const [invalidZoneTenant, other] = [await TestTenant.register(test), await TestTenant.register(test)];
      await test.db.query(`UPDATE tenants SET timezone = 'US/Gone' WHERE id = $1`, [invalidZoneTenant.id]);
      const refreshed = await refresh(other.owner);
      expect((await get(other.owner, `trends?${PAST}`)).meta.refreshed_at).toBe(refreshed);
      await test.db.query(`UPDATE tenants SET timezone = 'UTC' WHERE id = $1`, [invalidZoneTenant.id]);
      expect((await get(invalidZoneTenant.owner, `trends?${PAST}`)).meta.refreshed_at).toBeNull();
    });

    it('is followed by a pause of nine times its duration', async () => {
      const { owner } = await TestTenant.register(test);
      // The refresh waits for this lock, so it takes at least 100 ms.
      await test.db.query('BEGIN; LOCK calls IN ACCESS EXCLUSIVE MODE');
      const slow = refresh(owner);
      await until(async () => {
        const { rows } = await observer.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE 'SELECT refresh_analytics%' AND query_start < clock_timestamp() - interval '100 ms'`,
        );
        return rows.length > 0;
      });
      const committedAt = Date.now();
      await test.db.query('COMMIT');
      const first = await slow;
      // The duration is exact in remainingPauseMs; this is its lower limit.
      const minDurationMs = committedAt - Date.parse(first);
      expect(minDurationMs).toBeGreaterThan(90);
      const next = await refresh(owner);
      expect(Date.parse(next) - Date.parse(first)).toBeGreaterThanOrEqual(10 * minDurationMs);
    });

    it('is shared by concurrent requests on all instances and blocks no report', async () => {
      const tenant = await TestTenant.register(test);
      const { link } = await tenant.queue();
      await tenant.join(link);
      const before = await refresh(tenant.owner);
      const secondInstance = await startTestApp({ databaseUrl: test.databaseUrl });
      const secondApi = secondInstance.api.as(tenant.owner.token);
      const isBlocked = async (statement: string) => {
        const { rows } = await secondInstance.db.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query LIKE $1`,
          [`SELECT ${statement}%`],
        );
        return rows.length > 0;
      };
      // The first refresh stops at this lock, and the others wait for it.
      await test.db.query('BEGIN; LOCK calls IN ACCESS EXCLUSIVE MODE');
      try {
        const refreshes = [refresh(tenant.owner)];
        await until(() => isBlocked('refresh_analytics'));
        refreshes.push(requestRefresh(tenant.owner), requestRefresh({ ...tenant.owner, api: secondApi }));
        await until(() => isBlocked('pg_advisory_xact_lock_shared'));
        const { meta } = await get(tenant.owner, `trends?${PAST}`);
        expect(meta.refreshed_at).toBe(before);
        // Nor does it block a company that signs up.
        await TestTenant.register(test);
        await test.db.query('COMMIT');
        const refreshedAt = await Promise.all(refreshes);
        expect(new Set(refreshedAt).size).toBe(1);
        expect(Date.parse(refreshedAt[0] ?? '')).toBeGreaterThan(Date.parse(before));
        expect((await get(tenant.owner, `trends?${PAST}`)).meta.refreshed_at).toBe(refreshedAt[0]);
      } finally {
        await test.db.query('ROLLBACK');
        await secondInstance.close();
      }
    });
  });
});
