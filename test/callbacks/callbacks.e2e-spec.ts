import { expectStatus, type Member, TestTenant } from '../support/builders';
import {
  callbackRequested,
  callbackRow,
  callingQueue,
  cancelCallback,
  requestCallback,
  resume,
  sweepCallbacks,
} from '../support/contexts/callbacks';
import { changeCall, changeDepartment, secondsAfter } from '../support/contexts/line';
import { sweep } from '../support/contexts/sweep';
import { callRow, eventsOf } from '../support/database/rows';
import type { Json } from '../support/http/api';
import { startTestApp, type TestApp } from '../support/test-app';

const REQUESTED = { status: 'requested', invited_until: null };

describe('a callback', () => {
  let test: TestApp;
  let tenant: TestTenant;
  let agent: Member;
  let department: Json;
  let link: Json;
  /** The second call of the line, so that nobody is invited. */
  let entry: Json;

  beforeAll(async () => {
    test = await startTestApp({ env: { QUEUE_ABSENCE_SECONDS: '300' } });
    tenant = await TestTenant.register(test);
    agent = await tenant.member();
  });

  beforeEach(async () => {
    ({ department, link } = await callingQueue(tenant));
    const first = await join();
    await changeCall(test, first.call_id, { wait_deadline: null, absence_deadline: null });
    entry = await join();
  });

  afterEach(() => test.clock.reset());
  afterAll(() => test.close());

  const join = (input: Json = {}): Promise<Json> => tenant.join(link as { token: string }, input);
  const rowOf = ({ call_id }: Json): Promise<Json> => callRow(test, call_id);
  const poll = async ({ call_id }: Json): Promise<Json> =>
    (await test.api.get(`/api/v1/call/status/${call_id}`)).body.data;

  it('keeps the place while the customer is away', async () => {
    expect((await poll(entry)).callback).toBeNull();
    const { version, rank_at } = await rowOf(entry);
    const answered = await callbackRequested(test, entry);
    expect(answered).toMatchObject({
      call_id: entry.call_id,
      status: 'queued',
      position: 2,
      callback: REQUESTED,
    });
    expect(answered.websocket_token).toEqual(expect.any(String));
    expect(await rowOf(entry)).toMatchObject({
      version: version + 1,
      rank_at,
      callback_status: 'requested',
      wait_deadline: null,
      absence_deadline: null,
    });
    // Without a socket and polls, for longer than the longest wait.
    test.clock.advance(100_000);
    await sweep(test);
    await sweepCallbacks(test);
    expect(await rowOf(entry)).toMatchObject({ status: 'queued', callback_status: 'requested' });
    expect((await poll(entry)).callback).toEqual(REQUESTED);
  });

  it('is shown by a resume, which changes nothing while it is only requested', async () => {
    await callbackRequested(test, entry);
    const before = await rowOf(entry);
    const answer = await resume(test, entry.websocket_token);
    expectStatus(answer, 200);
    expect(answer.body.data.callback).toEqual(REQUESTED);
    await poll(entry);
    expect(await rowOf(entry)).toEqual(before);
  });

  it('is recorded once, however often it is requested', async () => {
    await callbackRequested(test, entry);
    const before = await rowOf(entry);
    await callbackRequested(test, entry);
    expect(await rowOf(entry)).toEqual(before);
    expect(
      (await eventsOf(test, entry.call_id)).filter((type) => type === 'call.callback_requested'),
    ).toHaveLength(1);
  });

  it('goes to the address of the join, to the given one, or to a later one', async () => {
    const known = await join({ email: 'joao@example.com' });
    await callbackRequested(test, known, { channel: 'email' });
    expect(await callbackRow(test, known.call_id)).toMatchObject({
      channel: 'email',
      email: 'joao@example.com',
    });
    const { version } = await rowOf(known);
    await callbackRequested(test, known, { channel: 'email', email: 'j@example.org' });
    expect(await callbackRow(test, known.call_id)).toMatchObject({ email: 'j@example.org', attempts: 0 });
    expect((await rowOf(known)).version).toBe(version);
    // The customer's own address is theirs alone.
    expect((await rowOf(known)).customer_email).toBe('joao@example.com');
  });

  it.each([
    ['an address that is not known', { channel: 'email' }, 'email'],
    ['an address that is none', { channel: 'email', email: 'nobody' }, 'email'],
    ['an unknown channel', { channel: 'pigeon' }, 'channel'],
    ['a webhook that nobody receives', { channel: 'webhook' }, 'channel'],
    ['nothing', {}, 'channel'],
  ])('is refused for %s', async (_, input, field) => {
    const answer = await requestCallback(test, entry, input);
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors.fields)).toContain(field);
    expect(await rowOf(entry)).toMatchObject({ callback_status: null, version: 1 });
  });

  it('is refused where the department does not call back, but kept if it stops later', async () => {
    await callbackRequested(test, entry);
    await changeDepartment(test, department.id, { callback_enabled: false });
    await callbackRequested(test, entry);
    const answer = await requestCallback(test, await join());
    expect(answer).toMatchObject({ status: 422, body: { errors: { code: 'callback_disabled' } } });
  });

  it('needs the token of the call', async () => {
    const other = await join();
    expect((await test.api.post(`/api/v1/call/callback/${entry.call_id}`, { channel: 'email' })).status).toBe(
      401,
    );
    const stranger = { ...entry, websocket_token: other.websocket_token };
    expect((await requestCallback(test, stranger)).status).toBe(404);
    expect((await cancelCallback(test, stranger)).status).toBe(404);
    expect((await test.api.delete(`/api/v1/call/callback/${entry.call_id}`)).status).toBe(401);
    expect(await rowOf(entry)).toMatchObject({ callback_status: null });
  });

  it('can be taken back: the customer waits on for the time that was left', async () => {
    test.clock.stop();
    const before = await rowOf(entry);
    test.clock.advance(60);
    await callbackRequested(test, entry);
    test.clock.advance(1000);
    expect((await cancelCallback(test, entry)).status).toBe(204);
    expect(await rowOf(entry)).toMatchObject({
      callback_status: 'cancelled',
      wait_deadline: secondsAfter(before.wait_deadline, 1000),
      absent_since: test.clock.now(),
      absence_deadline: secondsAfter(test.clock.now(), 300),
      suspended_wait_deadline: null,
      rank_at: before.rank_at,
      version: before.version + 2,
    });
    // A second time changes nothing.
    expect((await cancelCallback(test, entry)).status).toBe(204);
    expect((await rowOf(entry)).version).toBe(before.version + 2);
    test.clock.advance(301);
    await sweep(test);
    expect(await rowOf(entry)).toMatchObject({ status: 'abandoned', callback_status: 'cancelled' });
  });

  it('can be requested again', async () => {
    await callbackRequested(test, entry);
    await cancelCallback(test, entry);
    await callbackRequested(test, entry, { channel: 'email', email: 'later@example.com' });
    expect(await rowOf(entry)).toMatchObject({ callback_status: 'requested', wait_deadline: null });
    expect(await callbackRow(test, entry.call_id)).toMatchObject({ email: 'later@example.com', attempts: 0 });
  });

  it('is refused for a call that does not wait', async () => {
    expectStatus(await agent.api.post(`/api/v1/calls/${entry.call_id}/assign`), 200);
    expect(await requestCallback(test, entry)).toMatchObject({
      status: 422,
      body: { errors: { code: 'invalid_transition' } },
    });
    expect((await cancelCallback(test, entry)).body.errors.code).toBe('invalid_transition');
  });

  it('ends with the call', async () => {
    await callbackRequested(test, entry);
    const answer = await test.api.as(entry.websocket_token).post(`/api/v1/call/cancel/${entry.call_id}`);
    expectStatus(answer, 200);
    expect(answer.body.data).toMatchObject({ status: 'cancelled', callback: { status: 'cancelled' } });
    expect(await callbackRow(test, entry.call_id)).toMatchObject({
      next_attempt_at: null,
      next_deadline: null,
    });
    expect(await eventsOf(test, entry.call_id)).toEqual([
      'call.queued',
      'call.callback_requested',
      'call.callback_cancelled',
      'call.cancelled',
    ]);
  });

  it('is shown to staff in lists, details, exports and the timeline', async () => {
    await callbackRequested(test, entry);
    const supervisor = await tenant.member('supervisor');
    const list = await supervisor.api.get(`/api/v1/calls?department_id=${department.id}&status=queued`);
    const shown = (list.body.data as Json[]).map(({ id, callback }) => [id === entry.call_id, callback]);
    expect(shown).toEqual(
      expect.arrayContaining([
        [true, REQUESTED],
        [false, null],
      ]),
    );
    const details = await supervisor.api.get(`/api/v1/calls/${entry.call_id}`);
    expect(details.body.data.callback).toEqual(REQUESTED);
    const timeline = await supervisor.api.get(`/api/v1/calls/${entry.call_id}/timeline`);
    expect((timeline.body.data as Json[]).at(-1)).toMatchObject({
      type: 'callback_requested',
      attempts: 0,
      invited_until: null,
    });
    const csv = await fetch(`${test.url}/api/v1/export/calls.csv?department_id=${department.id}`, {
      headers: { authorization: `Bearer ${supervisor.token}` },
    });
    expect(await csv.text()).toMatch(/,callback_status,callback_invited_until,[\s\S]*,requested,,/);
  });
});
