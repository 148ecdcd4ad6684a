import type { Json } from '../support/http/api';
import { expectStatus, type Member, someId, TestTenant } from '../support/builders';
import { TestSocket } from '../support/sockets/socket';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

const ACTIONS = ['assign', 'start', 'complete'];

async function visibleCallIds(member: Member): Promise<string[]> {
  const response = await member.api.get('/api/v1/calls?sort_order=asc');
  const ids = response.body.data.map((call: Json) => call.id);
  expect(response.body.meta.total_count).toBe(ids.length);
  return ids;
}

describe('call visibility', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let attendant: Member;
  let colleague: Member;
  let supervisor: Member;
  /** Calls of the attendant's department, of another one, and of another one but assigned to the attendant. */
  let ownCall: Json;
  let hiddenCall: Json;
  let assignedCall: Json;

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    const { department, link } = await tenant.queue();
    const { link: otherLink } = await tenant.queue();
    attendant = await tenant.member('attendant', [department.id]);
    colleague = await tenant.member('attendant');
    supervisor = await tenant.member('supervisor');
    ownCall = await tenant.join(link);
    hiddenCall = await tenant.join(otherLink);
    assignedCall = await tenant.join(otherLink);
    await supervisor.api.post(`/api/v1/calls/${assignedCall.call_id}/assign`, { user_id: attendant.id });
  });

  afterAll(() => test.close());

  const restrict = async (isRestricted: boolean) =>
    expectStatus(await tenant.owner.api.put('/api/v1/tenant', { restrict_attendants: isRestricted }), 200);

  it('includes all calls for all staff unless the tenant restricts its attendants', async () => {
    await restrict(false);
    const all = [ownCall, hiddenCall, assignedCall].map((call) => call.call_id);
    for (const member of [attendant, colleague, supervisor])
      expect(await visibleCallIds(member)).toEqual(all);
    const response = await attendant.api.get(`/api/v1/calls/${hiddenCall.call_id}`);
    expect(response.status).toBe(200);
  });

  it('is limited to their departments and their own calls for restricted attendants, but not for supervisors', async () => {
    await restrict(true);
    expect(await visibleCallIds(attendant)).toEqual([ownCall.call_id, assignedCall.call_id]);
    expect(await visibleCallIds(colleague)).toEqual([]);
    expect(await visibleCallIds(supervisor)).toHaveLength(3);
    expect((await attendant.api.get(`/api/v1/calls/${ownCall.call_id}`)).status).toBe(200);
    expect((await attendant.api.get(`/api/v1/calls/${assignedCall.call_id}`)).status).toBe(200);
    expect((await supervisor.api.get(`/api/v1/calls/${hiddenCall.call_id}`)).status).toBe(200);
  });

  it('hides other calls as if they did not exist, over REST and the socket', async () => {
    await restrict(true);
    const unknown = await attendant.api.get(`/api/v1/calls/${someId()}`);
    expect(unknown.status).toBe(404);
    const responses = [
      await attendant.api.get(`/api/v1/calls/${hiddenCall.call_id}`),
      ...(await Promise.all(
        ACTIONS.map((action) => attendant.api.post(`/api/v1/calls/${hiddenCall.call_id}/${action}`)),
      )),
    ];
    for (const { status, body } of responses)
      expect({ status, body }).toEqual({ status: 404, body: unknown.body });
    const { rows } = await test.db.query('SELECT status, version FROM calls WHERE id = $1', [
      hiddenCall.call_id,
    ]);
    expect(rows).toEqual([{ status: 'queued', version: 1 }]);

    const socket = await TestSocket.connect(test.url, attendant.token);
    for (const event of ['join_call', 'end_call']) {
      const ack = await socket.send(event, { call_id: hiddenCall.call_id });
      expect(ack).toEqual({ ok: false, error: { code: 'not_found', detail: 'Call not found.' } });
    }
    socket.close();
  });

  it('excludes staff of other tenants', async () => {
    const other = await TestTenant.register(test);
    expect(await visibleCallIds(other.owner)).toEqual([]);
    expect((await other.owner.api.get(`/api/v1/calls/${ownCall.call_id}`)).status).toBe(404);
    const response = await other.owner.api.get(`/api/v1/calls?user_id=${attendant.id}`);
    expect(response.body).toMatchObject({ data: [], meta: { total_count: 0 } });
  });

  it('includes every field in the details of a call', async () => {
    await restrict(false);
    const { department, link } = await tenant.queue();
    const entry = await tenant.join(link, {
      name: 'Eva',
      email: 'eva@example.com',
      phone: '1',
      reason: 'Card',
    });
    const details = await attendant.api.get(`/api/v1/calls/${entry.call_id}`);
    expect(details.body).toEqual({
      data: {
        id: entry.call_id,
        status: 'queued',
        department_id: department.id,
        department_name: department.name,
        user_id: null,
        user_name: null,
        customer_name: 'Eva',
        customer_email: 'eva@example.com',
        customer_phone: '1',
        duration: null,
        wait_time: null,
        rating: null,
        notes: null,
        has_recording: false,
        callback: null,
        started_at: null,
        completed_at: null,
        inserted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        overflow_department_id: null,
        identity_confirmed: null,
        overflowed_at: null,
        recording_url: null,
        tags: [],
        disconnected_at: null,
        reconnected_at: null,
        end_reason: null,
        manager_notes: null,
        device_report: null,
        has_estimate: false,
        quality: null,
        recording_state: null,
        chat_message_count: 0,
        reason: 'Card',
        rating_comment: null,
        reserved_user_id: null,
        unanswered_count: 0,
        transferred_from: null,
        transfer_offer: null,
        customer_id: expect.any(String),
        absent_since: expect.any(String),
        estimated_wait_time: 180,
        estimated_wait_range: null,
        priority: 0,
        skills: [],
      },
    });
    await test.db.query('UPDATE calls SET has_recording = true WHERE id = $1', [entry.call_id]);
    const withRecording = await attendant.api.get(`/api/v1/calls/${entry.call_id}`);
    expect(withRecording.body.data.recording_url).toBe(`/api/v1/calls/${entry.call_id}/recording`);
  });
});
