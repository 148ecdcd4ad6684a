import type { Json } from '../support/http/api';
import { type Member, someId, TestTenant } from '../support/builders';
import { callRow, eventsOf } from '../support/database/rows';
import { startTestApp, type TestApp } from '../support/test-app';

type Status = 'queued' | 'assigned' | 'active' | 'completed' | 'missed' | 'cancelled' | 'abandoned';
type Action = 'assign' | 'start' | 'complete';

/** Every row of the transition table, as staff move calls over REST. */
describe('the moves of a call', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let link: Json;
  /** Ana is the agent of whatever is assigned, Bob a colleague, Sue a supervisor. */
  let ana: Member;
  let bob: Member;
  let sue: Member;

  beforeAll(async () => {
    test = await startTestApp();
    tenant = await TestTenant.register(test);
    const { department, link: entrance } = await tenant.queue({ max_queue_size: 1000 });
    link = entrance;
    ana = await tenant.member('attendant', [department.id]);
    bob = await tenant.member('attendant', [department.id]);
    sue = await tenant.member('supervisor');
  });

  afterAll(() => test.close());

  const move = (who: Member, id: string, action: Action, body?: object) =>
    who.api.post(`/api/v1/calls/${id}/${action}`, body);

  /** A call in that status, Ana's unless it is queued. */
  async function aCall(status: Status): Promise<string> {
    const { call_id, websocket_token } = await tenant.join(link);
    if (status === 'queued') return call_id;
    if (status === 'cancelled') {
      await test.api.post(`/api/v1/call/cancel/${call_id}`, undefined, { token: websocket_token });
      return call_id;
    }
    await move(ana, call_id, status === 'active' ? 'start' : 'assign');
    if (status === 'completed') await move(ana, call_id, 'complete');
    if (status === 'missed' || status === 'abandoned') {
      await test.db.query('UPDATE calls SET status = $2, ended_at = updated_at WHERE id = $1', [
        call_id,
        status,
      ]);
    }
    return call_id;
  }

  const people = () => ({ ana, bob, sue });
  type Who = keyof ReturnType<typeof people>;

  /** Who gets the call, by whom, from where: `undefined` sends no body. */
  const moves: { from: Status; who: Who; action: Action; to?: Who; becomes: Status; agent: Who }[] = [
    { from: 'queued', who: 'ana', action: 'assign', becomes: 'assigned', agent: 'ana' },
    { from: 'queued', who: 'ana', action: 'assign', to: 'ana', becomes: 'assigned', agent: 'ana' },
    { from: 'queued', who: 'ana', action: 'assign', to: 'bob', becomes: 'assigned', agent: 'bob' },
    { from: 'queued', who: 'sue', action: 'assign', becomes: 'assigned', agent: 'sue' },
    { from: 'queued', who: 'sue', action: 'assign', to: 'ana', becomes: 'assigned', agent: 'ana' },
    { from: 'assigned', who: 'ana', action: 'assign', to: 'bob', becomes: 'assigned', agent: 'bob' },
    { from: 'assigned', who: 'sue', action: 'assign', to: 'bob', becomes: 'assigned', agent: 'bob' },
    { from: 'assigned', who: 'sue', action: 'assign', to: 'sue', becomes: 'assigned', agent: 'sue' },
    { from: 'queued', who: 'bob', action: 'start', becomes: 'active', agent: 'bob' },
    { from: 'assigned', who: 'ana', action: 'start', becomes: 'active', agent: 'ana' },
    { from: 'queued', who: 'bob', action: 'complete', becomes: 'completed', agent: 'bob' },
    { from: 'assigned', who: 'ana', action: 'complete', becomes: 'completed', agent: 'ana' },
    { from: 'active', who: 'ana', action: 'complete', becomes: 'completed', agent: 'ana' },
    { from: 'active', who: 'sue', action: 'complete', becomes: 'completed', agent: 'ana' },
  ];

  it.each(moves)(
    '$who may $action ($to) while $from: $becomes',
    async ({ from, who, action, to, ...after }) => {
      const id = await aCall(from);
      const before = await callRow(test, id);
      expect(before.status).toBe(from);

      const answer = await move(people()[who], id, action, to && { user_id: people()[to].id });

      const agent = people()[after.agent];
      expect(answer.status).toBe(200);
      const row = await callRow(test, id);
      expect(row).toMatchObject({ status: after.becomes, user_id: agent.id, user_name: agent.name });
      expect(row.version).toBeGreaterThan(before.version);
      const fields = {
        assign: { user_id: agent.id, user_name: agent.name },
        start: { started_at: row.started_at?.toISOString() },
        complete: { completed_at: row.completed_at?.toISOString() },
      };
      expect(answer.body).toEqual({ data: { id, status: after.becomes, ...fields[action] } });
      if (action === 'start') expect(row.started_at).not.toBeNull();
      if (action === 'complete')
        expect(row).toMatchObject({ end_reason: 'normal', ended_at: row.completed_at });
    },
  );

  const repeats: { from: Status; who: Who; action: Action; to?: Who }[] = [
    { from: 'assigned', who: 'ana', action: 'assign' },
    { from: 'assigned', who: 'ana', action: 'assign', to: 'ana' },
    { from: 'assigned', who: 'sue', action: 'assign', to: 'ana' },
    { from: 'active', who: 'ana', action: 'start' },
  ];

  it.each(repeats)('$who repeating $action ($to) changes nothing', async ({ from, who, action, to }) => {
    const id = await aCall(from);
    const before = await callRow(test, id);
    const events = await eventsOf(test, id);
    test.clock.advance(5);
    const answer = await move(people()[who], id, action, to && { user_id: people()[to].id });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id, status: from });
    expect(await callRow(test, id)).toEqual(before);
    expect(await eventsOf(test, id)).toEqual(events);
  });

  const finals: Status[] = ['completed', 'missed', 'cancelled', 'abandoned'];
  const refusals: { from: Status; who: Who; action: Action; to?: Who }[] = [
    { from: 'assigned', who: 'bob', action: 'assign' },
    { from: 'assigned', who: 'bob', action: 'assign', to: 'bob' },
    { from: 'assigned', who: 'bob', action: 'assign', to: 'ana' },
    { from: 'assigned', who: 'bob', action: 'start' },
    { from: 'assigned', who: 'bob', action: 'complete' },
    { from: 'active', who: 'ana', action: 'assign', to: 'bob' },
    { from: 'active', who: 'sue', action: 'assign', to: 'sue' },
    { from: 'active', who: 'bob', action: 'start' },
    { from: 'active', who: 'sue', action: 'start' },
    { from: 'active', who: 'bob', action: 'complete' },
    ...finals.flatMap((from) =>
      (['assign', 'start', 'complete'] as const).flatMap((action) => [
        { from, who: 'ana' as const, action },
        { from, who: 'sue' as const, action },
      ]),
    ),
  ];

  it.each(refusals)('$who may not $action ($to) while $from', async ({ from, who, action, to }) => {
    const id = await aCall(from);
    const before = await callRow(test, id);
    const answer = await move(people()[who], id, action, to && { user_id: people()[to].id });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({ code: 'invalid_transition', detail: expect.any(String) });
    expect(await callRow(test, id)).toEqual(before);
  });

  it('hands over only to an active user of the tenant', async () => {
    const other = await TestTenant.register(test);
    const gone = await tenant.member();
    await tenant.owner.api.put(`/api/v1/users/${gone.id}`, { active: false });
    for (const user_id of [other.owner.id, gone.id, someId(), 'nobody', 7]) {
      const id = await aCall('queued');
      const answer = await move(ana, id, 'assign', { user_id });
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toMatchObject({
        code: 'validation_failed',
        fields: { user_id: [expect.any(String)] },
      });
      expect(await callRow(test, id)).toMatchObject({ status: 'queued', version: 1 });
    }
  });

  it('keeps the notes of the one who completes, and what was noted when nothing is sent', async () => {
    const [noted, silent] = [await aCall('active'), await aCall('active')];
    await test.db.query(`UPDATE calls SET notes = 'kept' WHERE id = $1`, [silent]);
    await move(ana, noted, 'complete', { notes: '  Card sent ' });
    await move(ana, silent, 'complete');
    expect((await callRow(test, noted)).notes).toBe('Card sent');
    expect((await callRow(test, silent)).notes).toBe('kept');
    const tooLong = await move(ana, await aCall('active'), 'complete', { notes: 'x'.repeat(10_001) });
    expect(tooLong.status).toBe(422);
  });

  it('starting and completing a waiting call tells of each step', async () => {
    const [started, completed] = [await aCall('queued'), await aCall('queued')];
    await move(ana, started, 'start');
    await move(ana, completed, 'complete');
    expect(await eventsOf(test, started)).toEqual(['call.queued', 'call.assigned', 'call.started']);
    expect(await eventsOf(test, completed)).toEqual(['call.queued', 'call.assigned', 'call.completed']);
    expect(await callRow(test, completed)).toMatchObject({ started_at: null, duration: null, version: 3 });
  });

  it('an agent may talk to several at once when they start them by hand', async () => {
    const ids = [await aCall('active'), await aCall('active')];
    for (const id of ids)
      expect(await callRow(test, id)).toMatchObject({ status: 'active', user_id: ana.id });
  });

  it.each(['assign', 'start', 'complete'] as const)(
    "%s: another tenant's call is not there",
    async (action) => {
      const other = await TestTenant.register(test);
      const id = await aCall('queued');
      const before = await callRow(test, id);
      expect((await move(other.owner, id, action)).status).toBe(404);
      expect((await move(ana, someId(), action)).status).toBe(404);
      expect((await move(ana, 'no-uuid', action)).status).toBe(400);
      expect((await test.api.post(`/api/v1/calls/${id}/${action}`)).status).toBe(401);
      expect(await callRow(test, id)).toEqual(before);
    },
  );
});
