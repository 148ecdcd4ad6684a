import type { Json } from '../support/http/api';
import { type Member, someId, TestTenant } from '../support/builders';
import { TestSocket } from '../support/sockets/socket';
import { startTestApp, type TestApp } from '../support/test-app';

const MOVES = ['assign', 'start', 'complete'];

async function idsSeenBy(who: Member): Promise<string[]> {
  const answer = await who.api.get('/api/v1/calls?sort_order=asc');
  const ids = answer.body.data.map((call: Json) => call.id);
  expect(answer.body.meta.total_count).toBe(ids.length);
  return ids;
}

describe('who sees which calls', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let attendant: Member;
  let colleague: Member;
  let supervisor: Member;
  /** Of the attendant's department, of another one, and of another one but assigned to the attendant. */
  let own: Json;
  let hidden: Json;
  let given: Json;

  beforeAll(async () => {
    test = await startTestApp();
    tenant = await TestTenant.register(test);
    const { department, link } = await tenant.queue();
    const { link: elsewhere } = await tenant.queue();
    attendant = await tenant.member('attendant', [department.id]);
    colleague = await tenant.member('attendant');
    supervisor = await tenant.member('supervisor');
    own = await tenant.join(link);
    hidden = await tenant.join(elsewhere);
    given = await tenant.join(elsewhere);
    await supervisor.api.post(`/api/v1/calls/${given.call_id}/assign`, { user_id: attendant.id });
  });

  afterAll(() => test.close());

  /** Sessions are believed for 5 s, so the setting takes effect after that. */
  async function restrict(on: boolean): Promise<void> {
    await test.db.query('UPDATE tenants SET restrict_attendants = $2 WHERE id = $1', [tenant.id, on]);
    test.clock.advance(6);
  }

  it('is everybody, unless the tenant narrows its attendants', async () => {
    await restrict(false);
    const all = [own, hidden, given].map((call) => call.call_id);
    for (const who of [attendant, colleague, supervisor]) expect(await idsSeenBy(who)).toEqual(all);
    const answer = await attendant.api.get(`/api/v1/calls/${hidden.call_id}`);
    expect(answer.status).toBe(200);
  });

  it("is then an attendant's own departments and own calls, and supervisors still see all", async () => {
    await restrict(true);
    expect(await idsSeenBy(attendant)).toEqual([own.call_id, given.call_id]);
    expect(await idsSeenBy(colleague)).toEqual([]);
    expect(await idsSeenBy(supervisor)).toHaveLength(3);
    expect((await attendant.api.get(`/api/v1/calls/${own.call_id}`)).status).toBe(200);
    expect((await attendant.api.get(`/api/v1/calls/${given.call_id}`)).status).toBe(200);
    expect((await supervisor.api.get(`/api/v1/calls/${hidden.call_id}`)).status).toBe(200);
  });

  it('makes other calls as good as absent, over REST and the socket', async () => {
    await restrict(true);
    const unknown = await attendant.api.get(`/api/v1/calls/${someId()}`);
    expect(unknown.status).toBe(404);
    const answers = [
      await attendant.api.get(`/api/v1/calls/${hidden.call_id}`),
      ...(await Promise.all(
        MOVES.map((move) => attendant.api.post(`/api/v1/calls/${hidden.call_id}/${move}`)),
      )),
    ];
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({ status: 404, body: unknown.body });
    const { rows } = await test.db.query('SELECT status, version FROM calls WHERE id = $1', [hidden.call_id]);
    expect(rows).toEqual([{ status: 'queued', version: 1 }]);

    const socket = await TestSocket.connect(test.url, attendant.token);
    for (const event of ['join_call', 'end_call']) {
      const ack = await socket.send(event, { call_id: hidden.call_id });
      expect(ack).toEqual({ ok: false, error: { code: 'not_found', detail: 'Call not found.' } });
    }
    socket.close();
  });

  it("never is another tenant's staff", async () => {
    const other = await TestTenant.register(test);
    expect(await idsSeenBy(other.owner)).toEqual([]);
    expect((await other.owner.api.get(`/api/v1/calls/${own.call_id}`)).status).toBe(404);
    const answer = await other.owner.api.get(`/api/v1/calls?user_id=${attendant.id}`);
    expect(answer.body).toMatchObject({ data: [], meta: { total_count: 0 } });
  });

  it('finds everything that there is to know in the details', async () => {
    await restrict(false);
    const { department, link } = await tenant.queue();
    const entry = await tenant.join(link, {
      name: 'Eva',
      email: 'eva@example.com',
      phone: '1',
      reason: 'Card',
    });
    const fresh = await attendant.api.get(`/api/v1/calls/${entry.call_id}`);
    expect(fresh.body).toEqual({
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
        started_at: null,
        completed_at: null,
        inserted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        recording_url: null,
        tags: [],
        disconnected_at: null,
        reconnected_at: null,
        end_reason: null,
        manager_notes: null,
        reason: 'Card',
        rating_comment: null,
        reserved_user_id: null,
      },
    });
    await test.db.query('UPDATE calls SET has_recording = true WHERE id = $1', [entry.call_id]);
    const recorded = await attendant.api.get(`/api/v1/calls/${entry.call_id}`);
    expect(recorded.body.data.recording_url).toBe(`/api/v1/calls/${entry.call_id}/recording`);
  });
});
