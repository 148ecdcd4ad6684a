import type { Json } from '../support/http/api';
import { someId, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { callRow } from '../support/database/rows';
import { startTestApp, type TestApp } from '../support/test-app';

describe('joining a queue through an access link', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let department: Json;
  let link: Json;

  beforeAll(async () => {
    test = await startTestApp({ env: { PUBLIC_URL: 'https://calls.example.com' } });
    tenant = await TestTenant.register(test);
    ({ department, link } = await tenant.queue({ max_queue_size: 100 }));
  });

  afterAll(() => test.close());

  const validate = (token: string) => test.api.get(`/api/v1/call/${token}/validate`);
  const join = (token: string, body: unknown) => test.api.post(`/api/v1/call/${token}/join`, body);

  it('shows the department and the company of a link', async () => {
    const queue = await tenant.queue({ name: 'Suporte Técnico' });
    await test.db.query(`UPDATE tenants SET logo_url = 'https://example.com/l.png' WHERE id = $1`, [
      tenant.id,
    ]);
    await tenant.join(queue.link);
    await tenant.join(queue.link);
    const response = await validate(queue.link.token);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      data: {
        valid: true,
        department_name: 'Suporte Técnico',
        company_name: tenant.name,
        company_logo_url: 'https://example.com/l.png',
        primary_color: '#2563eb',
        queue_size: 2,
        estimated_wait_time: 3 * 180,
        estimated_wait_range: null,
        has_estimate: false,
        online_agents: 0,
        open: true,
        opens_at: null,
        closes_at: null,
        timezone: 'America/Sao_Paulo',
        appointment: null,
        customer_name: null,
        privacy_url: null,
        privacy_text: null,
        closed_message: null,
        callback_enabled: false,
      },
    });
  });

  /** Reasons why a link cannot be used, each with the code and a function that creates one and returns its token. */
  const unusableLinks: [string, string, () => Promise<string>][] = [
    ['unknown', 'invalid_link', async () => 'V1StGXR8_Z5jdHi6B-myTQ'],
    ['made of invalid characters', 'invalid_link', async () => '%00%27%3B'],
    ['too long', 'invalid_link', async () => 'x'.repeat(500)],
    [
      'expired',
      'link_expired',
      async () => {
        const expires_at = new Date(test.clock.now().getTime() + 60_000).toISOString();
        const { token } = await tenant.link(department.id, { expires_at });
        expect((await validate(token)).status).toBe(200);
        test.clock.advance(61);
        return token;
      },
    ],
    [
      'used up',
      'link_used',
      async () => {
        const singleUseLink = await tenant.link(department.id, { max_uses: 1 });
        await tenant.join(singleUseLink);
        return singleUseLink.token;
      },
    ],
    [
      'cancelled',
      'link_cancelled',
      async () => {
        const { id, token } = await tenant.link(department.id);
        await test.db.query('UPDATE access_links SET cancelled_at = now() WHERE id = $1', [id]);
        return token;
      },
    ],
    [
      'of an inactive department',
      'link_cancelled',
      async () => {
        const queue = await tenant.queue();
        await tenant.owner.api.put(`/api/v1/departments/${queue.department.id}`, {
          department: { active: false },
        });
        return queue.link.token;
      },
    ],
    [
      'of a deleted department',
      'link_cancelled',
      async () => {
        const queue = await tenant.queue();
        await tenant.owner.api.delete(`/api/v1/departments/${queue.department.id}`);
        return queue.link.token;
      },
    ],
  ];

  it.each(unusableLinks)('rejects a link that is %s with %s', async (_reason, code, createLink) => {
    const token = await createLink();
    const [validated, joined] = [await validate(token), await join(token, { name: 'Eva' })];
    expectFailure(validated, 404, { code });
    expect(joined).toMatchObject({ status: 404, body: validated.body });
  });

  it('rejects valid links of a suspended company with tenant_suspended, and others with their own code', async () => {
    const other = await TestTenant.register(test);
    const { link } = await other.queue();
    const used = await other.link(link.department_id, { max_uses: 1 });
    await other.join(used);
    await test.db.query('UPDATE tenants SET suspended_at = now() WHERE id = $1', [other.id]);
    for (const response of [await validate(link.token), await join(link.token, { name: 'Eva' })]) {
      expectFailure(response, 404, { code: 'tenant_suspended' });
    }
    expectFailure(await validate(used.token), 404, { code: 'link_used' });
  });

  it('puts a customer who joins at the end of the queue', async () => {
    const queue = await tenant.queue();
    await tenant.join(queue.link);
    const body = {
      name: ' Eva ',
      email: 'eva@example.com',
      phone: '+55 11 1',
      reason: 'Card',
      status: 'active',
    };
    const response = await join(queue.link.token, body);
    expect(response.status).toBe(200);
    const { call_id, websocket_token } = response.body.data;
    expect(response.body).toEqual({
      data: {
        call_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        status: 'queued',
        position: 2,
        estimated_wait_time: 360,
        estimated_wait_range: null,
        has_estimate: false,
        ringing: false,
        callback: null,
        websocket_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        websocket_url: 'wss://calls.example.com/socket/websocket',
      },
    });
    expect(websocket_token).not.toContain(call_id);
    expect(await callRow(test, call_id)).toMatchObject({
      status: 'queued',
      customer_name: 'Eva',
      customer_email: 'eva@example.com',
      customer_phone: '+55 11 1',
      reason: 'Card',
      department_id: queue.department.id,
      access_link_id: queue.link.id,
      estimated_wait_time: 360,
    });
  });

  it.each([
    ['no name', {}, 'name'],
    ['a blank name', { name: '   ' }, 'name'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
    ['a name that is not a string', { name: { first: 'Eva' } }, 'name'],
    ['a NUL byte', { name: 'E\0va' }, 'name'],
    ['an invalid e-mail address', { name: 'Eva', email: 'eva' }, 'email'],
    ['a phone number that is not a string', { name: 'Eva', phone: 11 }, 'phone'],
    ['a reason of 2001 characters', { name: 'Eva', reason: 'x'.repeat(2001) }, 'reason'],
    ['a body that is a list', [], undefined],
  ])('rejects %s with 422', async (_title, body, field) => {
    expectFailure(await join(link.token, body), 422, { code: 'validation_failed', field });
  });

  it('reports the queue position to polls, and 0 once the call is assigned', async () => {
    const queue = await tenant.queue();
    const [first, second] = [await tenant.join(queue.link), await tenant.join(queue.link)];
    const poll = async (id: string) => (await test.api.get(`/api/v1/call/status/${id}`)).body;
    expect(await poll(second.call_id)).toEqual({
      data: {
        call_id: second.call_id,
        status: 'queued',
        position: 2,
        estimated_wait_time: 360,
        estimated_wait_range: null,
        has_estimate: false,
        ringing: false,
        callback: null,
      },
    });
    await tenant.owner.api.post(`/api/v1/calls/${first.call_id}/assign`);
    expect(await poll(second.call_id)).toMatchObject({ data: { position: 1, estimated_wait_time: 180 } });
    for (const [action, status] of [
      ['start', 'active'],
      ['complete', 'completed'],
    ]) {
      await tenant.owner.api.post(`/api/v1/calls/${first.call_id}/${action}`);
      expect(await poll(first.call_id)).toEqual({
        data: {
          call_id: first.call_id,
          status,
          position: 0,
          estimated_wait_time: 0,
          estimated_wait_range: null,
          has_estimate: false,
          ringing: false,
          callback: null,
        },
      });
    }
    expectFailure(await test.api.get(`/api/v1/call/status/${someId()}`), 404);
    expectFailure(await test.api.get('/api/v1/call/status/1'), 400);
  });

  it('estimates the wait from the mean duration of recent completed calls and the agents online', async () => {
    const queue = await tenant.queue();
    for (const seconds of [100, 200]) {
      const { call_id } = await tenant.join(queue.link);
      await tenant.owner.api.post(`/api/v1/calls/${call_id}/start`);
      test.clock.advance(seconds);
      await tenant.owner.api.post(`/api/v1/calls/${call_id}/complete`);
    }
    const [{ duration: one }, { duration: two }] = (
      await test.db.query('SELECT duration FROM calls WHERE department_id = $1', [queue.department.id])
    ).rows;
    const entry = await tenant.join(queue.link);
    expect(entry.estimated_wait_time).toBe(Math.ceil((one + two) / 2));
    expect(entry.estimated_wait_time).toBeGreaterThanOrEqual(150);
  });
});
