import type { Json } from '../support/http/api';
import { type Member, someId, TestTenant } from '../support/builders';
import { missRingTimeout } from '../support/contexts/ring-timeouts';
import { sweep } from '../support/contexts/sweep';
import { callRow, eventsOf } from '../support/database/rows';
import { sharedTestApp } from '../support/shared-app';
import type { TestApp } from '../support/test-app';

type Status = 'queued' | 'assigned' | 'active' | 'completed' | 'missed' | 'cancelled' | 'abandoned';
type Action = 'assign' | 'start' | 'complete';

/** Every transition that staff can request, by actor. */
describe('call transitions over REST', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let link: Json;
  /** Ana is the agent of each assigned call, Bob a colleague, Sue a supervisor. */
  let ana: Member;
  let bob: Member;
  let sue: Member;

  beforeAll(async () => {
    test = await sharedTestApp();
    tenant = await TestTenant.register(test);
    const { department, link: queueLink } = await tenant.queue({
      max_queue_size: 1000,
      max_unanswered: 1,
    });
    link = queueLink;
    ana = await tenant.member('attendant', [department.id]);
    bob = await tenant.member('attendant', [department.id]);
    sue = await tenant.member('supervisor');
  });

  afterAll(() => test.close());

  const transition = (member: Member, id: string, action: Action, body?: object) =>
    member.api.post(`/api/v1/calls/${id}/${action}`, body);

  /** Creates a call in the status. Ana is its agent if it has had one. @returns its id */
  async function createCall(status: Status): Promise<string> {
    const { call_id, websocket_token } = await tenant.join(link);
    if (status === 'queued') return call_id;
    if (status === 'cancelled') {
      await test.api.post(`/api/v1/call/cancel/${call_id}`, undefined, { token: websocket_token });
      return call_id;
    }
    if (status === 'abandoned') {
      await test.db.query('UPDATE calls SET wait_deadline = $2 WHERE id = $1', [call_id, test.clock.now()]);
      await sweep(test);
      return call_id;
    }
    await transition(ana, call_id, status === 'active' ? 'start' : 'assign');
    if (status === 'completed') await transition(ana, call_id, 'complete');
    if (status === 'missed') await missRingTimeout(test, call_id);
    return call_id;
  }

  const staff = () => ({ ana, bob, sue });
  type ActorName = keyof ReturnType<typeof staff>;

  /** Without `to`, the request has no body. */
  const transitions: {
    from: Status;
    actor: ActorName;
    action: Action;
    to?: ActorName;
    becomes: Status;
    agent: ActorName;
  }[] = [
    { from: 'queued', actor: 'ana', action: 'assign', becomes: 'assigned', agent: 'ana' },
    { from: 'queued', actor: 'ana', action: 'assign', to: 'ana', becomes: 'assigned', agent: 'ana' },
    { from: 'queued', actor: 'ana', action: 'assign', to: 'bob', becomes: 'assigned', agent: 'bob' },
    { from: 'queued', actor: 'sue', action: 'assign', becomes: 'assigned', agent: 'sue' },
    { from: 'queued', actor: 'sue', action: 'assign', to: 'ana', becomes: 'assigned', agent: 'ana' },
    { from: 'assigned', actor: 'ana', action: 'assign', to: 'bob', becomes: 'assigned', agent: 'bob' },
    { from: 'assigned', actor: 'sue', action: 'assign', to: 'bob', becomes: 'assigned', agent: 'bob' },
    { from: 'assigned', actor: 'sue', action: 'assign', to: 'sue', becomes: 'assigned', agent: 'sue' },
    { from: 'queued', actor: 'bob', action: 'start', becomes: 'active', agent: 'bob' },
    { from: 'assigned', actor: 'ana', action: 'start', becomes: 'active', agent: 'ana' },
    { from: 'queued', actor: 'bob', action: 'complete', becomes: 'completed', agent: 'bob' },
    { from: 'assigned', actor: 'ana', action: 'complete', becomes: 'completed', agent: 'ana' },
    { from: 'active', actor: 'ana', action: 'complete', becomes: 'completed', agent: 'ana' },
    { from: 'active', actor: 'sue', action: 'complete', becomes: 'completed', agent: 'ana' },
  ];

  it.each(transitions)(
    'allow $action (to: $to) by $actor while the call is $from, which makes it $becomes',
    async ({ from, actor, action, to, ...after }) => {
      const id = await createCall(from);
      const before = await callRow(test, id);
      expect(before.status).toBe(from);

      const response = await transition(staff()[actor], id, action, to && { user_id: staff()[to].id });

      const agent = staff()[after.agent];
      expect(response.status).toBe(200);
      const row = await callRow(test, id);
      expect(row).toMatchObject({ status: after.becomes, user_id: agent.id, user_name: agent.name });
      expect(row.version).toBeGreaterThan(before.version);
      const fields = {
        assign: { user_id: agent.id, user_name: agent.name },
        start: { started_at: row.started_at?.toISOString() },
        complete: { completed_at: row.completed_at?.toISOString() },
      };
      expect(response.body).toEqual({ data: { id, status: after.becomes, ...fields[action] } });
      if (action === 'start') expect(row.started_at).not.toBeNull();
      if (action === 'complete')
        expect(row).toMatchObject({ end_reason: 'normal', ended_at: row.completed_at });
    },
  );

  const repeats: { from: Status; actor: ActorName; action: Action; to?: ActorName }[] = [
    { from: 'assigned', actor: 'ana', action: 'assign' },
    { from: 'assigned', actor: 'ana', action: 'assign', to: 'ana' },
    { from: 'assigned', actor: 'sue', action: 'assign', to: 'ana' },
    { from: 'active', actor: 'ana', action: 'start' },
    { from: 'completed', actor: 'ana', action: 'complete' },
    { from: 'completed', actor: 'sue', action: 'complete' },
  ];

  it.each(repeats)(
    'change nothing when $action (to: $to) is repeated by $actor',
    async ({ from, actor, action, to }) => {
      const id = await createCall(from);
      const before = await callRow(test, id);
      const events = await eventsOf(test, id);
      test.clock.advance(5);
      const response = await transition(staff()[actor], id, action, to && { user_id: staff()[to].id });
      expect(response.status).toBe(200);
      expect(response.body.data).toMatchObject({ id, status: from });
      expect(await callRow(test, id)).toEqual(before);
      expect(await eventsOf(test, id)).toEqual(events);
    },
  );

  const finals: Status[] = ['completed', 'missed', 'cancelled', 'abandoned'];
  const refusals: { from: Status; actor: ActorName; action: Action; to?: ActorName }[] = [
    { from: 'assigned', actor: 'bob', action: 'assign' },
    { from: 'assigned', actor: 'bob', action: 'assign', to: 'bob' },
    { from: 'assigned', actor: 'bob', action: 'assign', to: 'ana' },
    { from: 'assigned', actor: 'bob', action: 'start' },
    { from: 'assigned', actor: 'bob', action: 'complete' },
    { from: 'active', actor: 'ana', action: 'assign', to: 'bob' },
    { from: 'active', actor: 'sue', action: 'assign', to: 'sue' },
    { from: 'active', actor: 'bob', action: 'start' },
    { from: 'active', actor: 'sue', action: 'start' },
    { from: 'active', actor: 'bob', action: 'complete' },
    ...finals.flatMap((from) =>
      (from === 'completed'
        ? (['assign', 'start'] as const)
        : (['assign', 'start', 'complete'] as const)
      ).flatMap((action) => [
        { from, actor: 'ana' as const, action },
        { from, actor: 'sue' as const, action },
      ]),
    ),
    { from: 'completed', actor: 'bob', action: 'complete' },
  ];

  it.each(refusals)(
    'reject $action (to: $to) by $actor while the call is $from',
    async ({ from, actor, action, to }) => {
      const id = await createCall(from);
      const before = await callRow(test, id);
      const response = await transition(staff()[actor], id, action, to && { user_id: staff()[to].id });
      expect(response.status).toBe(422);
      expect(response.body.errors).toEqual({ code: 'invalid_transition', detail: expect.any(String) });
      expect(await callRow(test, id)).toEqual(before);
    },
  );

  it('assign calls only to active users of the tenant', async () => {
    const other = await TestTenant.register(test);
    const inactive = await tenant.member();
    await tenant.owner.api.put(`/api/v1/users/${inactive.id}`, { active: false });
    for (const user_id of [other.owner.id, inactive.id, someId(), 'nobody', 7]) {
      const id = await createCall('queued');
      const response = await transition(ana, id, 'assign', { user_id });
      expect(response.status).toBe(422);
      expect(response.body.errors).toMatchObject({
        code: 'validation_failed',
        fields: { user_id: [expect.any(String)] },
      });
      expect(await callRow(test, id)).toMatchObject({ status: 'queued', version: 1 });
    }
  });

  it('store the notes sent on completion and keep the earlier notes if none are sent', async () => {
    const [withNotes, withoutNotes] = [await createCall('active'), await createCall('active')];
    await test.db.query(`UPDATE calls SET notes = 'kept' WHERE id = $1`, [withoutNotes]);
    await transition(ana, withNotes, 'complete', { notes: '  Card sent ' });
    await transition(ana, withoutNotes, 'complete');
    expect((await callRow(test, withNotes)).notes).toBe('Card sent');
    expect((await callRow(test, withoutNotes)).notes).toBe('kept');
    const tooLong = await transition(ana, await createCall('active'), 'complete', {
      notes: 'x'.repeat(10_001),
    });
    expect(tooLong.status).toBe(422);
  });

  it('answer repeated and parallel completions alike, and store the notes of the last one', async () => {
    const id = await createCall('active');
    const answers = await Promise.all(
      [ana, sue, ana, sue].map((actor) => transition(actor, id, 'complete', { notes: 'Card sent' })),
    );
    const { completed_at } = await callRow(test, id);
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual({ id, status: 'completed', completed_at: completed_at.toISOString() });
    }
    expect((await eventsOf(test, id)).filter((event) => event !== 'call.completed')).toEqual([
      'call.queued',
      'call.assigned',
      'call.started',
    ]);
    test.clock.advance(60);
    expect((await transition(ana, id, 'complete', { notes: 'Card resent' })).status).toBe(200);
    const row = await callRow(test, id);
    expect(row).toMatchObject({ notes: 'Card resent', completed_at });
    expect((await eventsOf(test, id)).at(-1)).toBe('call.updated');
    expect((await transition(ana, id, 'complete')).status).toBe(200);
    expect(await callRow(test, id)).toEqual(row);
  });

  it('store no notes on a completed call whose personal data was erased', async () => {
    const id = await createCall('completed');
    await test.db.query('UPDATE calls SET erased_at = $2 WHERE id = $1', [id, test.clock.now()]);
    const refused = await transition(ana, id, 'complete', { notes: 'Card sent' });
    expect([refused.status, refused.body.errors?.code]).toEqual([422, 'call_erased']);
    expect((await transition(ana, id, 'complete')).status).toBe(200);
    expect((await callRow(test, id)).notes).toBeNull();
  });

  it('record an event for each step when a waiting call is started or completed', async () => {
    const [started, completed] = [await createCall('queued'), await createCall('queued')];
    await transition(ana, started, 'start');
    await transition(ana, completed, 'complete');
    expect(await eventsOf(test, started)).toEqual(['call.queued', 'call.assigned', 'call.started']);
    expect(await eventsOf(test, completed)).toEqual(['call.queued', 'call.assigned', 'call.completed']);
    expect(await callRow(test, completed)).toMatchObject({ started_at: null, duration: null, version: 3 });
  });

  it('allow an agent to start several calls', async () => {
    const ids = [await createCall('active'), await createCall('active')];
    for (const id of ids)
      expect(await callRow(test, id)).toMatchObject({ status: 'active', user_id: ana.id });
  });

  it.each(['assign', 'start', 'complete'] as const)(
    "reject %s with 404 for another tenant's call",
    async (action) => {
      const other = await TestTenant.register(test);
      const id = await createCall('queued');
      const before = await callRow(test, id);
      expect((await transition(other.owner, id, action)).status).toBe(404);
      expect((await transition(ana, someId(), action)).status).toBe(404);
      expect((await transition(ana, 'no-uuid', action)).status).toBe(400);
      expect((await test.api.post(`/api/v1/calls/${id}/${action}`)).status).toBe(401);
      expect(await callRow(test, id)).toEqual(before);
    },
  );
});
