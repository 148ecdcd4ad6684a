import type { Json } from '../../support/http/api';
import { expectStatus, type Member, someId, TestTenant } from '../../support/builders';
import { callRow, eventsOf } from '../../support/database/rows';
import { raceRounds } from '../../support/race-rounds';
import { conversations } from '../../support/contexts/conversations';
import type { TestSocket } from '../../support/sockets/socket';

const { scene, connect, activeCall } = conversations();

async function sent(socket: TestSocket, text: string, more: object = {}): Promise<Json> {
  const ack = await socket.send('chat_message', { text, ...more });
  expect(ack).toEqual({
    ok: true,
    data: {
      id: expect.any(String),
      from: expect.any(String),
      text: text.trim(),
      at: expect.any(String),
      file: null,
    },
  });
  return ack.data;
}

const textsIn = (messages: Json[]): string[] => messages.map(({ text }) => text);

/** Waits until the sockets have received everything that was sent before: the acknowledgement comes last. */
const flush = (...sockets: TestSocket[]) => Promise.all(sockets.map((socket) => socket.send('snapshot')));

async function rowsOf(callId: string): Promise<Json[]> {
  const { rows } = await scene.test.db.query(
    'SELECT * FROM chat_messages WHERE call_id = $1 ORDER BY number',
    [callId],
  );
  return rows;
}

describe('a chat message', () => {
  it('reaches all other sockets of both sides, and nobody else', async () => {
    const { call_id, websocket_token, customer, agent } = await activeCall();
    const tabs = [await connect(websocket_token), await connect(scene.ana.token)];
    const bystanders = [
      await connect(scene.bob.token),
      await connect((await scene.tenant.join(scene.link)).websocket_token),
    ];
    const { version } = await callRow(scene.test, call_id);

    const hello = await sent(customer, '  Hello\nthere ', { client_id: 'c1' });
    expect(hello).toMatchObject({ from: 'customer', text: 'Hello\nthere' });
    const event = { call_id, version, ...hello, client_id: 'c1' };
    for (const socket of [agent, ...tabs]) expect(await socket.waitFor('chat_message')).toEqual(event);

    const answer = await sent(agent, 'Hi', { call_id });
    const second = { call_id, version, ...answer, from: 'agent', client_id: null };
    for (const socket of [customer, ...tabs])
      expect(await socket.waitFor('chat_message', ({ text }) => text === 'Hi')).toEqual(second);

    await flush(customer, agent, ...tabs, ...bystanders);
    expect([customer, agent].map((socket) => socket.all('chat_message').length)).toEqual([1, 1]);
    expect(tabs.map((socket) => socket.all('chat_message').length)).toEqual([2, 2]);
    for (const socket of bystanders) expect(socket.all('chat_message')).toEqual([]);
    expect(await rowsOf(call_id)).toMatchObject([
      { number: 1, user_id: null, client_id: 'c1', text: 'Hello\nthere' },
      { number: 2, user_id: scene.ana.id, client_id: null, text: 'Hi' },
    ]);
  });

  it('changes neither the version nor the events of the call', async () => {
    const { call_id, customer } = await activeCall();
    const before = await callRow(scene.test, call_id);
    const events = await eventsOf(scene.test, call_id);
    await sent(customer, 'Hello');
    expect(await callRow(scene.test, call_id)).toEqual({ ...before, chat_message_count: 1 });
    expect(await eventsOf(scene.test, call_id)).toEqual(events);
  });

  it('is in the snapshot of the customer and in the answer to join_call, with those of an earlier agent', async () => {
    const { call_id, websocket_token, customer, agent } = await activeCall();
    const messages = [await sent(customer, 'One'), await sent(agent, 'Two')];
    const { id } = await scene.tenant.department();
    expectStatus(await scene.ana.api.post(`/api/v1/calls/${call_id}/transfer`, { department_id: id }), 200);
    expectStatus(await scene.bob.api.post(`/api/v1/calls/${call_id}/start`), 200);
    const next = await connect(scene.bob.token);
    const joined = await next.send('join_call', { call_id });
    expect(joined).toMatchObject({ ok: true, data: { call: { id: call_id }, chat_messages: messages } });
    expect(await agent.send('chat_message', { call_id, text: 'Late' })).toMatchObject({
      error: { code: 'not_your_call' },
    });
    const [snapshot] = (await connect(websocket_token)).all('snapshot');
    expect(snapshot).toMatchObject({ chat_messages: messages, chat_message_count: 2 });
    expect((await scene.tenant.owner.api.get(`/api/v1/calls/${call_id}`)).body.data.chat_message_count).toBe(
      2,
    );
  });

  it.each([
    ['no text', {}],
    ['an empty text', { text: ' \n ' }],
    ['2,001 characters', { text: 'x'.repeat(2001) }],
    ['a number', { text: 7 }],
    ['NUL', { text: 'a\0b' }],
    ['an empty client_id, by which a second message would be a repetition', { text: 'x', client_id: ' ' }],
    ['a long client_id', { text: 'x', client_id: 'x'.repeat(65) }],
  ])('is refused with %s', async (_title, payload) => {
    const { call_id, customer } = await activeCall();
    expect(await customer.send('chat_message', payload)).toMatchObject({
      ok: false,
      error: { code: 'validation_failed' },
    });
    await sent(customer, 'é'.repeat(2000));
    expect(await rowsOf(call_id)).toHaveLength(1);
  });

  it('is possible from the assignment to the end of the call, for its participants alone', async () => {
    const { call_id, websocket_token } = await scene.tenant.join(scene.link);
    const [customer, agent, other] = [
      await connect(websocket_token),
      await connect(scene.ana.token),
      await connect(scene.bob.token),
    ];
    const foreign = await connect((await TestTenant.register(scene.test)).owner.token);
    const codeOf = async (socket: TestSocket, id = call_id) =>
      (await socket.send('chat_message', { call_id: id, text: 'x' })).error?.code;
    expect(await codeOf(customer)).toBe('invalid_state');
    expectStatus(await scene.ana.api.post(`/api/v1/calls/${call_id}/assign`), 200);
    await sent(customer, 'Assigned');
    await sent(agent, 'Welcome', { call_id });
    expect(await codeOf(other)).toBe('not_your_call');
    expect(await codeOf(foreign)).toBe('invalid_state');
    expect(await codeOf(agent, someId())).toBe('invalid_state');
    expectStatus(await scene.ana.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    expect(await codeOf(customer)).toBe('invalid_state');
    expect(await codeOf(agent)).toBe('invalid_state');
    expect(textsIn(await rowsOf(call_id))).toEqual(['Assigned', 'Welcome']);
    const [snapshot] = (await connect(websocket_token)).all('snapshot');
    expect(textsIn(snapshot?.chat_messages)).toEqual(['Assigned', 'Welcome']);
  });
});

describe('a message that is sent again with its client_id', () => {
  it('is acknowledged as before, also after the end of the call, and is not sent twice', async () => {
    const { call_id, customer, agent } = await activeCall();
    const first = await sent(customer, 'Once', { client_id: 'one' });
    expect(await sent(customer, 'Once', { client_id: 'one' })).toEqual(first);
    // The ids of the other side are others.
    const other = await sent(agent, 'Twice', { client_id: 'one' });
    expect(other.id).not.toBe(first.id);
    expectStatus(await scene.ana.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    expect(await sent(customer, 'Once', { client_id: 'one' })).toEqual(first);
    await flush(agent);
    expect(agent.all('chat_message')).toHaveLength(1);
    expect(await callRow(scene.test, call_id)).toMatchObject({ chat_message_count: 2 });
  });

  it('is stored once, however many arrive at the same time', async () => {
    const { call_id, websocket_token, customer, agent } = await activeCall();
    const tab = await connect(websocket_token);
    for (let round = 0; round < raceRounds(5); round++) {
      const client_id = `race ${round}`;
      const acks = await Promise.all(
        [customer, tab, customer, tab].map((socket) =>
          socket.send('chat_message', { text: `Round ${round}`, client_id }),
        ),
      );
      expect(new Set(acks.map(({ data }) => data?.id)).size).toBe(1);
    }
    const rows = await rowsOf(call_id);
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_row, index) => index + 1));
    expect(rows).toHaveLength(raceRounds(5));
    expect(await callRow(scene.test, call_id)).toMatchObject({ chat_message_count: rows.length });
    await flush(agent);
    expect(agent.all('chat_message')).toHaveLength(rows.length);
  });
});

describe('the chat of a call', () => {
  it('is read by whoever may see the call, during it and after it', async () => {
    const { call_id, customer, agent } = await activeCall();
    const chatFor = ({ api }: Member) => api.get(`/api/v1/calls/${call_id}/chat`);
    expect((await chatFor(scene.ana)).body).toEqual({ data: [] });
    const messages = [await sent(customer, 'One'), await sent(agent, 'Two', { call_id })];
    const read = messages.map((message, n) => ({ ...message, agent_name: n === 0 ? null : scene.ana.name }));
    expect((await chatFor(scene.ana)).body).toEqual({ data: read });
    expectStatus(await scene.ana.api.post(`/api/v1/calls/${call_id}/complete`), 200);
    for (const member of [scene.ana, scene.tenant.owner]) {
      expect((await chatFor(member)).body).toEqual({ data: read });
    }

    const outsider = await scene.tenant.member('attendant');
    const foreigner = (await TestTenant.register(scene.test)).owner;
    const restrict = (restrict_attendants: boolean) =>
      scene.tenant.owner.api.put('/api/v1/tenant', { restrict_attendants });
    expectStatus(await restrict(true), 200);
    const statuses = [await chatFor(outsider), await chatFor(foreigner)].map(({ status }) => status);
    expectStatus(await restrict(false), 200);
    expect(statuses).toEqual([404, 404]);
  });
});

describe('many messages of a call', () => {
  it('are numbered one after another when both sides send them at the same time', async () => {
    const { call_id, customer, agent } = await activeCall();
    const sending = Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? customer : agent).send('chat_message', { call_id, text: `Message ${index}` }),
    );
    for (const ack of await Promise.all(sending)) expect(ack).toMatchObject({ ok: true });
    const rows = await rowsOf(call_id);
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_row, index) => index + 1));
    expect(rows).toHaveLength(20);
    expect(await callRow(scene.test, call_id)).toMatchObject({ chat_message_count: 20 });
  });

  it('end at 1,000, of which the snapshot has the last 200', async () => {
    const { call_id, websocket_token, customer } = await activeCall();
    await insertMessages(call_id, 999, 5);
    await sent(customer, 'The last one', { client_id: 'last' });
    expect(await customer.send('chat_message', { text: 'One more' })).toMatchObject({
      ok: false,
      error: { code: 'chat_full' },
    });
    await sent(customer, 'The last one', { client_id: 'last' });
    expect(await callRow(scene.test, call_id)).toMatchObject({ chat_message_count: 1000 });
    const [snapshot] = (await connect(websocket_token)).all('snapshot');
    const texts = textsIn(snapshot?.chat_messages);
    expect(snapshot).toMatchObject({ chat_message_count: 1000 });
    expect([texts.length, texts[0], texts.at(-1)]).toEqual([
      200,
      expect.stringMatching(/^801 /),
      'The last one',
    ]);
  });

  it('are whole in the snapshot and in the answer to join_call, however long they are', async () => {
    const { call_id, websocket_token, agent } = await activeCall();
    await insertMessages(call_id, 201, 2000);
    const [snapshot] = (await connect(websocket_token)).all('snapshot');
    const joined = await agent.send('join_call', { call_id });
    for (const { chat_messages } of [snapshot, joined.data]) {
      expect(chat_messages).toHaveLength(200);
      expect(chat_messages[0].text).toMatch(/^2 x+$/);
      expect(textsIn(chat_messages).filter((text) => text.length !== 2000)).toEqual([]);
    }
  });
});

/** Adds messages of that length, each beginning with its number, to a call without any. */
async function insertMessages(callId: string, count: number, length: number): Promise<void> {
  await scene.test.db.query(
    `WITH messages AS (
       INSERT INTO chat_messages (tenant_id, call_id, number, text, sent_at)
       SELECT $1, $2, n, rpad(n || ' ', $4, 'x'), now() FROM generate_series(1, $3::int) AS n)
     UPDATE calls SET chat_message_count = $3 WHERE id = $2`,
    [scene.tenant.id, callId, count, length],
  );
}
