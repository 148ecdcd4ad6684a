import type { Answer, Json } from '../support/http/api';
import { expectStatus, TestTenant } from '../support/builders';
import { expectFailure } from '../support/database/failures';
import { callRow, eventsOf } from '../support/database/rows';
import { sweep } from '../support/contexts/sweep';
import { closingSockets } from '../support/sockets/connect-sockets';
import { startTestApp, type TestApp } from '../support/test-app';

const ADDRESS = '203.0.113.7';
const OTHER_ADDRESS = '198.51.100.9';
const MAX_PER_ADDRESS = 3;

let test: TestApp;
let tenant: TestTenant;
let department: Json;
let link: Json;

const { connect } = closingSockets(() => test.url);

beforeAll(async () => {
  test = await startTestApp({
    env: {
      TRUST_PROXY: 'loopback',
      QUEUE_MAX_PER_ADDRESS: String(MAX_PER_ADDRESS),
      QUEUE_ABSENCE_SECONDS: '300',
    },
  });
  tenant = await TestTenant.register(test);
});

afterAll(() => test.close());

beforeEach(async () => {
  ({ department, link } = await tenant.queue({ max_wait_time: 36_000 }));
});

const joinFrom = (address: string, headers: Record<string, string> = {}, token: string = link.token) =>
  test.api.post(
    `/api/v1/call/${token}/join`,
    { name: 'Ana' },
    { headers: { 'x-forwarded-for': address, ...headers } },
  );

async function fillFrom(address: string): Promise<Json[]> {
  const entries: Json[] = [];
  for (let count = 0; count < MAX_PER_ADDRESS; count++) {
    const answer = await joinFrom(address);
    expectStatus(answer, 200);
    entries.push(answer.body.data);
  }
  return entries;
}

const expectTooMany = (answer: Answer) => expectFailure(answer, 422, { code: 'too_many_waiting' });

describe('the waiting calls of one address', () => {
  it('are limited in each department, until one of them leaves the queue', async () => {
    const [first] = await fillFrom(ADDRESS);
    expectTooMany(await joinFrom(ADDRESS));
    expectStatus(await joinFrom(OTHER_ADDRESS), 200);
    const elsewhere = await tenant.queue();
    expectStatus(await joinFrom(ADDRESS, {}, elsewhere.link.token), 200);
    const cancelled = await test.api.post(`/api/v1/call/cancel/${first?.call_id}`, undefined, {
      token: first?.websocket_token,
    });
    expectStatus(cancelled, 200);
    expectStatus(await joinFrom(ADDRESS), 200);
    expectTooMany(await joinFrom(ADDRESS));
  });

  it('are limited when they join at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => joinFrom(ADDRESS)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(MAX_PER_ADDRESS);
    for (const answer of answers.filter(({ status }) => status !== 200)) expectTooMany(answer);
  });

  it('are counted by network for IPv6', async () => {
    await fillFrom('2001:db8:1:2::a');
    expectTooMany(await joinFrom('2001:db8:1:2:ffff::b'));
    expectStatus(await joinFrom('2001:db8:1:3::a'), 200);
  });

  it('can be asked for again with their Idempotency-Key when the limit is reached', async () => {
    const key = { 'idempotency-key': 'same' };
    const first = await joinFrom(ADDRESS, key);
    for (let count = 1; count < MAX_PER_ADDRESS; count++) expectStatus(await joinFrom(ADDRESS), 200);
    expectTooMany(await joinFrom(ADDRESS));
    expect((await joinFrom(ADDRESS, key)).body.data.call_id).toBe(first.body.data.call_id);
  });

  it('are not limited on loopback', async () => {
    for (let count = 0; count <= MAX_PER_ADDRESS; count++) await tenant.join(link);
  });

  it('do not count any more when the wait ends, although the address is kept for the rating', async () => {
    const [first] = await fillFrom(ADDRESS);
    expectStatus(await tenant.owner.api.post(`/api/v1/calls/${first?.call_id}/assign`), 200);
    expect(await callRow(test, first?.call_id)).toMatchObject({
      client_address: ADDRESS,
      absent_since: null,
    });
    expectStatus(await joinFrom(ADDRESS), 200);
  });
});

it('a queue that customers without a socket have filled is free again after QUEUE_ABSENCE_SECONDS', async () => {
  const { link: fullLink } = await tenant.queue({ max_wait_time: 36_000, max_queue_size: 4 });
  const join = (number: number) => joinFrom(`203.0.113.${number}`, {}, fullLink.token);
  for (let number = 1; number <= 4; number++) expectStatus(await join(number), 200);
  expectFailure(await join(5), 422, { code: 'queue_full' });
  test.clock.advance(301);
  await sweep(test);
  expectStatus(await join(5), 200);
});

const isFirstAbsent = (queue: Json) => queue.calls[0]?.absent_since !== null;

describe('the queue that staff see', () => {
  it('contains who is absent, and the number of calls from the address of each call', async () => {
    const watcher = await connect(tenant.owner.token);
    await watcher.send('watch_department', { department_id: department.id });
    const [first] = await fillFrom(ADDRESS);
    await joinFrom(OTHER_ADDRESS);
    const update = await watcher.waitFor(
      'queue_updated',
      (queue) => queue.department_id === department.id && queue.size === 4,
    );
    expect(update.calls.map(({ calls_from_address }: Json) => calls_from_address)).toEqual([3, 3, 3, 1]);
    expect(update.calls[0].absent_since).toBe(update.calls[0].inserted_at);
    expect(JSON.stringify(update)).not.toContain(ADDRESS);

    const firstIsAbsent = (isAbsent: boolean) => {
      watcher.received.length = 0;
      return () =>
        watcher.waitFor(
          'queue_updated',
          (queue) => queue.department_id === department.id && isFirstAbsent(queue) === isAbsent,
        );
    };
    const connected = firstIsAbsent(false);
    const customer = await connect(first?.websocket_token);
    await connected();

    const disconnected = firstIsAbsent(true);
    customer.close();
    const left = await disconnected();
    const details = await tenant.owner.api.get(`/api/v1/calls/${first?.call_id}`);
    expect(details.body.data.absent_since).toBe(left.calls[0].absent_since);

    const back = firstIsAbsent(false);
    await connect(first?.websocket_token);
    await back();
  });

  it('is sent when a customer who only polls was seen again', async () => {
    const watcher = await connect(tenant.owner.token);
    await watcher.send('watch_department', { department_id: department.id });
    const { call_id } = await tenant.join(link);
    const [joined] = (await watcher.waitFor('queue_updated', ({ size }) => size === 1)).calls;

    watcher.received.length = 0;
    test.clock.advance(100);
    expectStatus(await test.api.get(`/api/v1/call/status/${call_id}`), 200);
    await watcher.waitFor('queue_updated', ({ department_id, calls }) => {
      const movedMs = Date.parse(calls[0]?.absent_since) - Date.parse(joined.absent_since);
      return department_id === department.id && movedMs >= 100_000;
    });
    expect(await eventsOf(test, call_id)).toEqual(['call.queued']);
  });
});
